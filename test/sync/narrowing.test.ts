import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JobOutcome, runJob } from "#main/sync/job.ts";
import { seriesVerdicts } from "#main/sync/verdicts.ts";
import type { Session } from "#main/sync/session.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { containsMoment, type TimeRange } from "#shared/time/range.ts";
import { gateCases, gateShare, IS_GATE, tries } from "../support/endurance.ts";
import {
  type DataRequest,
  type Hostile,
  type Fault,
  openHostile,
  SPARSE_STEPS,
  specOf,
  START_MS,
  STEP_MS,
  valueAt,
} from "./hostileService.ts";

const never = new AbortController().signal;
const PATIENCE = { jobMs: 600_000, callMs: 600_000 };
/** The gate has some of the faults at single observations, and one of them at each larger part. */
const oneOf = <T>(faults: readonly T[]): readonly T[] => (IS_GATE ? faults.slice(0, 1) : faults);

interface Cell {
  readonly station: number;
  readonly epoch: number;
}

/** The epochs of a range, half-open. */
function epochsOf({ startMs, endMs }: TimeRange): [number, number] {
  return [Math.ceil((startMs - START_MS) / STEP_MS), Math.ceil((endMs - START_MS) / STEP_MS)];
}

function covers(request: DataRequest, { station, epoch }: Cell): boolean {
  const timeMs = START_MS + epoch * STEP_MS;
  return request.stations.includes(station) && request.startMs <= timeMs && timeMs < request.endMs;
}

/** The epochs of each station that are cached with the right value; a wrong or foreign value fails. */
function arrived({ cache }: Session, spec: JobSpec): Set<string> {
  const found = new Set<string>();
  for (const stationId of spec.stationIds) {
    const station = Number(stationId.slice(-12));
    const { timesMs, columns } = cache.rows({ ...spec, stationId });
    expect(timesMs.filter((timeMs, i) => columns.ztd!.values[i] !== valueAt(station, timeMs))).toHaveLength(0);
    for (const timeMs of timesMs) found.add(`${station} ${(timeMs - START_MS) / STEP_MS}`);
  }
  return found;
}

/** The result of each epoch of a station. */
function fates({ session }: Hostile, spec: JobSpec, outcome: JobOutcome): string[][] {
  const found = arrived(session, spec);
  const verdicts = [...seriesVerdicts(session, spec, outcome)].flat();
  const epochs = (spec.range.endMs - spec.range.startMs) / STEP_MS;
  expect(verdicts.filter(({ state, reason }) => state === "failed" && !/.{20}/.test(reason ?? ""))).toEqual([]);
  return spec.stationIds.map((stationId, station) => {
    const fate = Array.from({ length: epochs }, (_, epoch) => (found.has(`${station} ${epoch}`) ? "here" : "absent"));
    for (const { range, state, ...own } of verdicts) {
      if (own.stationId !== stationId) continue;
      const [from, to] = epochsOf(range);
      for (let epoch = from; epoch < to; epoch++) fate[epoch] += ` ${state}`;
    }
    return fate;
  });
}

/** Checks that each cell of the job is cached with its value, or named as failed if it is unavailable. */
async function expectExactly(hostile: Hostile, spec: JobSpec, bad: readonly Cell[]) {
  const outcome = await runJob(hostile.session, spec, { signal: never });
  const found = fates(hostile, spec, outcome);
  const expected = found.map((fate, station) =>
    fate.map((_, epoch) => (bad.some((b) => b.station === station && b.epoch === epoch) ? "absent failed" : "here ok")),
  );
  expect(found).toEqual(expected);
  return outcome;
}

/** Number of halvings from the whole request to one epoch of one station. */
function depth(stations: number, epochs: number): number {
  return Math.ceil(Math.log2(epochs)) + Math.ceil(Math.log2(stations)) + 2;
}

const FAULTS: readonly Fault[] = [
  { status: 500 },
  { status: 502 },
  { status: 503 },
  { status: 504 },
  { status: 408 },
  { status: 413 },
  { status: 400 },
  { status: 404 },
  "reset",
  "resetInside",
  "cut",
];

const inFirst = (...epochs: number[]) => epochs.map((epoch): [station: number, epoch: number] => [0, epoch]);
const ONE_BY_ONE = { stations: 1, maxConcurrency: 1, seed: 1 };

