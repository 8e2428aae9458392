import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CEILING_POINTS, CEILING_STATIONS, ceilingPoints } from "#main/planner/limits.ts";
import { countPlan, planRequests } from "#main/planner/plan.ts";
import type { PlannedRequest, PlanStation } from "#main/planner/types.ts";
import { epochSeconds, stationPoints } from "#shared/service/points.ts";
import type { Variable } from "#shared/service/variables.ts";
import { isAligned } from "#shared/time/range.ts";
import { difference, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { intervals, planStations } from "./arbitraries.ts";
import { gateCases } from "../support/endurance.ts";

const limits = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 50, max: 500_000 }));
const plans = intervals.chain((intervalSeconds) =>
  fc.record({ intervalSeconds: fc.constant(intervalSeconds), stations: planStations(intervalSeconds), limit: limits }),
);
/** Values: 2,000 points of seven variables. */
const COST_OF_A_REQUEST = 14_000;
/** Small limits and epochs of a second give plans of a million requests; the properties test only smaller ones. */
const MOST_REQUESTS = 3_000;

function planOf(plan: { intervalSeconds: number | null; stations: PlanStation[]; limit: number }) {
  const input = {
    stations: plan.stations,
    mode: { intervalSeconds: plan.intervalSeconds, raw: false },
    maxPoints: () => plan.limit,
  };
  const count = countPlan(input);
  fc.pre(count.requests <= MOST_REQUESTS);
  return { count, requests: [...planRequests(input)], epochs: new Map(plan.stations.map((s) => [s.id, s])) };
}

function rangesOf(requests: readonly PlannedRequest[], id: string, variable: Variable) {
  return requests.filter((r) => r.stationIds.includes(id) && r.variables.includes(variable)).map((r) => r.range);
}

/** What is requested of a station: the service sends `prn` with each variable of satellites. */
function wantedOf({ missing }: PlanStation): [Variable, RangeSet][] {
  const prn = (["prn", "el", "az", "snr"] as const).flatMap((variable) => missing[variable] ?? []);
  const wanted = Object.entries({ ...missing, prn: rangeSet(prn) }) as [Variable, RangeSet][];
  return wanted.filter(([, ranges]) => ranges.length > 0);
}

