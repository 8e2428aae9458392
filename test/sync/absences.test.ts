import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OpenConnection } from "#main/app/connections/connections.ts";
import { Jobs } from "#main/app/jobs/jobs.ts";
import { createClient } from "#main/client/index.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import { systemClock } from "#main/sync/clock.ts";
import { runJob } from "#main/sync/job.ts";
import { reopenAbsences } from "#main/sync/questions.ts";
import { createSession } from "#main/sync/session.ts";
import { findTargets } from "#main/sync/targets.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { includes, intersect, rangeSet, type RangeSet } from "#shared/time/rangeset.ts";
import { momentsOf } from "#shared/time/runs.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import {
  type OddService,
  startOddService,
  STATIONS,
  STEP_MS,
  type Twist,
  type WireQuery,
  type WireRow,
  withoutNewest,
} from "../support/oddService.ts";
import { gateShare, IS_GATE } from "../support/endurance.ts";

/**
 * The promise: no row of the service is silently missing. Whatever a service leaves out for a while, and in whatever way,
 * either the rows arrive once it answers honestly, or their time counts as unconfirmed. An honest service pays little for
 * it: what it has not got is asked about once more, and then never again.
 */

const never = new AbortController().signal;
const IDS = STATIONS.slice(0, 2).map((station) => station.id);
const START_MS = Date.UTC(2026, 8, 1, 0, 10);
const RANGE: TimeRange = { startMs: START_MS, endMs: START_MS + 20 * HOUR_MS };
/** What the first station did not send: short and long outages, inside and at both ends. */
const SILENT: readonly TimeRange[] = [
  { startMs: START_MS, endMs: START_MS + 5 * MINUTE_MS },
  { startMs: START_MS + 2 * HOUR_MS, endMs: START_MS + 2 * HOUR_MS + 90_000 },
  { startMs: START_MS + 5 * HOUR_MS + 20 * MINUTE_MS, endMs: START_MS + 8 * HOUR_MS },
  { startMs: START_MS + 19 * HOUR_MS, endMs: START_MS + 21 * HOUR_MS },
];