describe("unavailable data", () => {
  it.each(gateShare(gateShare(FAULTS)).map((fault) => [JSON.stringify(fault), fault] as const))(
    "is isolated to the observation and named, and the rest is downloaded: %s",
    async (_, fault) => {
      const hostile = await openHostile(3, { patience: PATIENCE });
      const bad = [{ station: 1, epoch: 777 }];
      hostile.behave((request) => ("points" in request && bad.some((cell) => covers(request, cell)) ? fault : null));
      const spec = specOf(3, 800);
      expect(await expectExactly(hostile, spec, bad)).toMatchObject({ state: "finished" });
      expect(hostile.requests.length).toBeLessThanOrEqual(2 * depth(3, 800) + 8);
      // The next job requests only this cell again, and ends soon with the same result if nothing has changed.
      const before = hostile.requests.length;
      const startMs = hostile.clock.monotonicMs();
      await expectExactly(hostile, spec, bad);
      expect(hostile.requests.length - before).toBeLessThanOrEqual(12);
      expect(hostile.clock.monotonicMs() - startMs).toBeLessThan(120_000);
      hostile.behave(() => null);
      await expectExactly(hostile, spec, []);
    },
  );

  it("is named exactly for any other unavailable data, within a bounded number of requests", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          stations: fc.integer({ min: 1, max: 4 }),
          epochs: fc.integer({ min: 1, max: 300 }),
          fault: fc.constantFrom(...FAULTS),
          cells: fc.array(fc.tuple(fc.nat(3), fc.nat(299)), { maxLength: 12 }),
          maxConcurrency: fc.integer({ min: 1, max: 8 }),
          seed: fc.nat(),
        }),
        async ({ stations, epochs, fault, cells, maxConcurrency, seed }) => {
          const bad = cells
            .map(([station, epoch]) => ({ station: station % stations, epoch: epoch % epochs }))
            .filter((cell, i, all) => all.findIndex((c) => c.station === cell.station && c.epoch === cell.epoch) === i);
          // A service with mostly unavailable cells is tested below.
          fc.pre(bad.length < (stations * epochs) / 2);
          let state = seed;
          const random = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
          const hostile = await openHostile(stations, { patience: PATIENCE, maxConcurrency, random });
          hostile.behave((request) =>
            "points" in request && bad.some((cell) => covers(request, cell)) ? fault : null,
          );
          await expectExactly(hostile, specOf(stations, epochs), bad);
          const most = 6 + bad.length * (2 * depth(stations, epochs) + 8);
          expect(hostile.requests.length).toBeLessThanOrEqual(most);
        },
      ),
      {
        numRuns: tries(gateCases(12), 40),
        examples: [
          // The first and the last observation, so that what is between them has to be asked for while nothing arrives.
          [{ ...ONE_BY_ONE, epochs: 5, fault: { status: 500 }, cells: inFirst(0, 4) }],
          // Three that look like a station that the service refuses.
          [{ ...ONE_BY_ONE, epochs: 149, fault: { status: 400 }, cells: inFirst(0, 74, 148) }],
        ],
      },
    );
  });
});

describe("an unavailable variable", () => {
  it.each(oneOf([{ status: 500 }, { status: 504 }, "reset", { status: 400 }] as const))(
    "does not affect the others, except for the observation that revealed it: %j",
    async (fault) => {
      const hostile = await openHostile(3, { patience: PATIENCE });
      hostile.behave((request) => ("points" in request && request.variables.includes("pwv") ? fault : null));
      const spec: JobSpec = { ...specOf(3, 800), variables: ["ztd", "pwv"] };
      const outcome = await runJob(hostile.session, spec, { signal: never });
      expect(arrived(hostile.session, spec).size).toBeGreaterThanOrEqual(3 * 800 - 1);
      expect(outcome.failures.some(({ variables }) => variables.includes("pwv"))).toBe(true);
      // Between 300 and 1,100 at random; without the rule for variables about 1,400, without most of the others.
      expect(hostile.requests.length).toBeLessThan(1_500);
    },
  );
});

