import { afterEach, beforeEach, expect, it } from "vitest";
import type { JobRecord } from "#main/store/user/types.ts";
import { createPace } from "#main/app/pace.ts";
import { readAllGaps } from "#main/app/reading/gaps.ts";
import { runJob } from "#main/sync/job.ts";
import type { Session } from "#main/sync/session.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { ReceivedRows } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { type Desk, never, openDesk } from "../support/desk.ts";

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk({ maxPoints: null });
});
afterEach(() => desk.close());

const START_MS = Date.UTC(2026, 8, 1);
const RANGE = { startMs: START_MS, endMs: START_MS + 24 * HOUR_MS };

/** Stored jobs, which explain gaps. */
type Users = Parameters<typeof readAllGaps>[0]["users"];
const NO_JOBS: Users = { jobs: () => [], verdicts: () => null };

function without({ timesMs, scalars, ...rows }: ReceivedRows, { startMs, endMs }: TimeRange): ReceivedRows {
  const isLeft = (_: number, i: number): boolean => timesMs[i]! < startMs || timesMs[i]! >= endMs;
  const left = Object.entries(scalars).map(([name, values]) => [name, values.filter(isLeft)]);
  return { ...rows, timesMs: timesMs.filter(isLeft), scalars: Object.fromEntries(left) };
}

/** The gaps after filtered responses lacked an hour. */
async function gapsAfter(order: readonly ("raw" | "filtered")[], users = NO_JOBS) {
  const [stationId = ""] = desk.stations(1);
  const { session, cache } = desk;
  const lost = { startMs: START_MS + 6 * HOUR_MS, endMs: START_MS + 7 * HOUR_MS };
  const { client } = session;
  const lossy: Session["client"] = {
    ...client,
    timeSeries(query, options, signal) {
      if (query.raw) return client.timeSeries(query, options, signal);
      const onRows = (rows: ReceivedRows): void => options.onRows(without(rows, lost));
      return client.timeSeries(query, { ...options, onRows }, signal);
    },
  };
  for (const each of order) {
    const spec: JobSpec = {
      stationIds: [stationId],
      variables: ["ztd"],
      range: RANGE,
      intervalSeconds: null,
      raw: each === "raw",
    };
    await runJob({ ...session, client: lossy }, spec, { signal: never });
  }
  const mode = { intervalSeconds: null, raw: false, resampled: false };
  const query = { stationIds: [stationId], variables: ["ztd" as const], range: lost, minimumMs: HOUR_MS, mode };
  const sources = { cache, users, connectionId: "c", nowMs: RANGE.endMs };
  const [found] = await readAllGaps(sources, query, createPace(never));
  return found!.gaps;
}

async function causesAfter(order: readonly ("raw" | "filtered")[]): Promise<string[]> {
  return (await gapsAfter(order)).map((gap) => gap.cause);
}

it("an unconfirmed gap is filtered out if raw observations were received later", async () => {
  expect(await causesAfter(["filtered", "raw"])).toEqual(["filteredOut"]);
});

it("an unconfirmed gap may still arrive if its response is newer than the raw observations", async () => {
  expect(await causesAfter(["raw", "filtered"])).toEqual(["mayStillArrive"]);
});

it("a gap says why its raw data could not be fetched", async () => {
  const [stationId = ""] = desk.stations(1);
  const reason = "The service refused the request.";
  const verdict = { stationId, variable: "ztd" as const, range: RANGE, state: "failed" as const, rows: 0, reason };
  const job = { connectionId: "c", spec: { intervalSeconds: null, raw: true }, verdictCounts: { failed: 1 } };
  const users = { jobs: () => [job as JobRecord], verdicts: () => [verdict] };
  const [gap] = await gapsAfter(["filtered"], users);
  expect(gap).toMatchObject({ reason: "Its raw data could not be fetched: The service refused the request." });
});