let service: OddService;
let folder: string;
beforeEach(async () => {
  service = await startOddService();
  folder = mkdtempSync(join(tmpdir(), "zenith-absences-"));
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const timeOf = (row: WireRow): number => Date.parse(row["timestamp"] as string);
const isSent = (id: string, timeMs: number): boolean =>
  id !== IDS[0] || !SILENT.some(({ startMs, endMs }) => timeMs >= startMs && timeMs < endMs);

/** The rows of a service with these outages. Intervals without an observation have no row. */
const honest: Twist = (rows, { intervalSeconds }) =>
  rows.filter((row) => {
    const id = row["station_id"] as string;
    if (intervalSeconds === null) return isSent(id, timeOf(row));
    for (let t = timeOf(row); t < timeOf(row) + intervalSeconds * 1_000; t += STEP_MS) if (isSent(id, t)) return true;
    return false;
  });

/** Ways of leaving rows out of a complete response. */
const WAYS: Readonly<Record<string, (rows: WireRow[], query: WireQuery, nth: number) => WireRow[]>> = {
  "some hours inside": (rows) =>
    rows.filter((r) => timeOf(r) < START_MS + 9 * HOUR_MS || timeOf(r) >= START_MS + 13 * HOUR_MS),
  "rows after the 777th": (rows) => rows.slice(0, 777),
  "rows before the last 777": (rows) => rows.slice(-777),
  "rows after the 333rd of each station": (rows) =>
    IDS.flatMap((id) => rows.filter((r) => r["station_id"] === id).slice(0, 333)),
  "everything after a moment, of one station": (rows) =>
    rows.filter((r) => r["station_id"] !== IDS[1] || timeOf(r) < START_MS + 11 * HOUR_MS),
  "all but every tenth epoch": (rows) => rows.filter((r) => (timeOf(r) / STEP_MS) % 10 === 0),
  "every eighth epoch": (rows) => rows.filter((r) => (timeOf(r) / STEP_MS) % 8 !== 0),
  "one station": (rows) => rows.filter((r) => r["station_id"] === IDS[0]),
  everything: () => [],
  "the last three hours": (rows) => rows.filter((r) => timeOf(r) < RANGE.endMs - 3 * HOUR_MS),
  "the first minutes of the request": (rows, { startMs }) => rows.filter((r) => timeOf(r) >= startMs + 20 * MINUTE_MS),
  "all but six hours of the request": (rows, { startMs }) => rows.filter((r) => timeOf(r) < startMs + 6 * HOUR_MS),
  "every other hour": (rows) => rows.filter((r) => Math.floor(timeOf(r) / HOUR_MS) % 2 === 0),
  "the second half of every hour": (rows) => rows.filter((r) => timeOf(r) % HOUR_MS < HOUR_MS / 2),
  "the first epoch of the request, and adds its end": (rows, { startMs, endMs, stationIds, intervalSeconds }) => [
    ...rows.filter((r) => timeOf(r) > startMs || intervalSeconds !== null),
    ...stationIds
      .filter((id) => intervalSeconds === null && isSent(id, endMs))
      .map((id) => ({ timestamp: new Date(endMs).toISOString(), station_id: id, ztd: 1 })),
  ],
  "the values of some hours": (rows) =>
    rows.map((r) =>
      timeOf(r) < START_MS + 9 * HOUR_MS || timeOf(r) >= START_MS + 13 * HOUR_MS ? r : { ...r, ztd: null },
    ),
  "half of the epochs, at random": (rows) => rows.filter((r) => Math.sin(timeOf(r)) > 0),
  "all but the first and the last row": (rows) => [...rows.slice(0, 1), ...rows.slice(-1)],
  "other hours in each response": (rows, _, nth) => rows.filter((r) => Math.floor(timeOf(r) / HOUR_MS) % 4 !== nth % 4),
  "observations, but no means": (rows, { intervalSeconds }) => (intervalSeconds === null ? rows.slice(0, 100) : rows),
  "means, but no observations": (rows, { intervalSeconds }) => (intervalSeconds === null ? rows : rows.slice(0, 5)),
  "the rows of a station, and doubles those of the other": (rows) => {
    const one = rows.filter((r) => r["station_id"] === IDS[0]);
    return [...one, ...one];
  },
  "the end of each day": (rows) => rows.filter((r) => timeOf(r) % DAY_MS < 22 * HOUR_MS),
  "the end of requests longer than an hour": (rows, { startMs, endMs }) =>
    endMs - startMs > HOUR_MS ? rows.filter((r) => timeOf(r) < endMs - HOUR_MS) : rows,
};

interface Fetched {
  readonly requests: number;
  readonly missing: number;
  /** Times of the service that count as absent for good. */
  readonly denied: number;
}

/** Runs a job like a new process, `minutes` after the start. */
async function run<T>(job: JobSpec, minutes: number, read: (cache: Cache) => T): Promise<T> {
  service.offsetMs = minutes * MINUTE_MS;
  const client = createClient({ baseUrl: service.url, apiKey: () => "key" });
  const cache = openCache(join(folder, "cache.db"));
  const clock = { ...systemClock, wallMs: () => Date.now() + service.offsetMs };
  const session = createSession({ client, cache, clock, random: () => 0 });
  const outcome = await runJob(session, job, { signal: never });
  expect(outcome).toMatchObject({ state: "finished", failures: [] });
  const found = read(cache);
  await client.close();
  cache.close();
  return found;
}

/** Fetches, and compares the cache with what the service has. */
async function fetch(job: JobSpec, minutes: number): Promise<Fetched> {
  const before = service.queries.length;
  const { missing, denied } = await run(job, minutes, (cache) => compared(cache, job));
  return { requests: service.queries.length - before, missing, denied };
}

async function queriesOf(job: JobSpec, minutes: number): Promise<readonly WireQuery[]> {
  const before = service.queries.length;
  await run(job, minutes, () => null);
  return service.queries.slice(before);
}

function pointsOf(queries: readonly WireQuery[]): number {
  return queries.reduce(
    (n, q) => n + (q.endMs - q.startMs) / (q.intervalSeconds === null ? STEP_MS : 1_000 * q.intervalSeconds),
    0,
  );
}

function compared(cache: Cache, job: JobSpec): Omit<Fetched, "requests"> {
  let missing = 0;
  let denied = 0;
  for (const stationId of job.stationIds) {
    const times = new Set(momentsOf(cache.valueTimes({ ...job, stationId, variables: ["ztd"] })));
    const final = rangeSet(cache.coverage(stationId, "ztd", job).final);
    const stepMs = (job.intervalSeconds ?? 30) * 1_000;
    for (let t = job.range.startMs; t < job.range.endMs; t += stepMs) {
      const epochs = Array.from({ length: stepMs / STEP_MS }, (_, k) => t + k * STEP_MS);
      if (!epochs.some((ms) => isSent(stationId, ms))) expect(times.has(t)).toBe(false);
      else if (!times.has(t)) {
        missing++;
        if (includes(final, t)) denied++;
      }
    }
  }
  return { missing, denied };
}

/** What is unconfirmed of the range of a job. */
function openIn(cache: Cache, stationId: string, job: JobSpec): RangeSet {
  const open = job.variables.flatMap((v) => cache.coverage(stationId, v, job).provisional.map(({ range }) => range));
  return intersect(rangeSet(open), [job.range]);
}

function spec(change: Partial<JobSpec> = {}): JobSpec {
  return { stationIds: IDS, variables: ["ztd"], range: RANGE, intervalSeconds: null, raw: false, ...change };
}

/** When the service begins to answer honestly: before its nth response. */
const HONEST_FROM: Readonly<Record<string, number>> = {
  "after its first response": 2,
  "after a few responses": 5,
  "after the first fetch": Infinity,
};

describe.each(gateShare(Object.keys(WAYS)).map((way, i) => [way, i] as const))(
  "a service that leaves out %s",
  (way, i) => {
    const MODES: Readonly<Record<string, Partial<JobSpec>>> = {
      observations: {},
      means: {
        intervalSeconds: 900,
        range: { startMs: START_MS - 10 * MINUTE_MS, endMs: RANGE.endMs + 20 * MINUTE_MS },
      },
    };
    // In the gate, the modes and the ways take turns.
    const modes = Object.keys(MODES).filter((_, k) => !IS_GATE || k === i % 2);
    const moments = Object.entries(HONEST_FROM).filter((_, k) => !IS_GATE || k === i % 3);
    it.each(modes)("loses no row of it for ever: %s", async (mode) => {
      for (const [when, from] of moments) {
        const job = spec(MODES[mode]);
        rmSync(join(folder, "cache.db"), { force: true });
        service.queries.length = 0;
        service.twist = (rows, query, nth) => {
          const sent = honest(rows, query, nth) as WireRow[];
          return nth < from ? WAYS[way]!(sent, query, nth) : sent;
        };
        const first = await fetch(job, 0);
        expect(first.denied, `${when}: first fetch`).toBe(0);
        service.twist = honest;
        const second = await fetch(job, 6);
        expect([second.missing, second.denied], `${when}: second fetch`).toEqual([0, 0]);
        await fetch(job, 12);
        await fetch(job, 18);
        expect((await fetch(job, 24)).requests, `${when}: later`).toBe(0);
        const open = await run(job, 24, (cache) => job.stationIds.flatMap((id) => openIn(cache, id, job)));
        expect(open, `${when}: not confirmed`).toEqual([]);
        // What a station sends thinly is no size that the service is limited to.
        expect(service.queries.length, `${when}: in all`).toBeLessThan(150);
      }
    });
  },
);

it.each([
  ["one station", IDS.slice(1)],
  ["all stations", IDS],
])("a service that answers without any row for nights loses no row for ever: %s", async (_, stationIds) => {
  const job = spec({ stationIds });
  service.twist = () => [];
  for (const minutes of [0, 6, 12, 60, 1_440, 2_880]) expect(await fetch(job, minutes)).toMatchObject({ denied: 0 });
  service.twist = honest;
  expect(await fetch(job, 2_886)).toMatchObject({ missing: 0, denied: 0 });
});

it.each([
  ["station", (rows: WireRow[]) => rows.filter((row) => row["station_id"] !== IDS[1])],
  ["variable", (rows: WireRow[]) => rows.map((row) => ({ ...row, pwv: null }))],
])("an outage of one %s for hours loses no row for ever", async (_, twist) => {
  const job = spec({ variables: ["ztd", "pwv"] });
  service.twist = (rows, query, nth) => twist(honest(rows, query, nth) as WireRow[]);
  for (const minutes of [0, 6, 12, 60, 600]) await fetch(job, minutes);
  service.twist = honest;
  await fetch(job, 606);
  const [ztd, pwv] = await run(job, 606, (cache) =>
    (["ztd", "pwv"] as const).map(
      (v) => momentsOf(cache.valueTimes({ ...job, stationId: IDS[1]!, variables: [v] })).length,
    ),
  );
  expect([ztd, pwv]).toEqual([2_400, 2_400]);
});

it("a station that sends by the catalogue, but is in no response for days, loses no row for ever", async () => {
  const job = spec();
  service.stationFields = { data_last_updated: new Date(RANGE.endMs + 3 * DAY_MS).toISOString() };
  service.twist = (rows, query, nth) =>
    (honest(rows, query, nth) as WireRow[]).filter((row) => row["station_id"] !== IDS[1]);
  for (let night = 0; night < 10; night++) expect(await fetch(job, night * 1_440)).toMatchObject({ denied: 0 });
  service.twist = honest;
  expect(await fetch(job, 14_400)).toMatchObject({ missing: 0, denied: 0 });
});

it.each([
  ["of old data", (row: WireRow) => timeOf(row) >= START_MS],
  ["of one station", (row: WireRow) => row["station_id"] === IDS[0]],
])("a service without means %s loses no row for ever", async (_, hasMean) => {
  const range = {
    startMs: START_MS - (START_MS % DAY_MS) - 40 * DAY_MS,
    endMs: START_MS - (START_MS % DAY_MS) + DAY_MS,
  };
  const job = spec({ range, stationIds: IDS });
  service.twist = (rows, { intervalSeconds }) => (intervalSeconds === null ? rows : rows.filter(hasMean));
  for (const minutes of [0, 6, 1_446, 1_452]) await run(job, minutes, () => null);
  const counts = await run(job, 1_458, (cache) =>
    IDS.map((stationId) => cache.valueTimes({ ...job, stationId, variables: ["ztd"] }).total),
  );
  expect(counts).toEqual(IDS.map(() => (range.endMs - range.startMs) / STEP_MS));
});

it("a station that is silent for a week, and then sends everything at once, loses no row for ever", async () => {
  const job = spec({ stationIds: IDS.slice(1) });
  const upTo = (days: number): JobSpec => ({ ...job, range: { startMs: START_MS, endMs: START_MS + days * DAY_MS } });
  const daily = (days: number): Promise<Fetched> =>
    fetch(upTo(days), minutesAfterEnd(START_MS + days * DAY_MS - RANGE.endMs));
  service.twist = (rows) => rows.filter((row) => timeOf(row) < START_MS + DAY_MS);
  for (let days = 1; days <= 8; days++) expect(await daily(days)).toMatchObject({ denied: 0 });
  service.twist = (rows) => rows;
  expect(await daily(9)).toMatchObject({ missing: 0, denied: 0 });
});

it.each([
  ["half a day, and delivers it two and a half days later", 0.5, [1, 1.5, 2, 2.27], 2.5],
  ["eight days, and delivers it a day after its return", 8, [2, 4, 6, 8, 8.5, 9], 9.3],
])("a station that is silent for %s, loses no row for ever", async (_, days, fetches, backAfter) => {
  const job = spec({ stationIds: IDS.slice(1) });
  const [outMs, backMs] = [START_MS + DAY_MS, START_MS + (1 + days) * DAY_MS];
  const until = (day: number): JobSpec => ({
    ...job,
    range: { startMs: START_MS, endMs: START_MS + (1 + day) * DAY_MS },
  });
  const at = (day: number): number => minutesAfterEnd(START_MS + (1 + day) * DAY_MS - RANGE.endMs);
  service.twist = (rows) => rows.filter((row) => timeOf(row) < outMs || timeOf(row) >= backMs);
  for (const day of fetches) {
    await fetch(until(day), at(day));
    expect(await fetch(until(day), at(day) + 10)).toMatchObject({ denied: 0 });
  }
  service.twist = (rows) => rows;
  expect(await fetch(until(backAfter), at(backAfter))).toMatchObject({ missing: 0, denied: 0 });
});

it("a station that is silent for a month, and then sends everything at once, loses no row for ever", async () => {
  const job = spec({ stationIds: IDS.slice(1) });
  const day = (days: number): TimeRange => ({
    startMs: START_MS + (days - 1) * DAY_MS,
    endMs: START_MS + days * DAY_MS,
  });
  const daily = (days: number): Promise<Fetched> =>
    fetch({ ...job, range: day(days) }, minutesAfterEnd(START_MS + days * DAY_MS - RANGE.endMs));
  service.twist = (rows) => rows.filter((row) => timeOf(row) < START_MS + DAY_MS);
  const whole = { ...job, range: { startMs: START_MS, endMs: day(31).endMs } };
  const minutes = (days: number): number => minutesAfterEnd(START_MS + days * DAY_MS - RANGE.endMs);
  await daily(1);
  for (let days = 2; days <= 30; days += 4)
    await fetch({ ...whole, range: { ...whole.range, endMs: day(days).endMs } }, minutes(days));
  service.twist = (rows) => rows;
  await daily(31);
  const before = service.queries.length;
  expect(await fetch(whole, minutes(31.5))).toMatchObject({ missing: 0, denied: 0 });
  expect(service.queries.length - before).toBeLessThan(8);
});

function at(days: number): number {
  return START_MS + days * DAY_MS;
}

it("a silence of weeks that begins at the end of a range loses no row once the next range has been fetched", async () => {
  const job = spec({ stationIds: IDS.slice(1) });
  const month = (from: number, to: number, days: number): Promise<Fetched> =>
    fetch({ ...job, range: { startMs: at(from), endMs: at(to) } }, minutesAfterEnd(at(days) - RANGE.endMs));
  service.twist = (rows) => rows.filter((row) => timeOf(row) < at(8));
  for (const days of [13, 14, 26, 27]) await month(0, 12, days);
  service.twist = (rows) => rows;
  await month(12, 30, 31);
  expect(await month(0, 12, 31.5)).toMatchObject({ missing: 0, denied: 0 });
});

it("a variable that is computed once a day, three days later than the others, loses no value for ever", async () => {
  const job = spec({ stationIds: IDS.slice(1), variables: ["ztd", "pwv"] });
  let nowMs = 0;
  const computedMs = (): number => nowMs - (nowMs % DAY_MS) - 3 * DAY_MS;
  service.twist = (rows) => rows.map((row) => (timeOf(row) < computedMs() ? row : { ...row, pwv: null }));
  const startMs = START_MS - (START_MS % DAY_MS);
  let values = 0;
  // The first download reaches back to values that are there.
  for (let days = 5; days <= 12; days += 0.5) {
    nowMs = startMs + days * DAY_MS;
    const range = { startMs: days === 5 ? startMs : nowMs - 4 * DAY_MS, endMs: nowMs };
    const read = (cache: Cache): number =>
      momentsOf(cache.valueTimes({ ...job, stationId: IDS[1]!, variables: ["pwv"], range: { startMs, endMs: nowMs } }))
        .length;
    values = await run({ ...job, range }, minutesAfterEnd(nowMs - RANGE.endMs), read);
  }
  expect(values).toBeGreaterThan((computedMs() - startMs) / STEP_MS - 10);
});

it("a service without means, whose observations contradict them, loses no row of another variable for ever", async () => {
  const range = { startMs: START_MS - 10 * MINUTE_MS, endMs: START_MS - 10 * MINUTE_MS + 2 * DAY_MS };
  const job = spec({ stationIds: IDS, variables: ["ztd", "pwv"], range });
  const pwv = (cache: Cache): number =>
    momentsOf(cache.valueTimes({ ...job, stationId: IDS[1]!, variables: ["pwv"] })).length;
  service.twist = (rows, { intervalSeconds }, nth) =>
    intervalSeconds === null ? (nth === 1 ? rows.slice(0, 5_000) : rows) : [];
  await run(job, 0, pwv);
  await run(job, 6, pwv);
  // PWV has a value every five minutes: fewer than ten epochs show no gap.
  expect(await run(job, 12, pwv)).toBeGreaterThan((range.endMs - range.startMs) / STEP_MS - 10);
});

it.each([
  ["end", (query: WireQuery) => (row: WireRow) => timeOf(row) < query.endMs - 10 * MINUTE_MS],
  ["begin", (query: WireQuery) => (row: WireRow) => timeOf(row) >= query.startMs + 10 * MINUTE_MS],
])("a service that always leaves out the %s of a range loses no row for ever", async (_, keeps) => {
  service.twist = (rows, query) => rows.filter(keeps(query));
  const job = spec({ stationIds: IDS.slice(1) });
  await fetch(job, 0);
  expect(await fetch(job, 6)).toMatchObject({ missing: 0, denied: 0 });
});

it("a service that always sends half of the rows denies nothing", async () => {
  const startMs = START_MS - 10 * MINUTE_MS;
  const job = spec({ range: { startMs, endMs: startMs + 2 * DAY_MS } });
  const ids = IDS.slice(1);
  service.twist = (rows) => rows.slice(0, rows.length / 2);
  for (const minutes of [0, 6]) expect(await fetch({ ...job, stationIds: ids }, minutes)).toMatchObject({ denied: 0 });
});

it("a proxy’s copy of an earlier response confirms nothing", async () => {
  service.twist = (rows) => {
    const data = rows.filter((row) => timeOf(row) < RANGE.endMs - 4 * HOUR_MS);
    return { headers: { Age: "600" }, body: JSON.stringify({ data, count: data.length }) };
  };
  const job = spec({ stationIds: IDS.slice(1) });
  for (const minutes of [0, 6, 12]) expect(await fetch(job, minutes)).toMatchObject({ denied: 0 });
});

it("values that arrive while they are asked for teach no limit", async () => {
  const job = spec({ stationIds: IDS.slice(1) });
  service.twist = (rows, _, nth) => rows.filter((row) => timeOf(row) < RANGE.endMs - HOUR_MS + 2 * nth * MINUTE_MS);
  for (let k = 1; k < 6; k++) await fetch(job, minutesAfterEnd(15 * k * MINUTE_MS));
  service.twist = (rows) => rows;
  const old = spec({ ...job, range: { startMs: START_MS - 10 * DAY_MS, endMs: START_MS - DAY_MS } });
  expect((await queriesOf(old, minutesAfterEnd(2 * HOUR_MS))).length).toBeLessThan(3);
});

it("thinned responses teach no limit, and leave nothing unconfirmed that arrived", async () => {
  const startMs = START_MS - (START_MS % DAY_MS);
  const job = spec({ variables: ["ztd", "ztd_sigma", "pwv"], range: { startMs, endMs: startMs + 2 * DAY_MS } });
  service.twist = (rows, _, nth) => (nth < 3 ? rows.filter((_row, i) => i % 3 === 0) : rows);
  for (const minutes of [0, 10, 20]) await run(job, minutes, () => null);
  expect(await run(job, 30, (cache) => IDS.flatMap((id) => openIn(cache, id, job)))).toEqual([]);
  const before = { ...job, range: { startMs: startMs - 9 * DAY_MS, endMs: startMs } };
  expect((await queriesOf(before, 30)).length).toBeLessThan(4);
});

it.each([
  ["every second epoch", (row: WireRow) => (timeOf(row) / STEP_MS) % 2 === 0],
  ["one epoch of ten minutes", (row: WireRow) => timeOf(row) % (10 * MINUTE_MS) === 0],
])("a service that sends %s of requests over more than six hours loses no row", async (_, keeps) => {
  const range = { startMs: START_MS, endMs: START_MS + 7 * DAY_MS };
  const job = spec({ range });
  service.twist = (rows, query, nth) => {
    const isLong = query.intervalSeconds === null && query.endMs - query.startMs > 6 * HOUR_MS;
    return (honest(rows, query, nth) as WireRow[]).filter((row) => !isLong || keeps(row));
  };
  await fetch(job, 0);
  expect(await fetch(job, 6)).toMatchObject({ missing: 0, denied: 0 });
  // In pieces of six hours, it would be 28.
  expect(service.queries.length).toBeLessThan(200);
});

it("a service that leaves out other rows in each response is not asked for ever shorter times", async () => {
  const job = spec({ range: { startMs: START_MS, endMs: START_MS + DAY_MS } });
  service.twist = (rows, query, nth) =>
    (honest(rows, query, nth) as WireRow[]).filter((_, i) => (i * 7 + nth * 3) % 5 > 0);
  expect(await fetch(job, 0)).toMatchObject({ denied: 0 });
  expect(service.queries.length).toBeLessThan(60);
});

it("satellites without C/N0 at the begin of each hour are no hours without C/N0", async () => {
  const startMs = START_MS - 10 * MINUTE_MS;
  const range = { startMs, endMs: startMs + DAY_MS };
  const job = spec({ variables: ["snr", "el"], stationIds: IDS.slice(1), range });
  // The satellites of an interval are those of its first observation.
  service.twist = (rows, { intervalSeconds }, nth) =>
    rows.map((row) => (nth === 1 || intervalSeconds !== null ? { ...row, snr: null } : row));
  for (const minutes of [0, 6, 1_446, 1_452]) await run(job, minutes, () => null);
  const query = { ...job, stationId: IDS[1]!, variables: ["snr"] as const };
  expect(await run(job, 1_458, (cache) => cache.valueTimes(query).total)).toBe(2_880);
});

it("means that show a value reopen the absence of its observations", async () => {
  const cutMs = RANGE.endMs - 4 * HOUR_MS;
  service.twist = (rows, query, nth) =>
    (honest(rows, query, nth) as WireRow[]).filter((row) => row["station_id"] !== IDS[0] || timeOf(row) < cutMs);
  await fetch(spec(), 0);
  const before = await fetch(spec(), 6);
  expect(before.denied).toBeGreaterThan(0);
  service.twist = honest;
  const range = { startMs: START_MS - 10 * MINUTE_MS, endMs: RANGE.endMs + 20 * MINUTE_MS };
  await run(spec({ intervalSeconds: 900, range }), 12, () => null);
  expect(await fetch(spec(), 12)).toMatchObject({ missing: 0, denied: 0 });
});

it("a service that shortens every response is asked for what fits into one", async () => {
  const job = spec({ range: { startMs: START_MS, endMs: START_MS + 3 * DAY_MS } });
  const rows = (2 * job.range.endMs - 2 * job.range.startMs) / STEP_MS;
  service.twist = (sent, query, nth) => (honest(sent, query, nth) as WireRow[]).slice(0, 500);
  const first = await fetch(job, 0);
  expect(first.missing).toBe(0);
  expect(first.requests).toBeLessThan((2 * rows) / 500);
});

it("a service that leaves out every second epoch teaches no longer cadence by the only epoch of another request", async () => {
  const job = spec({ stationIds: IDS.slice(1) });
  const after = (startMs: number, endMs: number): JobSpec => ({
    ...job,
    range: { startMs: RANGE.endMs + startMs, endMs: RANGE.endMs + endMs },
  });
  service.twist = (rows) => rows.filter((row) => timeOf(row) % (2 * STEP_MS) === 0);
  expect(await fetch(job, 0)).toMatchObject({ denied: 0 });
  expect(await fetch(after(MINUTE_MS, MINUTE_MS + STEP_MS), 0)).toMatchObject({ missing: 0 });
  expect(await fetch(after(2 * MINUTE_MS, 6 * HOUR_MS), 0)).toMatchObject({ denied: 0 });
});

/** The minutes from now to a time after the end of the range. */
function minutesAfterEnd(ms: number): number {
  return (RANGE.endMs + ms - Date.now()) / MINUTE_MS;
}

describe("an honest service", () => {
  it("is asked once more about what it has not got, and then never again", async () => {
    service.twist = honest;
    const first = await fetch(spec(), 0);
    expect(first).toMatchObject({ missing: 0, denied: 0 });
    expect(first.requests).toBeLessThanOrEqual(3);
    expect((await fetch(spec(), 1)).requests).toBe(0);
    const second = await fetch(spec(), 6);
    expect(second.requests).toBeLessThanOrEqual(SILENT.length);
    expect((await fetch(spec(), 12)).requests).toBe(0);
  });

  it.each([
    ["another station, a day later", withoutNewest(IDS[0]!), Infinity, 1_440],
    ["another time", STATIONS.slice(0, 1), RANGE.endMs + DAY_MS, 6],
  ])("proves by the rows of %s, that a silent station has nothing", async (_, stations, fromMs, minutes) => {
    service.stations = stations;
    if (fromMs < Infinity) service.stationFields = { data_last_updated: new Date(fromMs + DAY_MS).toISOString() };
    service.twist = (rows) => rows.filter((row) => row["station_id"] !== IDS[0] || timeOf(row) >= fromMs);
    const job = spec({ stationIds: IDS.slice(0, 1) });
    await fetch(job, 0);
    const second = await fetch(job, minutes);
    expect(second.requests).toBeLessThanOrEqual(3);
    expect(await run(job, minutes, (cache) => openIn(cache, IDS[0]!, job))).toEqual([]);
    expect((await fetch(job, minutes + 6)).requests).toBe(0);
  });

  it("proves by raw data that all observations of a station are rejected", async () => {
    service.twist = (rows, { raw }) => rows.filter((row) => row["station_id"] !== IDS[0] || raw);
    const job = spec({ stationIds: IDS.slice(0, 1) });
    await fetch(job, 0);
    expect((await fetch(job, 1_440)).requests).toBeLessThanOrEqual(3);
    expect(await run(job, 1_440, (cache) => openIn(cache, IDS[0]!, job))).toEqual([]);
    expect((await fetch(job, 1_446)).requests).toBe(0);
  });

  it("has confirmed every absence with its second answer, also where many short ones are one open range", async () => {
    service.twist = (rows) => rows.filter((row) => timeOf(row) < START_MS + HOUR_MS || timeOf(row) % 240_000 > 0);
    await run(spec(), 0, () => null);
    const open = await run(spec(), 6, (cache) => IDS.flatMap((id) => cache.coverage(id, "ztd", spec()).provisional));
    expect(open).toEqual([]);
  });

  it("is asked again about the last two days only while they are that young", async () => {
    service.twist = honest;
    const minutes = minutesAfterEnd(HOUR_MS);
    await fetch(spec(), minutes);
    expect((await fetch(spec(), minutes + 10)).requests).toBeGreaterThan(0);
    expect((await fetch(spec(), minutes + 20)).requests).toBeGreaterThan(0);
    const old = minutesAfterEnd(2 * DAY_MS + HOUR_MS);
    expect((await fetch(spec(), old)).requests).toBeGreaterThan(0);
    await fetch(spec(), old + 10);
    expect((await fetch(spec(), old + 20)).requests).toBe(0);
  });

  it.each([
    { data_last_updated: undefined, historic_data_from: undefined },
    { data_last_updated: "?", historic_data_from: "?" },
  ])("with a catalogue whose times are unknown is asked for everything: %o", async (fields) => {
    service.stationFields = fields;
    service.twist = honest;
    expect(await fetch(spec(), 0)).toMatchObject({ missing: 0, denied: 0 });
  });

  it("that states that its stations never sent anything is not asked", async () => {
    service.stationFields = { data_last_updated: null, historic_data_from: null };
    expect((await fetch(spec(), 0)).requests).toBe(0);
  });

  it.each([
    ["hours", START_MS, RANGE.endMs],
    ["whole hours", START_MS - (START_MS % HOUR_MS), START_MS - (START_MS % HOUR_MS) + 20 * HOUR_MS],
    ["whole days", START_MS - (START_MS % DAY_MS) - 40 * DAY_MS, START_MS - (START_MS % DAY_MS)],
  ])("is asked again about confirmed absences on demand: %s", async (_, startMs, endMs) => {
    const job = spec({ range: { startMs, endMs } });
    const lateMs = endMs - (endMs - startMs > DAY_MS ? 35 * DAY_MS : 4 * HOUR_MS);
    service.twist = (rows, query, nth) =>
      (honest(rows, query, nth) as WireRow[]).filter((r) => r["station_id"] !== IDS[0] || timeOf(r) < lateMs);
    await fetch(job, 0);
    await fetch(job, 6);
    // Its means may still lack what they lacked.
    service.twist = (rows, query, nth) =>
      (honest(rows, query, nth) as WireRow[]).filter(
        (r) => r["station_id"] !== IDS[0] || query.intervalSeconds === null || timeOf(r) < lateMs,
      );
    const late = await fetch(job, 12);
    expect([late.requests, late.missing > 0]).toEqual([0, true]);
    const cache = openCache(join(folder, "cache.db"));
    const session = createSession({ client: createClient({ baseUrl: service.url, apiKey: () => "key" }), cache });
    const known = (): number => jobs.estimate({ session, cache } as OpenConnection, job, true).pointsKnown;
    const jobs = new Jobs(undefined as never);
    const before = known();
    reopenAbsences(session, job, findTargets(session, IDS));
    // What is asked about again is no longer known to be missing: the end of the first station, and its outages.
    expect(before - known()).toBeGreaterThan((endMs - lateMs) / STEP_MS - 20);
    await session.client.close();
    cache.close();
    expect(await fetch(job, 18)).toMatchObject({ missing: 0 });
    // A response that brought a part of an absence has not confirmed the rest.
    await fetch(job, 24);
    expect((await fetch(job, 30)).requests).toBe(0);
  });

  it.each(
    gateShare([
      ["20 days", START_MS - 20 * DAY_MS, 4],
      ["200 days", START_MS - 200 * DAY_MS, 4],
      ["whole days", START_MS - (START_MS % DAY_MS) - 50 * DAY_MS, 2],
    ] as const),
  )("is asked once more about a station that sent nothing for %s, and then never again", async (_, startMs, most) => {
    const job = spec({ range: { startMs, endMs: most === 2 ? startMs + 50 * DAY_MS : START_MS } });
    service.stations = withoutNewest(IDS[0]!);
    service.twist = (rows) => rows.filter((row) => row["station_id"] !== IDS[0]);
    await queriesOf(job, 0);
    // An outage of the station looks the same for hours.
    const second = await queriesOf(job, 1_440);
    expect(second.length).toBeLessThanOrEqual(most);
    // Hours or days, and observations only for an hour, and for the ends that are not whole ones.
    expect(pointsOf(second)).toBeLessThan(0.025 * ((job.range.endMs - startMs) / STEP_MS));
    expect(await queriesOf(job, 1_446)).toEqual([]);
  });

  it("is not asked for the observations of days without any", async () => {
    const range = { startMs: Date.UTC(2026, 2, 1), endMs: Date.UTC(2026, 5, 1) };
    const [firstMs, endMs] = [Date.UTC(2026, 3, 10), Date.UTC(2026, 3, 12)];
    service.twist = (rows) => rows.filter((row) => timeOf(row) >= firstMs && timeOf(row) < endMs);
    await run(spec({ range, stationIds: IDS.slice(1) }), 0, () => null);
    expect(pointsOf(service.queries)).toBeLessThan(20_000);
  });
});
