// Promise: what a service refuses costs few requests beyond those that an unlimited service would need, and what was
// learned once costs nothing later.
import { describe, expect, it } from "vitest";
import { runJob } from "#main/sync/job.ts";
import { gateShare } from "../support/endurance.ts";
import {
  type Behaviour,
  type DataRequest,
  type Fault,
  openHostile,
  specOf,
  STEP_MS,
  START_MS,
} from "./hostileService.ts";

const never = new AbortController().signal;
const DAY = 2_880;

function onData(respond: (request: DataRequest) => Fault | null): Behaviour {
  return (request) => ("path" in request ? null : respond(request));
}

interface Case {
  readonly name: string;
  readonly stations: number;
  readonly epochs: number;
  readonly catalogue?: object;
  readonly behave: () => (request: DataRequest) => Fault | null;
  /** The most requests for a range, and for the next one in another session. */
  readonly first: number;
  readonly next: number;
}

const limit =
  (points: number, states = true) =>
  (request: DataRequest): Fault | null =>
    request.points > points
      ? { status: 413, error: states ? `limit of ${points} data points exceeded` : "too large" }
      : null;

const CASES: readonly Case[] = [
  ...([{ status: 500 }, { status: 503 }, "reset"] as const).map((fault) => ({
    name: `a station of which nothing arrives (${JSON.stringify(fault)})`,
    stations: 3,
    epochs: DAY * 7,
    behave: () => (r: DataRequest) => (r.stations.includes(1) ? fault : null),
    first: 60,
    next: 8,
  })),
  ...[1, 2].map((seed) => ({
    name: `a service that loses 60 % of the requests by chance (seed ${seed})`,
    stations: 3,
    epochs: DAY * 7,
    behave: () => {
      const random = seeded(seed);
      return () => (random() < 0.6 ? { status: 500 } : null);
    },
    first: 500,
    next: 100,
  })),
  {
    name: "one request at a time",
    stations: 3,
    epochs: 37 * 30,
    behave: () => (r) =>
      r.concurrent > 1 ? { status: 429, headers: { "Retry-After": "1" } } : r.points > 100 ? limit(100)(r) : null,
    first: 48,
    next: 48,
  },
  ...[400, 404].map((status) => ({
    name: `a station of eleven that is answered by ${status}`,
    stations: 11,
    epochs: DAY * 5,
    behave: () => (r: DataRequest) => (r.stations.includes(4) ? { status } : null),
    first: 20,
    next: 2,
  })),
  {
    name: "a station of 59 that is forbidden",
    stations: 59,
    epochs: DAY / 8,
    behave: () => (r) => (r.stations.includes(31) ? { status: 403 } : null),
    first: 20,
    next: 3,
  },
  {
    name: "the last of two stations, which is forbidden",
    stations: 2,
    epochs: DAY * 3,
    behave: () => (r) => (r.stations.includes(1) ? { status: 403 } : null),
    first: 20,
    next: 3,
  },
  {
    name: "a native rate",
    stations: 4,
    epochs: DAY * 3,
    catalogue: { resolution_seconds: 0 },
    behave: () => limit(3_000),
    first: 20,
    next: 14,
  },
  ...[
    [3, true],
    [3, false],
    [10, false],
    [10, true],
  ].map(([period, states]) => ({
    name: `a limit that flaps each ${period} requests, ${states ? "" : "un"}stated`,
    stations: 4,
    epochs: DAY * 3,
    behave: () => {
      let n = 0;
      return (r: DataRequest) => limit(Math.floor(n++ / Number(period)) % 2 ? 2_200 : 8_000, Boolean(states))(r);
    },
    // 16 at the lower limit. How many requests are under way when the limit falls is a matter of time.
    first: 32,
    next: 32,
  })),
  {
    name: "a limit that counts variables",
    stations: 4,
    epochs: DAY * 4,
    behave: () => (r) =>
      r.points * r.variables.length > 3_000 ? { status: 413, error: "limit of 3000 data points exceeded" } : null,
    first: 75,
    next: 75,
  },
];

describe("requests", () => {
  it.each(gateShare(CASES))("are few for $name", async ({ stations, epochs, catalogue = {}, behave, first, next }) => {
    const hostile = await openHostile(stations, { catalogue, random: seeded() });
    hostile.behave(onData(behave()));
    const variables = ["ztd", "ztd_sigma", "pwv"] as const;
    await runJob(hostile.session, specOf(stations, epochs, { variables }), { signal: never });
    const sent = hostile.requests.length;
    const range = { startMs: START_MS + epochs * STEP_MS, endMs: START_MS + 2 * epochs * STEP_MS };
    await runJob(hostile.again(), specOf(stations, epochs, { variables, range }), { signal: never });
    const later = hostile.requests.length - sent;
    expect(sent).toBeLessThanOrEqual(first);
    expect(later).toBeLessThanOrEqual(next);
  });
});

function seeded(seed = 1): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
