import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { NearestAnswer, NearestQuery } from "#shared/service/query.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { nearest } from "#main/app/stations/request.ts";
import { openCache } from "#main/store/index.ts";
import { systemClock } from "#main/sync/clock.ts";
import { createSession } from "#main/sync/session.ts";
import { clientOf, httpServer, never } from "../client/servers.ts";

/** Responses that contradict their query or themselves: every requested station is shown or missing with a reason. */

const [A, B, FOREIGN] = ["aa", "bb", "cc"].map((end) => `3f2b8a3e-1f0a-4c55-9d1b-0000000000${end}`) as [
  string,
  string,
  string,
];
const MOMENT_MS = Date.UTC(2026, 0, 1, 12);
const QUERY: NearestQuery = {
  stationIds: [A, B],
  variables: ["ztd"],
  timeMs: MOMENT_MS,
  withinSeconds: 600,
  raw: false,
};
const utc = (timeMs: number): string => new Date(timeMs).toISOString();
const row = (station_id: string, timeMs: number, ztd: unknown = 2_400): object => ({
  timestamp: utc(timeMs),
  station_id,
  display_name: station_id.slice(-2),
  ztd,
});

async function answerOf(
  data: readonly object[],
  rest: object = {},
  query: NearestQuery = QUERY,
): Promise<NearestAnswer> {
  const time = utc(query.timeMs ?? Date.now());
  const body = { time, data, count: data.length, missing_station_ids: [], ...rest };
  const server = await httpServer((_, response) => response.end(JSON.stringify(body)));
  const folder = mkdtempSync(join(tmpdir(), "zenith-nearest-"));
  const cache = openCache(join(folder, "cache.db"));
  onTestFinished(() => {
    cache.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const session = createSession({ client: clientOf(server.url), cache, clock: systemClock, random: () => 0 });
  const answer = await nearest({ session, cache } as Parameters<typeof nearest>[0], query, never);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

const shown = ({ rows }: NearestAnswer): (readonly [string, number])[] => rows.map((r) => [r.stationId, r.timeMs]);

test("a response that agrees with its query has no remarks", async () => {
  const answer = await answerOf([row(A, MOMENT_MS - 30_000)], { missing_station_ids: [B] });
  expect(answer).toMatchObject({ timeMs: MOMENT_MS, missingStationIds: [B], reasons: {}, remarks: [] });
  expect(shown(answer)).toEqual([[A, MOMENT_MS - 30_000]]);
});

test("a station in neither list is missing with a reason", async () => {
  const answer = await answerOf([row(A, MOMENT_MS)]);
  expect(answer).toMatchObject({
    missingStationIds: [B],
    reasons: { [B]: "not in the response" },
    remarks: ["1 requested station is missing from the response."],
  });
  expect(await answerOf([])).toMatchObject({ missingStationIds: [A, B], rows: [] });
});

test("rows of stations that were not requested are dropped and reported", async () => {
  const answer = await answerOf([row(FOREIGN, MOMENT_MS), row(A, MOMENT_MS)], { missing_station_ids: [B, FOREIGN] });
  expect(shown(answer)).toEqual([[A, MOMENT_MS]]);
  expect(answer.missingStationIds).toEqual([B]);
  expect(answer.remarks).toEqual([
    "The response is irregular: 1 × rows of stations that were not requested, or with the name of another one, left out.",
  ]);
});

test.each([
  ["long before the moment", MOMENT_MS - HOUR_MS, MOMENT_MS],
  ["long after the moment", MOMENT_MS + HOUR_MS, MOMENT_MS],
  ["long before now", Date.now() - HOUR_MS, null],
  ["in the future", Date.now() + HOUR_MS, null],
])("an observation %s is outside the window and not shown", async (_, timeMs, momentMs) => {
  const query = { ...QUERY, timeMs: momentMs };
  const answer = await answerOf([row(A, timeMs), row(B, momentMs ?? Date.now())], {}, query);
  expect(answer.rows.map((r) => r.stationId)).toEqual([B]);
  expect(answer).toMatchObject({
    missingStationIds: [A],
    reasons: { [A]: "the service sent an observation outside the window" },
    remarks: ["The response is irregular: 1 × rows outside the requested range, left out."],
  });
});

test("of several rows of a station the nearest is kept, the earlier of two equally near", async () => {
  const answer = await answerOf([
    row(A, MOMENT_MS - 90_000),
    row(A, MOMENT_MS + 30_000),
    row(B, MOMENT_MS + 30_000),
    row(B, MOMENT_MS - 30_000),
  ]);
  expect(shown(answer)).toEqual([
    [A, MOMENT_MS + 30_000],
    [B, MOMENT_MS - 30_000],
  ]);
  expect(answer.remarks).toEqual(["The response has 2 further rows of the same stations. The nearest row is kept."]);
});

test("a count that contradicts the rows is reported", async () => {
  const rows = [row(A, MOMENT_MS), row(B, MOMENT_MS)];
  expect((await answerOf(rows, { count: 3 })).remarks).toEqual([
    "The response is incomplete: it counts 3 rows and has 2.",
  ]);
  expect((await answerOf(rows, { count: 1 })).remarks).toEqual([
    "The response is irregular: 1 × answers whose count differs from their number of rows.",
  ]);
});

test("a station with a row that is also listed as missing is shown and reported", async () => {
  const answer = await answerOf([row(A, MOMENT_MS)], { missing_station_ids: [A, B] });
  expect(shown(answer)).toEqual([[A, MOMENT_MS]]);
  expect(answer).toMatchObject({
    missingStationIds: [B],
    reasons: {},
    remarks: ["1 requested station is listed as missing, but the response has a row."],
  });
});

test("a response for another moment is compared with the requested one and reported", async () => {
  const answer = await answerOf([row(A, MOMENT_MS), row(B, MOMENT_MS)], { time: utc(MOMENT_MS - HOUR_MS) });
  expect(answer.timeMs).toBe(MOMENT_MS);
  expect(answer.remarks).toEqual([
    "The response is for 2026-01-01T11:00:00Z, not for the requested moment. Its observations may not be the nearest.",
  ]);
});

test("a wrong time of the latest observations is replaced by the clock of the service, and reported", async () => {
  const nowMs = Date.now();
  const query = { ...QUERY, timeMs: null };
  const rows = [row(A, nowMs - MINUTE_MS), row(B, nowMs - MINUTE_MS)];
  const answer = await answerOf(rows, { time: "2020-01-01T00:00:00Z" }, query);
  expect(Math.abs(answer.timeMs - nowMs)).toBeLessThan(MINUTE_MS);
  expect(answer.rows).toHaveLength(2);
  expect(answer.remarks).toEqual([
    "The response is for 2020-01-01T00:00:00Z, which is not the time of the service. Its observations may not be the latest.",
  ]);
  expect((await answerOf(rows, { time: utc(nowMs - MINUTE_MS) }, query)).remarks).toEqual([]);
});

test("values that are not numbers and rows without a time are reported", async () => {
  const timeless = { ...row(B, MOMENT_MS), timestamp: "soon" };
  const answer = await answerOf([row(A, MOMENT_MS, "about 2400"), timeless]);
  expect(answer.rows).toMatchObject([{ stationId: A, values: { ztd: null } }]);
  expect(answer).toMatchObject({
    missingStationIds: [B],
    reasons: { [B]: "the service sent an observation without a readable time" },
  });
  expect(answer.remarks).toEqual([
    "The response is irregular: 1 × invalid numbers (left empty); 1 × rows without a readable time, left out.",
  ]);
});