describe("a sparse variable", () => {
  // No observation at a halving of the range has a value.
  const EPOCHS = 1_023;
  it.each([
    ["a long range that fails", 960, 960],
    ["a range that fails and a long absence", 256, 960],
  ])("is fetched beside %s", async (_, badUntil, presentFrom) => {
    const hostile = await openHostile(1, { patience: PATIENCE, maxConcurrency: 1 });
    hostile.behave((request) => {
      if (!("points" in request)) return null;
      const [from, to] = epochsOf(request);
      return from < badUntil ? { status: 500 } : to <= presentFrom ? "empty" : null;
    });
    const spec: JobSpec = { ...specOf(1, EPOCHS), variables: ["pwv"] };
    const outcome = await runJob(hostile.session, spec, { signal: never });
    expect(outcome.state).toBe("finished");
    const { timesMs } = hostile.session.cache.rows({ ...spec, stationId: spec.stationIds[0]! });
    const failed = [...seriesVerdicts(hostile.session, spec, outcome)].flat().filter(({ state }) => state === "failed");
    const isNamed = (timeMs: number) => failed.some(({ range }) => containsMoment(range, timeMs));
    const available = Array.from({ length: EPOCHS }, (_, epoch) => START_MS + epoch * STEP_MS).filter(
      (timeMs) => timeMs % (SPARSE_STEPS * STEP_MS) === 0 && timeMs >= START_MS + presentFrom * STEP_MS,
    );
    expect(available.filter((timeMs) => !timesMs.includes(timeMs) && !isNamed(timeMs))).toEqual([]);
    expect(timesMs.length).toBeGreaterThan(0.8 * available.length);
  });
});

describe("an unavailable station", () => {
  it.each(oneOf(["reset", { status: 500 }, { status: 503 }, "cut"] as const))(
    "is named within a minute, although it never responds: %j",
    async (fault) => {
      const hostile = await openHostile(3, { patience: PATIENCE });
      hostile.behave((request) => ("points" in request && request.stations.includes(1) ? fault : null));
      const spec = specOf(3, 720);
      const outcome = await runJob(hostile.session, spec, { signal: never });
      expect(outcome.state).toBe("finished");
      const states = [...seriesVerdicts(hostile.session, spec, outcome)]
        .flat()
        .map((v) => `${Number(v.stationId.slice(-12))} ${v.state}`);
      expect(new Set(states)).toEqual(new Set(["0 ok", "1 failed", "2 ok"]));
      expect(hostile.requests.length).toBeLessThan(600);
      expect(hostile.clock.monotonicMs()).toBeLessThan(60_000);
    },
  );
});

describe("a rejection for the size, with another cause", () => {
  it.each(oneOf([{ status: 408 }, { status: 413 }] as const))(
    "does not keep later requests small: %j",
    async (fault) => {
      for (const maxConcurrency of [1, 8]) {
        const hostile = await openHostile(4, { patience: PATIENCE, maxConcurrency });
        const bad = { station: 3, epoch: 147 };
        hostile.behave((request) => ("points" in request && covers(request, bad) ? fault : null));
        await expectExactly(hostile, specOf(4, 280), [bad]);
        expect(hostile.requests.length).toBeLessThanOrEqual(6 + 2 * depth(4, 280) + 8);
      }
    },
  );
});

describe("requests that are too large", () => {
  it.each(oneOf(["resetInside", "reset", "cut", { status: 504 }, { status: 500 }] as const))(
    "are split when they fail repeatedly, and the size is remembered: %j",
    async (fault) => {
      const hostile = await openHostile(4, { patience: PATIENCE });
      hostile.behave((request) => ("points" in request && request.points > 300 ? fault : null));
      const spec = specOf(4, 2_000);
      await expectExactly(hostile, spec, []);
      // About 8,000 / 150 responses, and far fewer failures.
      expect(hostile.requests.length).toBeLessThan(190);
      expect(hostile.requests.filter((a) => a.points > 300).length).toBeLessThan(80);
    },
  );
});

const STRETCH = { from: 1_000, to: 31_000 };

describe("a refused epoch", () => {
  it.each([30, 300])("is found on the grid of its receiver, every %i s", async (seconds) => {
    const hostile = await openHostile(1, { catalogue: { resolution_seconds: seconds } });
    const refusedMs = START_MS + 900 * 1_000;
    hostile.behave((request) =>
      "points" in request && request.startMs <= refusedMs && refusedMs < request.endMs ? { status: 413 } : null,
    );
    await runJob(hostile.session, specOf(1, 2_000), { signal: never });
    const lengths = hostile.requests.map(({ startMs, endMs }) => endMs - startMs);
    expect(Math.min(...lengths)).toBe(seconds * 1_000);
  });
});

