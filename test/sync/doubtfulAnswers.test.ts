import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAllGaps } from "#main/app/reading/gaps.ts";
import { createPace } from "#main/app/pace.ts";
import { createClient } from "#main/client/index.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import { systemClock } from "#main/sync/clock.ts";
import { type JobOutcome, runJob } from "#main/sync/job.ts";
import { seriesVerdicts } from "#main/sync/verdicts.ts";
import { createSession, type Session } from "#main/sync/session.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { includes, intersect } from "#shared/time/rangeset.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import {
  asItIs,
  FOREIGN_ID,
  type OddService,
  RANGE,
  startOddService,
  STATIONS,
  STEP_MS,
  type Twist,
  valueOf,
  type WireRow,
  withoutNewest,
} from "../support/oddService.ts";
import { gateCases, gateShare, tries } from "../support/endurance.ts";
import { itNightly } from "../support/needs.ts";

/**
 * Responses with rows that cannot be assigned, or without rows: no row may be lost, and no gap recorded without proof.
 */

const never = new AbortController().signal;
const IDS = STATIONS.map((s) => s.id);

let service: OddService;
let folder: string;
let opened: (() => Promise<void>)[];
beforeEach(async () => {
  service = await startOddService();
  folder = mkdtempSync(join(tmpdir(), "zenith-odd-"));
  opened = [];
});
afterEach(async () => {
  for (const close of opened) await close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A session of a new process, with a clock that is ahead of the service's. */
function open(name = "cache.db", aheadMs = 0): { cache: Cache; session: Session } {
  const offsetMs = service.offsetMs + aheadMs;
  const client = createClient({ baseUrl: service.url, apiKey: () => "key" });
  const cache = openCache(join(folder, name));
  const clock = { ...systemClock, wallMs: () => Date.now() + offsetMs };
  opened.push(async () => {
    await client.close();
    cache.close();
  });
  return { cache, session: createSession({ client, cache, clock, random: () => 0 }) };
}

function spec(change: Partial<JobSpec> = {}): JobSpec {
  return {
    stationIds: IDS.slice(0, 2),
    variables: ["ztd"],
    range: RANGE,
    intervalSeconds: null,
    raw: false,
    ...change,
  };
}

interface Ran {
  readonly cache: Cache;
  readonly outcome: JobOutcome;
  readonly states: ReadonlySet<string>;
  readonly reasons: ReadonlySet<string>;
  /** Number of requests in this run. */
  readonly requests: number;
}

async function run(job: JobSpec, name?: string, aheadMs = 0): Promise<Ran> {
  const before = service.queries.length;
  const { cache, session } = open(name, aheadMs);
  const outcome = await runJob(session, job, { signal: never });
  const verdicts = [...seriesVerdicts(session, job, outcome)].flat();
  const states = new Set<string>(verdicts.map((v) => v.state));
  const reasons = new Set(verdicts.flatMap((v) => v.reason ?? []));
  return { cache, outcome, states, reasons, requests: service.queries.length - before };
}

/** Compares all values in the cache with the measured ones; returns the times of rows with a value. */
function timesOf(cache: Cache, job: JobSpec, stationId: string): Set<number> {
  const times = new Set<number>();
  for (const variable of job.variables) {
    const { timesMs, columns } = cache.rows({ ...job, stationId, variables: [variable] });
    const column = columns[variable];
    if (column?.kind !== "scalar") continue;
    column.values.forEach((value, i) => {
      if (Number.isNaN(value)) return;
      if (value !== valueOf(stationId, variable, timesMs[i]!)) throw new Error(`a wrong value at ${timesMs[i]}`);
      times.add(timesMs[i]!);
    });
  }
  return times;
}

function allTimes({ range, intervalSeconds }: JobSpec): number[] {
  const step = intervalSeconds === null ? STEP_MS : intervalSeconds * 1_000;
  return Array.from({ length: (range.endMs - range.startMs) / step }, (_, k) => range.startMs + k * step);
}

function expectWhole(ran: Ran, job: JobSpec): void {
  expect(ran.outcome).toMatchObject({ state: "finished", failures: [] });
  expect(ran.states).toEqual(new Set(["ok"]));
  for (const id of job.stationIds) expect([...timesOf(ran.cache, job, id)]).toEqual(allTimes(job));
}

const each =
  (change: (row: WireRow, k: number) => WireRow): Twist =>
  (rows) =>
    rows.map(change);
const body =
  (text: string, status = 200): Twist =>
  () => ({ body: text, status });
const beside = (rows: WireRow[], fields: object) => ({
  body: JSON.stringify({ data: rows, count: rows.length, ...fields }),
});
const shifted = (row: WireRow, ms: number): WireRow => ({
  ...row,
  timestamp: new Date(Date.parse(row["timestamp"] as string) + ms).toISOString(),
});
const isFifthMinute = (row: WireRow): boolean => Date.parse(row["timestamp"] as string) % 300_000 === 0;
const isOnTheHour = (row: WireRow): boolean => Date.parse(row["timestamp"] as string) % HOUR_MS === 0;
const isInGap = (row: WireRow): boolean => {
  const timeMs = Date.parse(row["timestamp"] as string) - RANGE.startMs;
  return timeMs >= HOUR_MS && timeMs < 2.5 * HOUR_MS;
};
const isFifteenth = (row: WireRow): boolean => (Date.parse(row["timestamp"] as string) / STEP_MS) % 15 === 7;
const hourOf = (row: WireRow): number => Math.floor(Date.parse(row["timestamp"] as string) / HOUR_MS) * HOUR_MS;
const nameless = (row: WireRow): WireRow => ({ ...row, station_id: undefined, display_name: undefined });
const mountOf = (row: WireRow): string => STATIONS.find((s) => s.id === row["station_id"])!.mountpoint;

describe("rows that name their station in another way", () => {
  // Spellings of ids are those of test/shared/stationId.test.ts.
  it.each<[string, (row: WireRow) => WireRow]>([
    [
      "braces, spaces and capitals",
      (row) => ({ ...row, station_id: ` {${String(row["station_id"]).toUpperCase()}} ` }),
    ],
    ["receiver_id", (row) => ({ ...row, station_id: undefined, receiver_id: row["station_id"] })],
    ["mountpoint", (row) => ({ ...row, station_id: undefined, mountpoint: mountOf(row) })],
    ["mountpoint as receiver_id", (row) => ({ ...row, station_id: null, receiver_id: mountOf(row).toLowerCase() })],
    ["the unique name alone", (row) => ({ ...row, station_id: undefined })],
  ])("are assigned to it, and final: %s", async (what, change) => {
    service.twist = each(change);
    // Names may change: they tell several stations not apart.
    const job = what === "the unique name alone" ? spec({ stationIds: [IDS[0]!] }) : spec();
    expectWhole(await run(job), job);
    expect((await run(job)).requests).toBe(0);
  });
});

/** Responses without readable data: they fail. */
const UNREADABLE: readonly [string, Twist][] = [
  ["unreadable times", each((row) => ({ ...row, timestamp: "soon" }))],
  ["times as numbers", each((row) => ({ ...row, timestamp: Date.parse(row["timestamp"] as string) }))],
  ["times of another day", each((row) => shifted(row, DAY_MS))],
  ["local times", each((row) => shifted(row, 2 * HOUR_MS))],
  ["white space", body(" \n")],
  ["an empty object", body("{}")],
  ["data of another kind", body('{"data":{},"count":0}')],
];

/** Responses that lack rows and have something that may be those: they never confirm that something is missing. */
const LOSSY: readonly [string, Twist][] = [
  ["no id and no name", each(nameless)],
  ["a foreign station", each((row) => ({ ...row, station_id: FOREIGN_ID }))],
  ["a foreign name", each((row) => ({ ...row, station_id: undefined, display_name: "Station 9" }))],
  ["invalid values", each((row) => ({ ...row, ztd: "abc" }))],
  ["a count above the number of rows", (rows) => ({ body: JSON.stringify({ data: [], count: rows.length }) })],
  ["an error without rows", body('{"data":[],"count":0,"error":{"message":"shard 3 is gone"}}')],
];

/** Ways to say that there is no data: they confirm an absence once a later response agrees. */
const NOTHING: readonly [string, Twist][] = [
  ["an empty list", body('{"data":[],"count":0}')],
  ["null", body('{"data":null}')],
  ["204", body("", 204)],
  ["404 with a message", body('{"error":"No data for this range"}', 404)],
];

/** After this, an absence may be confirmed. */
const PROVISIONAL_AGE_MS = 5 * MINUTE_MS;
const later = (): void => void (service.offsetMs += PROVISIONAL_AGE_MS + 60_000);

/** A service that answers properly again loses nothing of what was not confirmed. */
async function expectWholeAtLast(job: JobSpec, name?: string): Promise<void> {
  service.twist = asItIs;
  expectWhole(await run(job, name), job);
  expect((await run(job, name)).requests).toBe(0);
}

describe("responses", () => {
  it.each(gateShare(UNREADABLE))("fail with a reason, and are requested by the next job: %s", async (what, twist) => {
    service.twist = twist;
    const job = spec();
    const first = await run(job);
    expect(first.outcome.state).toBe("finished");
    expect(first.states).toEqual(new Set(["failed"]));
    for (const reason of first.reasons) expect(reason).toMatch(/cannot be used|are shifted/);
    expect(first.requests).toBeLessThan(200);
    for (const id of job.stationIds)
      expect(first.cache.coverage(id, "ztd", job)).toEqual({ final: [], provisional: [] });
    await expectWholeAtLast(job);
    // Their times cannot be read: they count as rows of no epoch.
    if (what === "times as numbers") return;
    service.twist = (rows, query, nth) => (nth === 1 ? twist(rows, query, nth) : rows);
    service.queries.length = 0;
    const again = await run(job, "once.db");
    expectWhole(again, job);
    expect(again.requests).toBeLessThan(8);
  });

  it.each(gateShare(LOSSY))("never confirm that something is missing: %s", async (_, twist) => {
    service.twist = twist;
    const job = spec();
    for (let k = 0; k < 3; k++, later()) {
      const ran = await run(job);
      expect([...ran.states]).toEqual(["stale"]);
      expect(ran.requests).toBeLessThan(5);
      for (const id of job.stationIds) expect(ran.cache.coverage(id, "ztd", job).final).toEqual([]);
    }
    await expectWholeAtLast(job);
  });

  it.each(gateShare(NOTHING))("never confirm that nothing is there: %s", async (_, twist) => {
    service.twist = twist;
    const job = spec();
    // A service may answer like this while it is being maintained, at the same hour of each night.
    for (let night = 0; night < 3; night++, service.offsetMs += DAY_MS) {
      expect((await run(job)).states).toEqual(new Set(["stale"]));
      later();
      expect(await run(job)).toMatchObject({ states: new Set(["stale"]), requests: 1 });
    }
    await expectWholeAtLast(job);
  });

  it("with the ids of two stations exchanged are not stored under either", async () => {
    const job = spec({ stationIds: IDS });
    const other = new Map([IDS, IDS.toReversed()].map(([a, b]) => [a, b]));
    service.twist = each((row) => ({ ...row, station_id: other.get(row["station_id"] as string) }));
    const ran = await run(job);
    for (const id of IDS) expect(timesOf(ran.cache, job, id).size).toBe(0);
    later();
    await run(job);
    await expectWholeAtLast(job);
  });

  it("without a value of a satellite variable do not have it", async () => {
    service.twist = each((row) => ({ ...row, snr: null }));
    expect((await run(spec({ variables: ["snr", "el", "az"] }))).states).toEqual(new Set(["ok", "stale"]));
  });

  it("with rows without a value, or rows that are no means, do not show that anything is missing", async () => {
    const job = spec();
    const withoutSome = each((row) => (isFifteenth(row) ? { ...row, ztd: null } : row));
    service.twist = (rows, query, nth) => (nth === 1 ? withoutSome(rows, query, nth) : rows);
    expectWhole(await run(job, "nulls.db"), job);
    const before = service.queries.length;
    const hourMs = RANGE.startMs + HOUR_MS;
    service.twist = (rows, { intervalSeconds, startMs, endMs, stationIds }, nth) => {
      if (nth === before + 1) return rows.filter((row) => hourOf(row) !== hourMs);
      if (intervalSeconds === null) return rows;
      // The service ignores the interval, and has no observation at the full hour.
      const times = Array.from({ length: (endMs - startMs) / STEP_MS }, (__, k) => startMs + k * STEP_MS);
      return times
        .filter((timeMs) => timeMs % HOUR_MS !== 0)
        .map((timeMs) => ({ timestamp: new Date(timeMs).toISOString(), station_id: stationIds[0], ztd: 1 }));
    };
    for (let k = 0; k < 3; k++, later()) {
      const { cache } = await run(job, "means.db");
      for (const id of job.stationIds) {
        const found = timesOf(cache, job, id);
        for (const range of cache.coverage(id, "ztd", job).final)
          for (const timeMs of allTimes({ ...job, range })) expect(found.has(timeMs)).toBe(true);
      }
    }
    await expectWholeAtLast(job, "means.db");
  });

  itNightly("without rows do not keep a job going of which nothing can be had", async () => {
    service.twist = (rows) => {
      const sent = rows.filter((row) => Math.floor(Date.parse(row["timestamp"] as string) / HOUR_MS) % 2 === 0);
      return sent.length === 0 ? sent : { body: '{"data":[{"timestamp":' };
    };
    const job = spec();
    const { requests, states } = await run(job);
    expect(states).toContain("failed");
    expect(requests).toBeLessThan(300);
    later();
    await expectWholeAtLast(job);
  });

  it("of one station leave the others complete and final", async () => {
    for (const [k, change] of [
      (row: WireRow) => ({ ...row, station_id: FOREIGN_ID }),
      (row: WireRow) => shifted(row, DAY_MS),
      nameless,
    ].entries()) {
      service.twist = each((row) => (row["station_id"] === IDS[1] ? change(row) : row));
      const job = spec({ stationIds: IDS });
      const ran = await run(job, `cache-${k}.db`);
      for (const id of [IDS[0]!, IDS[2]!]) {
        expect([...timesOf(ran.cache, job, id)]).toEqual(allTimes(job));
        expect(ran.cache.coverage(id, "ztd", job).final).toEqual([RANGE]);
      }
      expect(ran.cache.coverage(IDS[1]!, "ztd", job).final).toEqual([]);
      expect(timesOf(ran.cache, job, IDS[1]!).size).toBe(0);
    }
  });

  it("are means off the grid of their interval, and rows of another mode", async () => {
    const job = spec({ intervalSeconds: 3_600 });
    service.twist = each((row) => shifted(row, 60_000));
    expect((await run(job)).states).toEqual(new Set(["stale"]));
    // The service ignores the interval.
    service.twist = (_, query) =>
      Array.from({ length: (query.endMs - query.startMs) / STEP_MS }, (__, k) => ({
        timestamp: new Date(query.startMs + k * STEP_MS).toISOString(),
        station_id: query.stationIds[0],
        ztd: 1,
      }));
    const ran = await run({ ...job, stationIds: [IDS[0]!] }, "other.db");
    expect(ran.states).toEqual(new Set(["stale"]));
    expect(timesOf(ran.cache, job, IDS[0]!).size).toBe(0);
  });

  it("keep valid rows in any mix with invalid ones, and final data is complete", async () => {
    const kinds = fc.constantFrom<((row: WireRow) => WireRow)[]>(
      (row) => ({ ...row, station_id: FOREIGN_ID }),
      nameless,
      (row) => shifted(row, DAY_MS),
      (row) => shifted(row, -DAY_MS),
      (row) => ({ ...row, timestamp: "soon" }),
      (row) => ({ ...row, station_id: `{${String(row["station_id"]).toUpperCase()}}` }),
    );
    const mix = fc.record({
      // By the row's time and station, so that every response omits the same rows; or by its position in the response.
      isSteady: fc.boolean(),
      every: fc.integer({ min: 1, max: 400 }),
      first: fc.nat(400),
      kinds: fc.array(kinds, { minLength: 1, maxLength: 3 }),
      station: fc.constantFrom(0, 1, null),
      intervalSeconds: fc.constantFrom(null, null, 600),
    });
    let files = 0;
    await fc.assert(
      fc.asyncProperty(mix, async ({ isSteady, every, first, kinds: changes, station, intervalSeconds }) => {
        service.twist = each((row, place) => {
          if (station !== null && row["station_id"] !== IDS[station]) return row;
          const k = isSteady ? Date.parse(row["timestamp"] as string) / STEP_MS : place;
          return (k + first) % every === 0 ? changes[k % changes.length]!(row) : row;
        });
        const job = spec({ intervalSeconds, range: { ...RANGE, endMs: RANGE.startMs + 6 * HOUR_MS } });
        const { cache, requests, outcome } = await run(job, `mix-${files++}.db`);
        expect(outcome.state).toBe("finished");
        expect(requests).toBeLessThan(300);
        for (const id of job.stationIds) {
          const found = timesOf(cache, job, id);
          const { final } = cache.coverage(id, "ztd", job);
          // A question about an absence at the edge extends beyond the range of the job.
          for (const range of intersect(final, [job.range]))
            for (const timeMs of allTimes({ ...job, range })) expect(found.has(timeMs)).toBe(true);
        }
      }),
      { numRuns: tries(gateCases(12), 60) },
    );
  });
});

describe("surplus rows", () => {
  it.each<[string, Twist]>([
    [
      "the end of the range is included",
      (rows, query) => [...rows, { ...shifted(rows.at(-1)!, STEP_MS), timestamp: new Date(query.endMs).toISOString() }],
    ],
    [
      "rows of another station are added",
      (rows) => [...rows, ...rows.map((row) => ({ ...row, station_id: FOREIGN_ID }))],
    ],
    ["every row is repeated", (rows) => rows.flatMap((row) => [row, row])],
    ["an empty copy follows every row", (rows) => rows.flatMap((row) => [row, { ...row, ztd: null }])],
    [
      "copies without the value follow at the end",
      (rows) => [...rows, ...rows.map((row) => ({ ...row, ztd: undefined }))],
    ],
  ])("do not make a response doubtful: %s", async (_, twist) => {
    service.twist = twist;
    const job = spec();
    const ran = await run(job);
    expectWhole(ran, job);
    expect(ran.requests).toBe(1);
    expect(ran.outcome.progress.irregularities.conflict).toBeUndefined();
  });

  it("with other values are counted, and the last one is kept", async () => {
    service.twist = (rows) => [...rows.map((row) => ({ ...row, ztd: 1 })), ...rows];
    const job = spec();
    const ran = await run(job);
    expectWhole(ran, job);
    expect(ran.outcome.progress.irregularities.conflict).toBe(2 * allTimes(job).length);
  });
});

describe("times that are coarser than the observations", () => {
  it.each([
    ["minutes", 60_000],
    ["a date", DAY_MS],
  ])("fail the download, and no value is stored under the wrong one: %s", async (_, unitMs) => {
    service.twist = (rows) =>
      rows.map((row, k) => {
        const timeMs = Math.floor(Date.parse(String(row.timestamp)) / unitMs) * unitMs;
        return { ...row, ztd: 2_400 + k, timestamp: new Date(timeMs).toISOString() };
      });
    const ran = await run(spec());
    expect(ran.states).toEqual(new Set(["failed"]));
    expect(ran.outcome.progress.rows).toBe(0);
  });

  it("are not assumed for contradicting copies of rows beside a long gap", async () => {
    service.twist = (rows) => rows.filter((row) => !isInGap(row)).flatMap((row) => [{ ...row, ztd: 1 }, row]);
    const ran = await run(spec());
    expect(ran.outcome.failures).toEqual([]);
    for (const id of IDS.slice(0, 2)) expect(timesOf(ran.cache, spec(), id).size).toBe(2.5 * 120);
  });
});

describe("a missing value", () => {
  // Its forms are those of test/client/scanner.test.ts.
  it.each<[string, Twist]>([
    ["no field in most rows", each((row, k) => (k % 10 < 2 ? row : { ...row, pwv: undefined }))],
    [
      "a bare Infinity",
      (rows) => ({ body: JSON.stringify({ data: rows }).replaceAll(/"pwv":\d+5\d(?=[,}])/g, '"pwv":Infinity') }),
    ],
  ])("is final without an irregularity: %s", async (_, twist) => {
    service.twist = twist;
    const job = spec({ variables: ["ztd", "pwv"] });
    const ran = await run(job);
    expect(ran.states).toEqual(new Set(["ok"]));
    // The values of this service are no delays.
    const { implausible, ...others } = ran.outcome.progress.irregularities;
    expect(others).toEqual({});
    expect(implausible).toBeGreaterThan(0);
    expect((await run(job)).requests).toBe(0);
  });
});

it("responses without a Date header are final by the clock of this computer", async () => {
  service.hasDate = false;
  const job = spec();
  expectWhole(await run(job), job);
  expect((await run(job)).requests).toBe(0);
});

/** The rows from this hour of the range on. */
const from =
  (hour: number) =>
  (rows: WireRow[]): WireRow[] =>
    rows.filter((row) => Date.parse(String(row["timestamp"])) >= RANGE.startMs + hour * HOUR_MS);

it("fields beside complete rows change nothing", async () => {
  service.twist = (rows) =>
    beside(rows, {
      success: false,
      has_more: true,
      pagination: { page: 1, total_pages: 3 },
      partial: true,
      error: "deadline",
    });
  const job = spec();
  const ran = await run(job);
  expectWhole(ran, job);
  expect(ran.requests).toBe(1);
});

describe("means whose times contradict the specification", () => {
  const QUARTER_S = 900;

  it.each<[string, Twist, RegExp]>([
    ["at the end of the interval", each((row) => shifted(row, QUARTER_S * 1_000)), /are shifted/],
    [
      "of hours instead of quarters",
      (rows, { intervalSeconds }) => (intervalSeconds === null ? rows : rows.filter(isOnTheHour)),
      /means are those of longer intervals/,
    ],
  ])("are not stored: %s", async (_, twist, reason) => {
    const job = spec({ intervalSeconds: QUARTER_S });
    service.twist = twist;
    const ran = await run(job);
    expect([...ran.reasons].join()).toMatch(reason);
    for (const id of job.stationIds) {
      expect([...timesOf(ran.cache, job, id)]).toEqual([]);
      expect(ran.cache.coverage(id, "ztd", job).final).toEqual([]);
    }
    service.twist = asItIs;
    expectWhole(await run(job), job);
  });

  it("are stored if a station sends only PWV, which it has every five minutes", async () => {
    const job = spec({ intervalSeconds: 60, variables: ["ztd", "pwv"], stationIds: [IDS[0]!] });
    service.twist = (rows) => rows.filter(isFifthMinute).map((row) => ({ ...row, ztd: null }));
    const { cache } = await run(job);
    const times = timesOf(cache, { ...job, variables: ["pwv"] }, IDS[0]!);
    expect([...times]).toEqual(allTimes({ ...job, intervalSeconds: 300 }));
  });

  it.each([
    [900, (row: WireRow) => Date.parse(row["timestamp"] as string) % HOUR_MS < 30_000],
    [900, (row: WireRow) => Date.parse(row["timestamp"] as string) % (2 * HOUR_MS) < 900_000],
    [60, (row: WireRow) => Date.parse(row["timestamp"] as string) % 600_000 < 60_000],
  ])("are stored if the station observes at regular hours, in intervals of %i s", async (intervalSeconds, observes) => {
    const job = spec({ intervalSeconds, stationIds: [IDS[0]!] });
    service.twist = (rows) => rows.filter(observes);
    const { cache, reasons, outcome, requests } = await run(job);
    expect([...reasons].every((reason) => reason === null)).toBe(true);
    expect(outcome.progress.requestsSent).toBe(requests);
    const expected = allTimes(job).filter((timeMs) => observes({ timestamp: new Date(timeMs).toISOString() }));
    expect([...timesOf(cache, job, IDS[0]!)]).toEqual(expected);
  });

  it.each([null, 900])(
    "are stored if the service sends more than the range, and the station begins later: interval %s",
    async (intervalSeconds) => {
      const moreMs = (intervalSeconds ?? 300) * 1_000;
      const startMs = RANGE.startMs + moreMs;
      service.twist = (rows, { endMs }) => {
        const own = rows.filter((row) => Date.parse(row["timestamp"] as string) >= startMs);
        const behind = own.filter((row) => Date.parse(row["timestamp"] as string) >= endMs - moreMs);
        return [...own, ...behind.map((row) => shifted(row, moreMs))];
      };
      const job = spec({ intervalSeconds, stationIds: [IDS[0]!] });
      const { cache, reasons } = await run(job);
      expect([...reasons].every((reason) => reason === null)).toBe(true);
      expect([...timesOf(cache, job, IDS[0]!)]).toEqual(allTimes(job).filter((timeMs) => timeMs >= startMs));
    },
  );

  it("are stored if the station itself observes once an hour, or the service includes the end of the range", async () => {
    const hourly = spec({ intervalSeconds: QUARTER_S, stationIds: [IDS[0]!] });
    service.resolutionSeconds = 3_600;
    service.twist = (rows) => rows.filter(isOnTheHour);
    expect(timesOf((await run(hourly)).cache, hourly, IDS[0]!).size).toBe(4);
    service.resolutionSeconds = 30;
    const quarters = spec({ intervalSeconds: QUARTER_S });
    service.twist = (rows) => [...rows, ...rows.slice(-2).map((row) => shifted(row, QUARTER_S * 1_000))];
    expectWhole(await run(quarters, "other.db"), quarters);
  });
});

describe("a raw response that lacks rows of the filtered data", () => {
  it.each([null, 900])("proves nothing about the gaps of the filtered data (interval %s)", async (intervalSeconds) => {
    const job = spec({ stationIds: [IDS[0]!], intervalSeconds });
    service.twist = (rows) => [...rows.slice(0, 4), ...from(3)(rows)];
    await run(job);
    service.twist = from(5);
    for (let k = 0; k < 3; k++) {
      const raw = await run({ ...job, raw: true });
      const known = timesOf(raw.cache, job, IDS[0]!);
      const { final } = raw.cache.coverage(IDS[0]!, "ztd", { intervalSeconds, raw: true });
      for (const timeMs of known) expect(includes(final, timeMs)).toBe(false);
      service.offsetMs += PROVISIONAL_AGE_MS + 60_000;
    }
    service.twist = asItIs;
    expectWhole(await run({ ...job, raw: true }), { ...job, raw: true });
  });
});

describe("empty responses for a time with data in the catalogue", () => {
  it("are not final while only the clock of this computer says that enough time has passed", async () => {
    const job = spec();
    service.twist = () => [];
    await run(job);
    for (const aheadMs of [2 * PROVISIONAL_AGE_MS, 10 * PROVISIONAL_AGE_MS]) {
      const ran = await run(job, undefined, aheadMs);
      expect(ran.states).toEqual(new Set(["stale"]));
      expect(ran.cache.coverage(IDS[0]!, "ztd", job).final).toEqual([]);
    }
    service.twist = asItIs;
    service.offsetMs += PROVISIONAL_AGE_MS + 60_000;
    expectWhole(await run(job), job);
  });

  it("without one variable request only that variable again", async () => {
    const job = spec({ variables: ["ztd", "pwv"] });
    service.twist = each((row) => ({ ...row, pwv: undefined }));
    const first = await run(job);
    expect(first.states).toEqual(new Set(["ok", "stale"]));
    service.queries.length = 0;
    service.offsetMs = DAY_MS;
    const second = await run(job);
    // With one that exists: a response without any value would prove nothing.
    expect(service.queries.map((q) => [q.variables, q.intervalSeconds])).toEqual([[["ztd", "pwv"], 3_600]]);
    expect(second.states).toEqual(new Set(["ok", "empty"]));
    expect((await run(job)).requests).toBe(0);
  });

  it("without rows of one station request only that station again", async () => {
    service.stations = withoutNewest(IDS[1]!);
    service.twist = (rows) => rows.filter((row) => row["station_id"] !== IDS[1]);
    const job = spec({ stationIds: IDS });
    const first = await run(job);
    expect(first.states).toEqual(new Set(["ok", "stale"]));
    expect(first.cache.coverage(IDS[1]!, "ztd", job).final).toEqual([]);
    service.queries.length = 0;
    service.offsetMs = DAY_MS;
    expect((await run(job)).states).toEqual(new Set(["ok", "empty"]));
    // With one that has values: a response without any would prove nothing.
    expect(service.queries.map((q) => [q.stationIds, q.intervalSeconds])).toEqual([[[IDS[1], IDS[0]], 3_600]]);
    expect((await run(job)).requests).toBe(0);
  });

  it("to a filtered request are settled by a second response", async () => {
    service.stations = withoutNewest(IDS[0]!);
    service.twist = (rows) => rows.filter((row) => row["station_id"] !== IDS[0]);
    const job = spec({ stationIds: [IDS[0]!] });
    const gapsOf = async (cache: Cache) => {
      const mode = { intervalSeconds: null, raw: false, resampled: false };
      const [found] = await readAllGaps(
        { cache, users: { jobs: () => [], verdicts: () => null }, connectionId: "c", nowMs: RANGE.endMs },
        { stationIds: [IDS[0]!], variables: ["ztd"], range: RANGE, mode, minimumMs: 0 },
        createPace(never),
      );
      return found!.gaps;
    };
    await run(job);
    service.offsetMs = DAY_MS;
    await run(job);
    const once = await run({ ...job, raw: true });
    expect(await gapsOf(once.cache)).toEqual([
      {
        range: RANGE,
        cause: "nothingOrFiltered",
        reason: expect.stringMatching(/A second request, .* will confirm this/),
      },
    ]);
    service.offsetMs *= 3;
    const twice = await run({ ...job, raw: true });
    expect(await gapsOf(twice.cache)).toEqual([{ range: RANGE, cause: "nothingSent" }]);
  });
});
