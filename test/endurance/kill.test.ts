import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seeded } from "../support/seeded.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { difference, rangeSet, totalMs, union } from "#shared/time/rangeset.ts";
import { openCache } from "#main/store/index.ts";
import { runJob } from "#main/sync/job.ts";
import { createSession } from "#main/sync/session.ts";
import { clientFor, type Desk, KEY, never, openDesk } from "../support/desk.ts";
import { dump } from "../support/dump.ts";
import { IS_ENDURANCE, tries } from "../support/endurance.ts";
import { emptyTally, tallyCells, writeRow } from "../support/reliability.ts";

const POINTS = tries(8, 200);
const LANES = 2;
const EPOCH_MS = 30_000;

describe("kill −9 of a running fetch", () => {
  let desk: Desk;
  let spec: JobSpec;
  let whole: unknown;
  let runMs = 0;

  beforeAll(async () => {
    // A low limit causes many small requests, so that kills occur during requests, commits and in between.
    desk = await openDesk({ maxPoints: 1_000, maxConcurrent: 8 });
    spec = {
      stationIds: desk.stations(3),
      variables: ["ztd", "ztd_sigma", "pwv"],
      range: { startMs: Date.UTC(2026, 8, 1), endMs: Date.UTC(2026, 8, 5) },
      intervalSeconds: null,
      raw: false,
    };
    await runJob(desk.session, spec, { signal: never });
    whole = dump(desk.cache, spec);
    // The duration of the work of a child, measured with code that runs for the first time, to cover all of it.
    const { child, gone } = fetching(join(desk.folder, "measured.db"));
    await once(child.stdout, "data");
    const startedMs = performance.now();
    await gone;
    runMs = performance.now() - startedMs;
  });
  const tally = emptyTally();
  afterAll(() => {
    if (IS_ENDURANCE && tally.tries === POINTS) writeRow("a fetch", tallyCells(tally));
    return desk.close();
  });

  function fetching(path: string) {
    const script = join(import.meta.dirname, "fetchChild.ts");
    const child = spawn(process.execPath, [script, desk.service.url, KEY, path, JSON.stringify(spec)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    return { child, gone: once(child, "exit") };
  }

  async function killedAt(point: number, share: number) {
    const path = join(desk.folder, `killed-${point}.db`);
    const { child, gone } = fetching(path);
    await once(child.stdout, "data");
    await delay(share * runMs);
    child.kill("SIGKILL");
    await gone;

    const cache = openCache(path);
    const client = clientFor(desk.service.url);
    try {
      expect(cache.quarantined).toBeNull();
      const before = coveredOf(cache);
      const requested: { stationId: string; startMs: number; endMs: number }[] = [];
      const watching = {
        ...client,
        timeSeries: ((query, ...rest) => {
          // Means of a missing range prove that it is missing, and are no repetition of observations.
          if (query.intervalSeconds !== null) return client.timeSeries(query, ...rest);
          for (const stationId of query.stationIds)
            requested.push({ stationId, startMs: query.startMs, endMs: query.endMs });
          return client.timeSeries(query, ...rest);
        }) as typeof client.timeSeries,
      };
      const startedMs = performance.now();
      const outcome = await runJob(createSession({ client: watching, cache }), spec, { signal: never });
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - startedMs);
      expect(outcome.state).toBe("finished");
      const now = dump(cache, spec);
      expect(now).toEqual(whole);
      tally.tries++;
      tally.rows += now.reduce((sum, { times }) => sum + times.length, 0);
      // Exactly the missing data: kept and requested ranges together are the whole, without overlap.
      for (const [i, stationId] of spec.stationIds.entries()) {
        const now = requested.filter((a) => a.stationId === stationId);
        // Requests that were rejected for their size are repeated in parts.
        const { final: kept, received } = before[i]!;
        expect(union(received, rangeSet(now))).toEqual([spec.range]);
        // A question about a missing range includes the epochs beside it, and joins ranges that are near to each other.
        for (const range of now) {
          const missingMs = totalMs(difference([range], kept));
          expect(totalMs([range]) - missingMs).toBeLessThanOrEqual(Math.max(2 * EPOCH_MS, missingMs));
        }
      }
      return before.some(({ final }) => final.length > 0);
    } finally {
      await client.close();
      cache.close();
    }
  }

  /**
   * Final and received ranges of each station: missing rows of a response become final only after a second response.
   */
  function coveredOf(cache: ReturnType<typeof openCache>) {
    return spec.stationIds.map((id) => {
      const { final, provisional } = cache.coverage(id, "ztd", spec);
      return { final, received: union(final, rangeSet(provisional.map((p) => p.range))) };
    });
  }

  it(
    `loses no finished part and resumes with exactly the missing ranges, at ${POINTS} points`,
    async () => {
      const random = seeded(20_261_121);
      const shares = Array.from({ length: POINTS }, () => random() * 1.2);
      let withParts = 0;
      const queue = shares.entries();
      await Promise.all(
        Array.from({ length: LANES }, async () => {
          for (const [point, share] of queue) if (await killedAt(point, share)) withParts++;
        }),
      );
      // Most kills must interrupt the work, otherwise the test proves nothing.
      expect(withParts).toBeGreaterThan(POINTS / 4);
    },
    tries(300_000, 3_600_000),
  );
});