describe("a service that delivers nothing", () => {
  it.each(
    gateShare<readonly [string, (request: DataRequest) => Fault]>([
      ["413 with a limit of 0", () => ({ status: 413, error: "The limit is 0 data points." })],
      ["413 without a number", () => ({ status: 413 })],
      ["408", () => ({ status: 408 })],
      ["400", () => ({ status: 400 })],
    ]),
  )("receives a bounded number of requests, and all data is named as failed: %s", async (_, fault) => {
    const hostile = await openHostile(20, { patience: PATIENCE });
    hostile.behave((request) => ("points" in request ? fault(request) : null));
    const spec = specOf(20, 50_000);
    const outcome = await runJob(hostile.session, spec, { signal: never });
    expect(outcome.state).toBe("finished");
    expect(hostile.requests.length).toBeLessThanOrEqual(120);
    const { startMs, endMs } = spec.range;
    for (const { startMs: from, endMs: to } of hostile.requests) {
      expect(from).toBeGreaterThanOrEqual(startMs);
      expect(to).toBeGreaterThan(from);
      expect(to).toBeLessThanOrEqual(endMs);
    }
    expect(hostile.clock.monotonicMs()).toBeLessThan(120_000);
    const verdicts = [...seriesVerdicts(hostile.session, spec, outcome)].flat();
    expect(new Set(verdicts.map((v) => v.state))).toEqual(new Set(["failed"]));
    expect(new Set(verdicts.map((v) => v.stationId))).toEqual(new Set(spec.stationIds));
    expect(verdicts.some(({ reason }) => reason?.endsWith("The rest was not requested."))).toBe(true);
    expect(outcome.progress.secondsLeft).toBeNull();
  });

  it("receives no control request after three minutes of them", async () => {
    const hostile = await openHostile(3, { patience: PATIENCE, maxConcurrency: 1 });
    hostile.behave((request) => {
      if (!("points" in request)) return null;
      hostile.clock.pass(60_000);
      return { status: 413 };
    });
    const outcome = await runJob(hostile.session, specOf(3, 20_000), { signal: never });
    expect(outcome.state).toBe("finished");
    // Sixteen that fail before them.
    expect(hostile.requests.length).toBe(16 + 4);
  });

  it("ends a job that it delays forever (429), with a message", async () => {
    const hostile = await openHostile(1, { patience: PATIENCE });
    hostile.behave((request) => ("points" in request ? { status: 429, headers: { "Retry-After": "30" } } : null));
    const outcome = await runJob(hostile.session, specOf(1, 100), { signal: never });
    expect(outcome).toMatchObject({
      state: "broken",
      reason: expect.stringMatching(/delayed \d+ requests in a row\.$/),
    });
    expect(hostile.requests.length).toBeLessThanOrEqual(201);
    expect(hostile.clock.monotonicMs()).toBeLessThan(15 * 60_000);
  });

  it("causes parts of a long unavailable range to fail as ranges, not by observation", async () => {
    const hostile = await openHostile(1, { patience: PATIENCE });
    hostile.behave((request) => {
      if (!("points" in request)) return null;
      const [from, to] = [request.startMs, request.endMs].map((ms) => Math.ceil((ms - START_MS) / STEP_MS)) as [
        number,
        number,
      ];
      return from < STRETCH.to && to > STRETCH.from && to > from ? { status: 413 } : null;
    });
    const spec = specOf(1, 50_000);
    const outcome = await runJob(hostile.session, spec, { signal: never });
    const [fate] = fates(hostile, spec, outcome) as [string[]];
    // An available cell may be in a named range; none is missing without a name, and no unavailable one is cached.
    expect(fate.filter((f) => f !== "here ok" && f !== "absent failed")).toEqual([]);
    expect(fate.filter((f, epoch) => f === "here ok" && epoch >= STRETCH.from && epoch < STRETCH.to)).toEqual([]);
    expect(fate.filter((f) => f === "here ok").length).toBeGreaterThan(10_000);
    expect(hostile.requests.length).toBeLessThan(1_500);
  });
});
