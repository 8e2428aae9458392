import { existsSync, readdirSync, rmSync } from "node:fs";
import { scratchFolder } from "../support/folder.ts";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newJob } from "#main/app/jobs/jobs.ts";
import { sweepRefreshes } from "#main/app/jobs/refresh.ts";
import { type RunEnd, runOnce } from "#main/app/jobs/run.ts";
import { createClient } from "#main/client/index.ts";
import { openCache, openUserStore } from "#main/store/index.ts";
import type { JobRecord } from "#main/store/user/types.ts";
import { systemClock } from "#main/sync/clock.ts";
import { createSession } from "#main/sync/session.ts";
import type { CacheFindings } from "#shared/series/cache.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { type OddService, startOddService, STATIONS, STEP_MS, valueOf, type WireRow } from "../support/oddService.ts";
import { gateCases, gateShare, tries } from "../support/endurance.ts";
import { SOUND, UNSEEN } from "../support/pace.ts";

/**
 * The promise of a refresh: afterwards the cache has what the service has, and the report says exactly what changed; until
 * everything is there the cache is as it was; and no row is removed because one response lacked it.
 */

const START_MS = Date.UTC(2026, 8, 1, 22);
const RANGE = { startMs: START_MS, endMs: START_MS + 6 * HOUR_MS };
const IDS = STATIONS.slice(0, 2).map(({ id }) => id);
const SPEC: JobSpec = { stationIds: IDS, variables: ["ztd"], range: RANGE, intervalSeconds: null, raw: false };
const EPOCHS = (RANGE.endMs - RANGE.startMs) / STEP_MS;

/** What the service has: the values of epochs by number; the others have the computed ones. Null: no row. */
type Truth = ReadonlyMap<string, number | null>;
const keyOf = (id: string, timeMs: number): string => `${id} ${timeMs}`;

const answered = (timeMs: number, id: string): boolean => truth.get(keyOf(id, timeMs)) !== null && !leftOut(id, timeMs);
const count = (is: (key: string) => boolean, keys: Iterable<string>): number => [...keys].filter(is).length;

let service: OddService;
let folder: string;
let truth: Truth;
/** What the responses leave out, although the service has it. */
let leftOut: (id: string, timeMs: number) => boolean;
beforeEach(async () => {
  folder = scratchFolder();
  truth = new Map();
  leftOut = () => false;
  service = await startOddService((rows, { intervalSeconds }) => {
    return rows.flatMap((row): WireRow[] => {
      const [id, timeMs] = [row["station_id"] as string, Date.parse(row["timestamp"] as string)];
      if (intervalSeconds !== null) {
        for (let t = timeMs; t < timeMs + intervalSeconds * 1_000; t += STEP_MS) if (answered(t, id)) return [row];
        return [];
      }
      return answered(timeMs, id) ? [{ ...row, ztd: truth.get(keyOf(id, timeMs)) ?? row["ztd"] }] : [];
    });
  });
});
afterEach(async () => {
  await service.close();
});

interface Ran {
  readonly end: RunEnd;
  readonly rows: ReadonlyMap<string, number>;
  /** Of the cache, after an interrupted transfer. */
  readonly findings: CacheFindings;
}

/** Runs a job like a new process, `minutes` after the start; `stopAfter` responses or commits to the cache it is stopped. */
async function run(
  given: JobRecord,
  minutes: number,
  stop: { responses?: number; commits?: number } = {},
): Promise<Ran> {
  service.offsetMs = minutes * MINUTE_MS;
  const users = openUserStore(join(folder, "user.db"));
  const client = createClient({ baseUrl: service.url, apiKey: () => "key" });
  const cache = openCache(join(folder, "cache.db"));
  const clock = { ...systemClock, wallMs: () => Date.now() + service.offsetMs };
  const stopping = new AbortController();
  let commits = 0;
  const session = createSession({
    client,
    cache,
    clock,
    random: () => 0,
    onCommit: () => void (++commits === stop.commits && stopping.abort()),
  });
  const record = { id: "c", name: "c", baseUrl: service.url, createdAtMs: 0, cacheFile: "cache.db" };
  if (users.connections().length === 0) users.putConnection({ ...record, kind: "service" });
  const from = service.queries.length;
  const run = {
    signal: stopping.signal,
    stoppedFor: "interrupted" as const,
    progress: null,
    onProgress() {
      if (stop.responses !== undefined && service.queries.length - from > stop.responses) stopping.abort();
    },
  };
  const end = await runOnce(users, { record: { ...record, kind: "service" }, session, cache }, given, run);
  const rows = new Map<string, number>();
  for (const stationId of IDS) {
    const { timesMs, columns } = cache.rows({ ...SPEC, stationId });
    timesMs.forEach((timeMs, i) => rows.set(keyOf(stationId, timeMs), columns.ztd?.values[i] as number));
  }
  const findings = stop.commits === undefined ? SOUND : await cache.check(UNSEEN);
  await client.close();
  cache.close();
  users.close();
  if (end === null) throw new Error("the job did not run");
  return { end, rows, findings };
}

function refreshOf(change: Partial<JobSpec> = {}): JobRecord {
  return newJob("c", { ...SPEC, refresh: true, ...change }, false, Date.now());
}

/** The rows of the service. */
function expected(): Map<string, number> {
  const rows = new Map<string, number>();
  for (const id of IDS) {
    for (let t = RANGE.startMs; t < RANGE.endMs; t += STEP_MS) {
      const value = truth.get(keyOf(id, t));
      if (value !== null) rows.set(keyOf(id, t), value ?? valueOf(id, "ztd", t));
    }
  }
  return rows;
}

