import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DataSource } from "#formats/source.ts";
import { type RunningService, type ServiceOptions, startService } from "#service/index.ts";
import { createClient } from "#main/client/index.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import { systemClock } from "#main/sync/clock.ts";
import { createSession, type Session, type SessionOptions } from "#main/sync/session.ts";

/** The current time of the services in tests, long after the history of each station began. */
export const NOW_MS = Date.UTC(2026, 9, 15, 12);
export const never = new AbortController().signal;
export const KEY = "test-key-5f1c0a9e77d24b";

export interface Desk {
  readonly service: RunningService;
  /** Of exported data. */
  readonly origin: DataSource;
  readonly folder: string;
  readonly cache: Cache;
  readonly session: Session;
  /** Another session on a fresh cache, against the same service. */
  fresh(options?: Partial<SessionOptions>): { cache: Cache; session: Session };
  /** The same cache file in a new session, as after a restart. */
  reopen(options?: Partial<SessionOptions>): { cache: Cache; session: Session };
  /** Ids of stations by display name, or the first n ordinary 30 s stations. */
  stations(n: number): string[];
  close(): Promise<void>;
}

/** A running reference service, and a cache and session that talk to it over real HTTP. */
export async function openDesk(
  options: ServiceOptions & {
    session?: Partial<SessionOptions>;
    maxPoints?: number | null;
    maxConcurrent?: number;
  } = {},
): Promise<Desk> {
  const { session: sessionOptions, maxPoints = 100_000, maxConcurrent = 8, ...serviceOptions } = options;
  const service = await startService({
    now: () => NOW_MS,
    organizations: [{ key: KEY, name: "test", owner: "aurora", maxPoints, maxConcurrent }],
    ...serviceOptions,
  });
  const folder = mkdtempSync(join(tmpdir(), "zenith-desk-test-"));
  const closers: (() => Promise<void> | void)[] = [];
  let files = 0;

  function open(path: string, more: Partial<SessionOptions> = {}): { cache: Cache; session: Session } {
    const cache = openCache(path);
    const client = clientFor(service.url);
    // The clock of this computer is correct unless a test replaces it.
    const serviceNow = serviceOptions.now ?? (() => NOW_MS);
    const startedMs = performance.now();
    const clock = { ...systemClock, wallMs: () => Math.floor(serviceNow() + performance.now() - startedMs) };
    const session = createSession({ client, cache, clock, ...sessionOptions, ...more });
    closers.push(async () => {
      await client.close();
      cache.close();
    });
    return { cache, session };
  }

  const first = open(join(folder, "cache-0.db"));
  return {
    service,
    origin: { service: service.url, isSimulated: false },
    folder,
    ...first,
    fresh: (more) => open(join(folder, `cache-${++files}.db`), more),
    reopen: (more) => open(first.cache.path, more),
    stations: (n) => ordinaryStations(service, n).map((s) => s.id),
    async close() {
      for (const close of closers.toReversed()) await close();
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function clientFor(url: string, apiKey: string | null = KEY) {
  return createClient({ baseUrl: url, apiKey: () => apiKey });
}

/** Stations that send every 30 s until now. */
export function ordinaryStations({ world }: Pick<RunningService, "world">, n: number) {
  const isOrdinary = (s: (typeof world.stations)[number]): boolean =>
    s.resolutionSeconds === 30 && s.firstDataMs !== null && s.lastDataMs === null && s.latencyMs < 600_000;
  return world.stations.filter(isOrdinary).slice(0, n);
}
