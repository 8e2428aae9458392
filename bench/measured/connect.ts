import { createClient } from "#main/client/index.ts";
import type { ServiceClient } from "#main/client/types.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import { refreshCatalogue } from "#main/sync/catalogue.ts";
import { createSession, type Session } from "#main/sync/session.ts";
import { BENCH_KEY } from "../replay/replay.ts";

export interface Connected {
  readonly client: ServiceClient;
  readonly cache: Cache;
  readonly session: Session;
  close(): Promise<void>;
}

/** Client, cache and session as in the application, with the catalogue. */
export async function connect(url: string, cachePath: string): Promise<Connected> {
  const client = createClient({ baseUrl: url, apiKey: () => BENCH_KEY });
  const cache = openCache(cachePath);
  const session = createSession({ client, cache });
  const catalogue = await refreshCatalogue(session, new AbortController().signal);
  if (!catalogue.ok) throw new Error(`${catalogue.error.message} ${catalogue.error.cause}`);
  return {
    client,
    cache,
    session,
    async close() {
      await client.close();
      cache.close();
    },
  };
}
