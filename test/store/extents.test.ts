import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addCoverage, NO_COVERAGE } from "#main/store/chunks/coverage.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import type { Coverage } from "#shared/series/rows.ts";
import { containsMoment, type TimeRange } from "#shared/time/range.ts";
import { rangeSet } from "#shared/time/rangeset.ts";
import { temporaryFolders } from "./folder.ts";
import { writeRows } from "./model.ts";
import { settled } from "../support/judge.ts";

interface ResponseRange {
  readonly range: TimeRange;
  readonly finalUntilMs: number;
  readonly fetchedAtMs: number;
}

const folder = temporaryFolders();
const END = 60;
const NATIVE = { intervalSeconds: null, raw: false };

const responseRange: fc.Arbitrary<ResponseRange> = fc
  .tuple(fc.nat(END), fc.nat(END), fc.oneof(fc.nat(END), fc.constantFrom(-Infinity, Infinity)), fc.nat(5))
  .map(([a, b, finalUntilMs, age]) => ({
    range: { startMs: Math.min(a, b), endMs: Math.max(a, b) },
    finalUntilMs,
    fetchedAtMs: age * 100_000,
  }));

/** The state of a moment: final, fetched at some time, or unknown. */
function stateAt(coverage: Coverage, moment: number): string {
  const isFinal = coverage.final.some((range) => containsMoment(range, moment));
  const found = coverage.provisional.filter(({ range }) => containsMoment(range, moment));
  expect(found.length + Number(isFinal)).toBeLessThanOrEqual(1);
  if (isFinal) return "final";
  return found[0] ? String(found[0].fetchedAtMs) : "unknown";
}

function afterAll(responses: readonly ResponseRange[]): Coverage {
  return responses.reduce(
    (before, { range, finalUntilMs, fetchedAtMs }) =>
      addCoverage(before, settled(range, finalUntilMs, fetchedAtMs)("", "ztd", NO_COVERAGE)),
    NO_COVERAGE,
  );
}

function provisional(startMs: number, fetchedAtMs: number): ResponseRange {
  return { range: { startMs, endMs: startMs + 10 }, finalUntilMs: -Infinity, fetchedAtMs };
}

function cacheAfter(responses: readonly ResponseRange[]): Cache {
  const cache = openCache(`${folder()}/cache.db`);
  for (const { range, finalUntilMs, fetchedAtMs } of responses)
    writeRows(cache, { stationIds: ["a"], variables: ["ztd"], range, ...NATIVE }, [], finalUntilMs, fetchedAtMs);
  return cache;
}

describe("extents", () => {
  test("a moment is final after any final response, otherwise as old as its latest response", () => {
    fc.assert(
      fc.property(fc.array(responseRange, { maxLength: 12 }), (responses) => {
        const coverage = afterAll(responses);
        for (let moment = 0; moment < END; moment++) {
          const touching = responses.filter(({ range }) => containsMoment(range, moment));
          const last = touching.at(-1);
          const expected = touching.some((a) => moment < a.finalUntilMs)
            ? "final"
            : String(last?.fetchedAtMs ?? "unknown");
          expect(stateAt(coverage, moment)).toBe(expected);
        }
      }),
    );
  });

  test("are sorted, do not overlap, and adjacent ones differ", () => {
    fc.assert(
      fc.property(fc.array(responseRange, { maxLength: 12 }), (responses) => {
        const { final, provisional } = afterAll(responses);
        expect(final).toEqual(rangeSet(final));
        for (const [i, next] of provisional.slice(1).entries()) {
          const extent = provisional[i]!;
          expect(next.range.startMs).toBeGreaterThanOrEqual(extent.range.endMs);
          expect(next.range.startMs === extent.range.endMs && next.fetchedAtMs === extent.fetchedAtMs).toBe(false);
        }
      }),
    );
  });

  test("a removed range is unknown, and the rest is unchanged", () => {
    fc.assert(
      fc.property(fc.array(responseRange, { maxLength: 8 }), responseRange, (responses, { range }) => {
        const cache = cacheAfter(responses);
        const before = cache.coverage("a", "ztd", NATIVE);
        cache.forget(["a"], range);
        const after = cache.coverage("a", "ztd", NATIVE);
        cache.close();
        for (let moment = 0; moment < END; moment++) {
          expect(stateAt(after, moment)).toBe(containsMoment(range, moment) ? "unknown" : stateAt(before, moment));
        }
      }),
    );
  });

  test("adjacent ones fetched within a minute are merged with the older time", () => {
    expect(afterAll([provisional(0, 50_000), provisional(10, 90_000), provisional(20, 200_000)]).provisional).toEqual([
      { range: { startMs: 0, endMs: 20 }, fetchedAtMs: 50_000 },
      { range: { startMs: 20, endMs: 30 }, fetchedAtMs: 200_000 },
    ]);
  });

  test("are the same in the table as in a list", () => {
    fc.assert(
      fc.property(fc.array(responseRange, { maxLength: 12 }), (responses) => {
        const cache = cacheAfter(responses);
        const found = cache.coverage("a", "ztd", NATIVE);
        cache.close();
        expect(found).toEqual(afterAll(responses));
      }),
      { numRuns: 60 },
    );
  });
});
