import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cache, openCache } from "#main/store/index.ts";
import type { Coverage } from "#shared/series/rows.ts";
import { containsMoment, type TimeRange } from "#shared/time/range.ts";
import { rangeSet } from "#shared/time/rangeset.ts";
import { temporaryFolders } from "../support/folder.ts";
import { writeRows } from "./model.ts";
import { gateCases } from "../support/endurance.ts";

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

function provisional(startMs: number, fetchedAtMs: number): ResponseRange {
  return { range: { startMs, endMs: startMs + 10 }, finalUntilMs: -Infinity, fetchedAtMs };
}

function cacheAfter(responses: readonly ResponseRange[]): Cache {
  const cache = openCache(`${folder()}/cache.db`);
  for (const { range, finalUntilMs, fetchedAtMs } of responses)
    writeRows(cache, { stationIds: ["a"], variables: ["ztd"], range, ...NATIVE }, [], { finalUntilMs, fetchedAtMs });
  return cache;
}

describe("extents", () => {
  test("are sorted and final after any final response, otherwise as old as the latest response", () => {
    fc.assert(
      fc.property(fc.array(responseRange, { maxLength: 12 }), (responses) => {
        const cache = cacheAfter(responses);
        const coverage = cache.coverage("a", "ztd", NATIVE);
        cache.close();
        expect(coverage.final).toEqual(rangeSet(coverage.final));
        const starts = coverage.provisional.map(({ range }) => range.startMs);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        for (let moment = 0; moment < END; moment++) {
          const touching = responses.filter(({ range }) => containsMoment(range, moment));
          const isFinal = touching.some((a) => moment < a.finalUntilMs);
          expect(stateAt(coverage, moment)).toBe(isFinal ? "final" : String(touching.at(-1)?.fetchedAtMs ?? "unknown"));
        }
      }),
      { numRuns: gateCases(60) },
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
    const cache = cacheAfter([provisional(0, 50_000), provisional(10, 90_000), provisional(20, 200_000)]);
    expect(cache.coverage("a", "ztd", NATIVE).provisional).toEqual([
      { range: { startMs: 0, endMs: 20 }, fetchedAtMs: 50_000 },
      { range: { startMs: 20, endMs: 30 }, fetchedAtMs: 200_000 },
    ]);
    cache.close();
  });
});