describe("planRequests", () => {
  it("covers the missing data, and requests others only where that is cheaper than a request", () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { requests } = planOf(plan);
        let values = 0;
        let parts = 0;
        for (const { id, epochSeconds: step, ...station } of plan.stations) {
          for (const [variable, missing] of wantedOf({ id, epochSeconds: step, ...station })) {
            expect(difference(missing, rangeSet(rangesOf(requests, id, variable)))).toEqual([]);
            for (const range of missing) values += stationPoints(range, step, plan.intervalSeconds);
            parts += missing.length;
          }
        }
        const requested = requests.reduce((sum, r) => sum + r.points * r.variables.length, 0);
        // Where the variables that are missing change, a station has another part.
        expect(requested - values).toBeLessThanOrEqual(2 * parts * COST_OF_A_REQUEST);
      }),
      { numRuns: gateCases(300) },
    );
  });

  it("asks stations that lag behind by different times together", () => {
    const endMs = month.endMs;
    const stations = Array.from({ length: 500 }, (_, i) => ({
      id: `s${i}`,
      epochSeconds: 30,
      missing: {
        ztd: [{ startMs: endMs - (15 + (i % 60)) * 60_000, endMs }],
        pwv: [{ startMs: endMs - (90 + (i % 7)) * 60_000, endMs }],
      },
    }));
    expect([...planRequests({ stations, mode: native, maxPoints: () => 1_000_000 })].length).toBeLessThan(25);
  });

  it("stays within the limit, except for one epoch of one station", () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { requests, epochs } = planOf(plan);
        for (const r of requests) {
          const stations = r.stationIds.map((id) => ({
            sourceType: "cors",
            resolutionSeconds: epochs.get(id)!.epochSeconds,
          }));
          const points = stations.map((s) => stationPoints(r.range, epochSeconds(s), r.intervalSeconds));
          expect(r.points).toBe(points.reduce((sum, n) => sum + n, 0));
          expect(r.stationIds.length).toBeLessThanOrEqual(CEILING_STATIONS);
          if (r.points <= plan.limit) continue;
          const grid = (r.intervalSeconds ?? stations[0]!.resolutionSeconds) * 1000;
          expect(r.stationIds).toHaveLength(1);
          expect(r.range.endMs - r.range.startMs).toBeLessThanOrEqual(grid);
        }
      }),
      { numRuns: gateCases(300) },
    );
  });

  it("splits only on the grid of the interval or of the receiver", () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { requests, epochs } = planOf(plan);
        const ends = new Set(
          plan.stations.flatMap(({ missing }) =>
            Object.values(missing).flatMap((set) => (set ?? []).flatMap((m) => [m.startMs, m.endMs])),
          ),
        );
        for (const r of requests) {
          for (const id of r.stationIds) {
            const station = epochs.get(id)!;
            for (const cut of [r.range.startMs, r.range.endMs].filter((m) => !ends.has(m))) {
              expect(isAligned(cut, r.intervalSeconds ?? station.epochSeconds)).toBe(true);
            }
          }
        }
      }),
      { numRuns: gateCases(300) },
    );
  });

  it("has the count of countPlan", () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { requests, count } = planOf(plan);
        expect(count.requests).toBe(requests.length);
        expect(count.points).toBe(requests.reduce((sum, r) => sum + r.points, 0));
      }),
      { numRuns: gateCases(300) },
    );
  });

  const month = { startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2026, 1, 1) };
  const stationsOf = (n: number, missing = month) =>
    Array.from({ length: n }, (_, i) => ({ id: `s${i}`, epochSeconds: 30, missing: { ztd: [missing] } }));
  const native = { intervalSeconds: null, raw: false };

  it("packs stations with the same missing data up to the limit", () => {
    const day = { startMs: month.startMs, endMs: month.startMs + DAY_MS };
    const requests = [...planRequests({ stations: stationsOf(7, day), mode: native, maxPoints: () => 10_000 })];
    expect(requests.map((r) => r.stationIds.length)).toEqual([3, 3, 1]);
  });

  it("splits a station that does not fit at UTC days, and shares the remainder", () => {
    const requests = [...planRequests({ stations: stationsOf(3), mode: native, maxPoints: () => 10_000 })];
    expect(requests).toHaveLength(3 * 10 + 1);
    expect(requests.every((r) => r.range.startMs % DAY_MS === 0 && r.range.endMs % DAY_MS === 0)).toBe(true);
    expect(requests.at(-1)!.stationIds).toEqual(["s0", "s1", "s2"]);
  });

  it("splits a day that does not fit, without tiny remainders", () => {
    const requests = [...planRequests({ stations: stationsOf(1), mode: native, maxPoints: () => 2_879 })];
    expect(requests.every((r) => r.range.startMs % 60_000 === 0)).toBe(true);
    expect(requests.length).toBeLessThanOrEqual(Math.ceil((31 * 2_880) / 2_879) * 1.1);
  });

  it("groups variables with the same missing ranges, and requests others in separate ranges", () => {
    const half = { startMs: month.startMs, endMs: month.startMs + 15 * DAY_MS };
    const stations = [{ id: "s", epochSeconds: 30, missing: { ztd: [month], ztd_sigma: [month], pwv: [half] } }];
    const requests = [...planRequests({ stations, mode: native, maxPoints: () => Infinity })];
    expect(requests.map((r) => [r.variables, r.points])).toEqual([
      [["ztd", "ztd_sigma", "pwv"], 15 * 2_880],
      [["ztd", "ztd_sigma"], 16 * 2_880],
    ]);
  });

  it("requests prn with every satellite variable, because the service sends it", () => {
    const stations = [{ id: "s", epochSeconds: 30, missing: { el: [month], prn: [] } }];
    const [request] = planRequests({ stations, mode: native, maxPoints: () => Infinity });
    expect(request!.variables).toEqual(["el", "prn"]);
  });

  it("applies a ceiling of points and bytes without a limit of the service", () => {
    expect(ceilingPoints(["ztd", "ztd_sigma", "pwv"], Infinity)).toBe(CEILING_POINTS);
    expect(ceilingPoints(["snr", "el", "az", "prn"], Infinity)).toBeLessThan(200_000);
    const years = { startMs: Date.UTC(2016, 0, 1), endMs: Date.UTC(2026, 0, 1) };
    const input = { stations: stationsOf(2, years), mode: native, maxPoints: () => Infinity };
    for (const r of planRequests(input)) expect(r.points).toBeLessThanOrEqual(CEILING_POINTS);
  });

  it("follows a limit that decreases while the plan is consumed", () => {
    let limit = 50_000;
    const sizes: number[] = [];
    for (const r of planRequests({ stations: stationsOf(4), mode: native, maxPoints: () => limit })) {
      sizes.push(r.points);
      limit = 5_000;
    }
    expect(sizes.slice(1).every((points) => points <= 5_000)).toBe(true);
    expect(sizes.reduce((a, b) => a + b)).toBe(4 * 31 * 2_880);
  });

  it("plans ten years of 500 stations lazily", () => {
    const years = { startMs: Date.UTC(2016, 0, 1), endMs: Date.UTC(2026, 0, 1) };
    const input = { stations: stationsOf(500, years), mode: native, maxPoints: () => 10_000 };
    let requests = 0;
    let points = 0;
    for (const r of planRequests(input)) {
      requests++;
      points += r.points;
    }
    expect(points).toBe(500 * 3_653 * 2_880);
    expect({ requests, points }).toEqual({ requests: countPlan(input).requests, points: countPlan(input).points });
  });
});
