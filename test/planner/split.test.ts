import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitRequest, splitStations, splitUnusable } from "#main/planner/split.ts";
import type { PlannedRequest } from "#main/planner/types.ts";
import { SATELLITE_VARIABLES, VARIABLE_NAMES, withImpliedVariables } from "#shared/service/variables.ts";
import { alignOutward, isAligned } from "#shared/time/range.ts";
import { rangeSet } from "#shared/time/rangeset.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { intervals } from "./arbitraries.ts";
import { gateCases } from "../support/endurance.ts";

const requests = fc
  .record({
    intervalSeconds: intervals,
    start: fc.integer({ min: -50_000_000, max: 50_000_000 }),
    length: fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 3 * HOUR_MS })),
    stations: fc.integer({ min: 1, max: 4 }),
    variables: fc.subarray([...VARIABLE_NAMES], { minLength: 1 }),
  })
  .map((r): PlannedRequest => {
    const range = { startMs: r.start, endMs: r.start + r.length };
    return {
      stationIds: Array.from({ length: r.stations }, (_, i) => `s${i}`),
      variables: withImpliedVariables(r.variables),
      range: r.intervalSeconds === null ? range : alignOutward(range, r.intervalSeconds),
      intervalSeconds: r.intervalSeconds,
      raw: false,
      points: 0,
    };
  });
const epochOf = () => 30;

/** A request for this number of epochs of one station. */
function epochsOf30s(points: number): PlannedRequest {
  const range = { startMs: 0, endMs: points * 30_000 };
  return { stationIds: ["a"], variables: ["ztd"], range, intervalSeconds: null, raw: false, points };
}

/** Splits a request completely. */
function leaves(request: PlannedRequest): PlannedRequest[] {
  const halves = splitRequest(request, epochOf);
  return halves === null ? [request] : halves.flatMap(leaves);
}

describe("splitRequest", () => {
  it("ends at single cells that cover the request, split on the grid", () => {
    fc.assert(
      fc.property(requests, (request) => {
        const cells = leaves(request);
        const grid = (request.intervalSeconds ?? 30) * 1000;
        for (const cell of cells) {
          expect(cell.stationIds).toHaveLength(1);
          expect(cell.variables.filter((v) => v !== "prn").length).toBeLessThanOrEqual(1);
          expect(cell.range.endMs - cell.range.startMs).toBeLessThanOrEqual(grid);
          for (const m of [cell.range.startMs, cell.range.endMs]) {
            const isEnd = m === request.range.startMs || m === request.range.endMs;
            expect(isEnd || isAligned(m, grid / 1000)).toBe(true);
          }
        }
        for (const id of request.stationIds) {
          for (const variable of request.variables) {
            const own = cells.filter((c) => c.stationIds[0] === id && c.variables.includes(variable));
            expect(rangeSet(own.map((c) => c.range))).toEqual([request.range]);
            const total = own.reduce((sum, c) => sum + c.range.endMs - c.range.startMs, 0);
            const length = request.range.endMs - request.range.startMs;
            // prn is added to every satellite variable; all others are requested once.
            expect(variable === "prn" ? total % length : total - length).toBe(0);
          }
        }
      }),
      { numRuns: gateCases(200) },
    );
  });

  it("halves time at a midnight or a full hour, each half at least a quarter", () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 2_000 }), fc.integer({ min: 0, max: 10_000 }), (hours, start) => {
        const range = { startMs: start * HOUR_MS, endMs: (start + hours) * HOUR_MS };
        const [first, second] = splitRequest({ ...epochsOf30s(1), range }, epochOf)!;
        const cut = first.range.endMs;
        expect(second.range).toEqual({ startMs: cut, endMs: range.endMs });
        expect(cut % (hours < 48 ? HOUR_MS : 24 * HOUR_MS)).toBe(0);
        for (const half of [cut - range.startMs, range.endMs - cut])
          expect(half).toBeGreaterThanOrEqual((range.endMs - range.startMs) / 4);
      }),
    );
  });

  it("splits time before stations, and stations before variables", () => {
    const request: PlannedRequest = {
      stationIds: ["a", "b"],
      variables: ["ztd", ...SATELLITE_VARIABLES],
      range: { startMs: 0, endMs: 60_000 },
      intervalSeconds: null,
      raw: false,
      points: 4,
    };
    const [first] = splitRequest(request, epochOf)!;
    expect([first.stationIds.length, first.range.endMs, first.points]).toEqual([2, 30_000, 2]);
    const [second] = splitRequest(first, epochOf)!;
    expect([second.stationIds, second.points]).toEqual([["a"], 1]);
    const [third, fourth] = splitRequest(second, epochOf)!;
    expect([third.variables, fourth.variables]).toEqual([
      ["ztd", "snr", "prn"],
      ["el", "az", "prn"],
    ]);
    expect(splitRequest({ ...second, variables: ["el", "prn"] }, epochOf)).toBeNull();
  });

  it("prefers days and hours near the middle", () => {
    const day = 24 * HOUR_MS;
    const request = { variables: ["ztd"], stationIds: ["a"], intervalSeconds: null, raw: false, points: 0 } as const;
    const [tenDays] = splitRequest({ ...request, range: { startMs: 0, endMs: 10 * day } }, epochOf)!;
    expect(tenDays.range.endMs).toBe(5 * day);
    const [oneDay] = splitRequest({ ...request, range: { startMs: 0, endMs: day } }, epochOf)!;
    expect(oneDay.range.endMs).toBe(12 * HOUR_MS);
  });

  it("isolates a station by halves", () => {
    const request: PlannedRequest = {
      stationIds: ["a", "b", "c"],
      variables: ["ztd"],
      range: { startMs: 0, endMs: 90_000 },
      intervalSeconds: null,
      raw: false,
      points: 9,
    };
    const halves = splitStations(request, epochOf)!;
    expect(halves.map((h) => [h.stationIds, h.points])).toEqual([
      [["a", "b"], 6],
      [["c"], 3],
    ]);
    expect(splitStations(halves[1], epochOf)).toBeNull();
  });

  it("splits a request with an unusable response until it has fewer points than the rows at which a response may be truncated", () => {
    // A hundred rows followed by a gap: each half is settled by its rows.
    expect(splitUnusable(epochsOf30s(120), epochOf, 0)!.map((half) => half.points)).toEqual([60, 60]);
    expect(splitUnusable(epochsOf30s(100), epochOf, 0)).not.toBeNull();
    expect(splitUnusable(epochsOf30s(99), epochOf, 0)).toBeNull();
  });
});
