// A fetch of data that is already in the cache, through the whole application, as on the command line.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "#main/app.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { withFolder } from "../harness/folder.ts";
import { peakMb, report, timed } from "../harness/report.ts";
import { BENCH_KEY, requestsSeen } from "../replay/replay.ts";

export interface CachedFetchArguments {
  readonly url: string;
  readonly folder: string;
  /** A cache with all data of the job. Each run uses a copy, because a cache records the connection that it belongs to. */
  readonly cachePath: string;
  readonly spec: JobSpec;
}

export interface CachedFetch {
  readonly seconds: number;
  /** Requests that the server received meanwhile. */
  readonly requests: number;
  readonly states: readonly string[];
  readonly peakMb: number;
}

await report(({ url, folder, cachePath, spec }: CachedFetchArguments) =>
  withFolder(folder, async (workFolder): Promise<CachedFetch> => {
    const keys = new Map<string, string>();
    const app = createApp({
      dataFolder: workFolder,
      secrets: {
        get: async (id) => keys.get(id) ?? null,
        set: async (id, key) => void keys.set(id, key),
        delete: async (id) => void keys.delete(id),
        protection: async () => "session",
      },
      startDemo: () => Promise.reject(new Error("no demo here")),
    });
    const { signal } = new AbortController();
    const added = await app.connections.add("bench", url, { apiKey: BENCH_KEY }, signal);
    if (!added.ok) throw new Error(added.error.message);
    const record = app.connections.find("bench")!;
    const place = join(workFolder, record.cacheFile);
    copyFileSync(cachePath, place);
    try {
      const connection = await app.connections.open(record);
      const before = await requestsSeen(url);
      const { seconds, value } = await timed(() => app.jobs.run(connection, spec, { signal }));
      if (!value.ok) throw new Error(value.error.message);
      const states = [...new Set(value.value.verdicts.map((v) => v.state))];
      const requests = (await requestsSeen(url)) - before;
      return { seconds, requests, states, peakMb: peakMb() };
    } finally {
      await app.close();
    }
  }),
);
