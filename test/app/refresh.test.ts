import { readdirSync, rmSync } from "node:fs";
import { scratchFolder } from "../support/folder.ts";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newJob } from "#main/app/jobs/records.ts";
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
import {
  type OddService,
  startOddService,
  STATIONS,
  STEP_MS,
  valueOf,
  type WireQuery,
  type WireRow,
} from "../support/oddService.ts";
import { gateCases, gateShare, tries } from "../support/endurance.ts";
import { SOUND, UNSEEN } from "../support/pace.ts";

/**
 * The promise of a refresh: afterwards the cache has what the service has and what it had itself, and the report says
 * exactly how they differ; until everything is there the cache is as it was.
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
    const { timesMs, columns } = cache.rows({ ...given.spec, stationId });
    for (const variable of given.spec.variables) {
      const { values, present } = columns[variable] ?? { values: [], present: null };
      const name = (timeMs: number): string => (variable === "ztd" ? "" : `${variable} `) + keyOf(stationId, timeMs);
      timesMs.forEach((timeMs, i) => present?.[i] !== 0 && rows.set(name(timeMs), values[i] as number));
    }
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

const WAYS: Readonly<Record<string, (rows: WireRow[], query: WireQuery, nth: number) => WireRow[]>> = {
  "a station": (rows) => rows.filter((row) => row["station_id"] !== IDS[0]),
  everything: () => [],
  "a variable": (rows) => rows.map((row) => ({ ...row, pwv: null })),
  "all but every tenth row": (rows) => rows.filter((_, i) => i % 10 === 0),
  "some hours": (rows) => rows.filter((row) => !isBetween(timeOf(row), 2, 4)),
  "the values of some hours": (rows) =>
    rows.map((row) => (isBetween(timeOf(row), 2, 4) ? { ...row, ztd: null, pwv: null } : row)),
  "a few rows": (rows) => rows.filter((row) => (timeOf(row) - START_MS) % HOUR_MS !== 0),
  "the end of each response": (rows) => rows.slice(0, rows.length / 2),
  "another half in each response": (rows, _, nth) => rows.filter((_row, i) => i % 2 === nth % 2),
};

const timeOf = (row: WireRow): number => Date.parse(row["timestamp"] as string);
const isBetween = (timeMs: number, from: number, to: number): boolean =>
  timeMs >= START_MS + from * HOUR_MS && timeMs < START_MS + to * HOUR_MS;
const files = (): string[] => readdirSync(folder).filter((name) => name.startsWith("refresh"));

describe("a refresh", () => {
  it("ends with what the service has and what the cache had, and reports the differences by station and day", async () => {
    await fc.assert(
      fc.asyncProperty(truths, truths, async (first, second) => {
        for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
        truth = first;
        await filled();
        const old = (await run(newJob("c", SPEC, false, Date.now()), 6)).rows;
        expect(old).toEqual(expected());
        truth = second;
        const fresh = expected();
        const kept = count((key) => !fresh.has(key), old.keys());
        const added = count((key) => !old.has(key), fresh.keys());
        const changed = count((key) => fresh.has(key) && fresh.get(key) !== old.get(key), old.keys());

        const { end, rows } = await run(refreshOf(), 12);
        expect(rows).toEqual(new Map([...old, ...fresh]));
        const report = end.statistics.refreshed!;
        expect(report).toMatchObject({ added, changed, kept });
        for (const name of ["added", "changed", "kept"] as const)
          expect(report.days.reduce((sum, day) => sum + day[name], 0)).toBe(report[name]);
        expect([end.record.nextRunMs, files()]).toEqual([null, []]);

        const again = await run(refreshOf(), 18);
        expect(again.rows).toEqual(rows);
        expect(again.end.statistics.refreshed).toMatchObject({ added: 0, changed: 0, kept });
      }),
      { numRuns: tries(gateCases(3), 100) },
    );
  });

  const modes = Object.keys(WAYS).flatMap((way) => [
    [way, "observations", null] as const,
    [way, "means", 900] as const,
  ]);
  it.each(gateShare(modes))("loses no row of a service that leaves out %s: %s", async (way, _, seconds) => {
    const change: Partial<JobSpec> = { variables: ["ztd", "pwv"], intervalSeconds: seconds };
    service.twist = (rows) => rows;
    const { rows: old } = await run(newJob("c", { ...SPEC, ...change }, false, Date.now()), 0);
    expect(old.size).toBeGreaterThan(40);
    service.twist = (rows, query, nth) => WAYS[way]!(rows, query, nth);
    // Two answers that agree, at once and a day later, are the same outage.
    for (const minutes of [12, 24, 48 * 60]) {
      const { end, rows } = await run(refreshOf(change), minutes);
      expect(rows).toEqual(old);
      expect(end.statistics.refreshed).toMatchObject({ added: 0, changed: 0 });
      // What the cache has is not reported as missing; an answer of every second mean is refused as one of longer means.
      expect(end.verdicts.filter(({ state }) => state !== "ok" && state !== "failed")).toEqual([]);
      expect([end.record.nextRunMs, files()]).toEqual([null, []]);
    }
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
    expect(end.statistics.refreshed).toMatchObject({ added: 0, changed: 200, kept: 50 });
    expect(rows).toEqual(new Map([...old, ...expected()]));
    expect(files()).toEqual([]);
  });

  it("keeps its file until its job has finished or is removed", async () => {
    await filled();
    const [job, other] = [refreshOf(), refreshOf()];
    for (const each of [job, other]) await run(each, 12, { responses: 0 });
    const users = openUserStore(join(folder, "user.db"));
    sweepRefreshes(users);
    expect(files().filter((name) => name.endsWith(".db"))).toHaveLength(2);
    users.deleteJobs([job.id]);
    // As after a kill between the end of the job and that of its file.
    users.putJob({ ...other, state: "finished" });
    sweepRefreshes(users);
    users.close();
    expect(files()).toEqual([]);
  });
});