const filled = () => run(newJob("c", SPEC, false, Date.now()), 0);

const truths = fc
  .array(
    fc.record({
      station: fc.constantFrom(...IDS),
      from: fc.integer({ min: 0, max: EPOCHS - 1 }),
      length: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 300 })),
      value: fc.constantFrom(null, 7, 8.5),
    }),
    { maxLength: 4 },
  )
  .map((parts): Truth => {
    const all = new Map<string, number | null>();
    for (const { station, from, length, value } of parts)
      for (let k = from; k < Math.min(EPOCHS, from + length); k++)
        all.set(keyOf(station, START_MS + k * STEP_MS), value);
    return all;
  });

describe("a refresh", () => {
  it("ends with what the service has, and reports what changed, by station and day", async () => {
    await fc.assert(
      fc.asyncProperty(truths, truths, async (first, second) => {
        for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
        truth = first;
        await filled();
        const old = (await run(newJob("c", SPEC, false, Date.now()), 6)).rows;
        expect(old).toEqual(expected());
        truth = second;
        const fresh = expected();
        const gone = count((key) => !fresh.has(key), old.keys());
        const added = count((key) => !old.has(key), fresh.keys());
        const changed = count((key) => fresh.has(key) && fresh.get(key) !== old.get(key), old.keys());

        const job = refreshOf();
        const { end, rows } = await run(job, 12);
        expect(end.statistics.refreshed).toMatchObject({ added, changed, removed: 0, kept: gone });
        expect(rows).toEqual(new Map([...old, ...fresh]));
        expect(end.record.nextRunMs === null).toBe(gone === 0);

        const again = await run(gone === 0 ? refreshOf() : end.record, 18);
        expect(again.rows).toEqual(fresh);
        const report = again.end.statistics.refreshed!;
        expect(report).toMatchObject(
          gone === 0 ? { added: 0, changed: 0, removed: 0, kept: 0 } : { added, changed, removed: gone, kept: 0 },
        );
        for (const name of ["added", "removed", "changed", "kept"] as const)
          expect(report.days.reduce((sum, day) => sum + day[name], 0)).toBe(report[name]);
        expect(again.end.record.nextRunMs).toBeNull();
        expect(readdirSync(folder).filter((name) => name.startsWith("refresh"))).toEqual([]);
      }),
      { numRuns: tries(gateCases(3), 100) },
    );
  });

  it("removes nothing that responses lacked for a while", async () => {
    const { rows: old } = await filled();
    const ways = gateShare<typeof leftOut>([
      (_, t) => t >= START_MS + 3 * HOUR_MS,
      (_, t) => (t / STEP_MS) % 10 !== 0,
      (id) => id === IDS[0],
      () => true,
    ]);
    for (const way of ways) {
      leftOut = way;
      const job = refreshOf();
      const first = await run(job, 12);
      expect(first.rows).toEqual(old);
      expect(first.end.statistics.refreshed!.kept).toBeGreaterThan(100);
      leftOut = () => false;
      const second = await run(first.end.record, 18);
      expect(second.rows).toEqual(old);
      expect(second.end.statistics.refreshed).toMatchObject({ added: 0, removed: 0, changed: 0, kept: 0, days: [] });
    }
  });

  it("leaves no file after its second run, also if that comes too early to confirm anything", async () => {
    const { rows: old } = await filled();
    leftOut = (_, t) => t >= START_MS + 3 * HOUR_MS;
    const first = await run(refreshOf(), 12);
    const second = await run(first.end.record, 13);
    expect([second.rows, second.end.record.nextRunMs]).toEqual([old, null]);
    expect(readdirSync(folder).filter((name) => name.startsWith("refresh"))).toEqual([]);
  });

  it("leaves the cache as it was when it is stopped, continues, and reports the same", async () => {
    const { rows: old } = await filled();
    truth = new Map([
      ...Array.from({ length: 200 }, (_, k) => [keyOf(IDS[0]!, START_MS + k * STEP_MS), 9] as const),
      ...Array.from({ length: 50 }, (_, k) => [keyOf(IDS[1]!, START_MS + (300 + k) * STEP_MS), null] as const),
    ]);
    const job = refreshOf();
    const stopped = await run(job, 12, { responses: 0 });
    expect(stopped.end.state).toBe("interrupted");
    expect(stopped.rows).toEqual(old);
    // While the cache takes over what was downloaded.
    const half = await run(job, 12, { commits: 1 });
    expect([half.end.state, half.findings]).toEqual(["interrupted", SOUND]);
    // And while the next run completes that.
    const again = await run(job, 12, { commits: 1 });
    expect([again.end.state, again.rows]).toEqual(["interrupted", half.rows]);
    const sent = service.queries.length;
    const { end, rows } = await run(job, 12);
    expect(service.queries.length).toBe(sent);
    expect(end.statistics.refreshed).toMatchObject({ added: 0, changed: 200, removed: 0, kept: 50 });
    expect(rows).toEqual(new Map([...old, ...expected()]));
    // A second response has to confirm that the 50 rows are gone.
    expect(end.record.nextRunMs).not.toBeNull();
    const file = readdirSync(folder).find((name) => name.startsWith("refresh"))!;
    const users = openUserStore(join(folder, "user.db"));
    sweepRefreshes(users);
    expect(existsSync(join(folder, file))).toBe(true);
    users.deleteJobs([job.id]);
    sweepRefreshes(users);
    users.close();
    expect(existsSync(join(folder, file))).toBe(false);
  });
});
