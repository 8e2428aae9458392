import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainGaps, gapsBetween, type GapInput } from "#main/analysis/gaps.ts";
import { runsOf } from "#shared/time/runs.ts";
import { difference, rangeSet } from "#shared/time/rangeset.ts";

const S = 1_000;
const times = (...seconds: number[]) => runsOf(Float64Array.from(seconds, (s) => s * S));
const span = (from: number, to: number) => ({ startMs: from * S, endMs: to * S });
const every30 = (from: number, to: number) => Array.from({ length: (to - from) / 30 }, (_, i) => from + i * 30);

describe("gapsBetween", () => {
  it("finds a single missing epoch, also at the ends, and tolerates jitter", () => {
    expect(gapsBetween(times(0, 30, 90), span(0, 120), 30)).toEqual([span(60, 90)]);
    expect(gapsBetween(times(30, 60), span(0, 120), 30)).toEqual([span(0, 30), span(90, 120)]);
    expect(gapsBetween(times(0, 31, 59, 92), span(0, 120), 30)).toEqual([]);
    expect(gapsBetween(times(), span(0, 120), 30)).toEqual([span(0, 120)]);
    expect(gapsBetween(times(-30, 0, 30, 60), span(0, 60), 30)).toEqual([]);
  });

  it("finds exactly the epochs that were removed from a complete series", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(99), { maxLength: 99 }), fc.constantFrom(1, 30, 7_000), (out, step) => {
        const all = Array.from({ length: 100 }, (_, i) => (i - 50) * step);
        const kept = all.filter((_, i) => !out.includes(i));
        const gone = rangeSet(out.map((i) => span(all[i]!, all[i]! + step)));
        expect(gapsBetween(times(...kept), span(-50 * step, 50 * step), step)).toEqual(gone);
      }),
    );
  });
});

describe("explainGaps", () => {
  const input: GapInput = {
    range: span(0, 3_600),
    mode: { intervalSeconds: null, raw: false },
    epochSeconds: 30,
    coverage: { final: [span(0, 3_600)], provisional: [] },
    times: times(...every30(0, 900), ...every30(1_800, 3_600)),
    historicDataFromMs: 0,
    hasNeverSent: false,
    isForbidden: false,
    failed: [],
    raw: null,
  };
  const causes = (more: Partial<GapInput>) => explainGaps({ ...input, ...more }).map((g) => [g.range, g.cause]);

  it("distinguishes missing from rejected data only with the raw series", () => {
    expect(causes({})).toEqual([[span(900, 1_800), "nothingOrFiltered"]]);
    const raw = { coverage: input.coverage, times: times(...every30(0, 1_200)) };
    expect(causes({ raw })).toEqual([
      [span(900, 1_200), "filteredOut"],
      [span(1_200, 1_800), "nothingSent"],
    ]);
  });

  it("states that unconfirmed gaps are filtered out only where raw rows are newer", () => {
    const provisional = [{ range: span(600, 1_500), fetchedAtMs: 0 }];
    const coverage = { final: [span(0, 600), span(1_500, 3_600)], provisional };
    const raw = { coverage: input.coverage, times: times(...every30(0, 3_600)) };
    expect(causes({ coverage, raw })).toEqual([
      [span(900, 1_500), "mayStillArrive"],
      [span(1_500, 1_800), "filteredOut"],
    ]);
    expect(causes({ coverage, raw: { ...raw, newer: [span(600, 1_200)] } })).toEqual([
      [span(900, 1_200), "filteredOut"],
      [span(1_200, 1_500), "mayStillArrive"],
      [span(1_500, 1_800), "filteredOut"],
    ]);
  });

  it("judges gaps by the cadence of their time, where absences are confirmed", () => {
    const range = span(0, 8 * 3_600);
    // Every minute at first, later every 30 s; an hour is missing.
    const minutes = Array.from({ length: 180 }, (_, i) => i * 60);
    const rows = times(...minutes, ...every30(4 * 3_600, 8 * 3_600));
    const final = { coverage: { final: [range], provisional: [] }, range, times: rows };
    expect(causes(final)).toEqual([[span(3 * 3_600, 4 * 3_600), "nothingOrFiltered"]]);
    const open = { ...final, coverage: { final: [], provisional: [{ range, fetchedAtMs: 0 }] } };
    expect(causes(open)).toHaveLength(180);
  });

  it("accepts a gap of the raw series only where the raw series was requested", () => {
    const raw = { coverage: { final: [span(0, 1_500)], provisional: [] }, times: times(...every30(0, 1_200)) };
    expect(causes({ raw }).slice(1)).toEqual([
      [span(1_200, 1_500), "nothingSent"],
      [span(1_500, 1_800), "nothingOrFiltered"],
    ]);
    expect(causes({ mode: { intervalSeconds: null, raw: true } })).toEqual([[span(900, 1_800), "nothingSent"]]);
  });

  it("names ranges that were not requested, failed, are not final, or are before the first observation", () => {
    const cut = {
      times: times(),
      coverage: {
        final: [span(0, 600)],
        provisional: [{ range: span(3_000, 3_600), fetchedAtMs: 0 }],
      },
      failed: [span(300, 1_200)],
      historicDataFromMs: 315 * S,
    };
    expect(causes(cut)).toEqual([
      [span(0, 300), "beforeHistory"],
      [span(300, 600), "nothingOrFiltered"],
      [span(600, 1_200), "failed"],
      [span(1_200, 3_000), "notRequested"],
      [span(3_000, 3_600), "mayStillArrive"],
    ]);
    expect(causes({ ...cut, isForbidden: true })[2]).toEqual([span(600, 3_000), "noAccess"]);
    const never = { ...cut, historicDataFromMs: null, hasNeverSent: true };
    expect(causes(never)).toEqual([[span(0, 3_600), "nothingSent"]]);
  });

  it("takes the cause of a missing step from its epoch, if a download begins or ends within the step", () => {
    const pwv = { epochSeconds: 300, range: span(0, 3_600) };
    const rows = times(...Array.from({ length: 6 }, (_, i) => 1_500 + i * 300));
    const cached = { ...pwv, times: rows, coverage: { final: [span(1_260, 3_300)], provisional: [] } };
    expect(causes(cached)).toEqual([
      [span(0, 1_500), "notRequested"],
      [span(3_300, 3_600), "notRequested"],
    ]);
    const seconds = fc.nat(3_600);
    fc.assert(
      fc.property(seconds, seconds, seconds, (from, to, middle) => {
        const final = rangeSet([span(from, to)]);
        const later = difference(rangeSet([span(0, middle)]), final);
        const coverage = { final, provisional: later.map((range) => ({ range, fetchedAtMs: 0 })) };
        for (const { range } of explainGaps({ ...input, ...pwv, times: times(), coverage })) {
          expect([range, range.startMs % (300 * S), range.endMs % (300 * S)]).toEqual([range, 0, 0]);
        }
      }),
    );
  });

  it("counts intervals in an interval series", () => {
    const mode = { intervalSeconds: 900, raw: false };
    expect(causes({ mode, times: times(0, 1_800, 2_700) })).toEqual([[span(900, 1_800), "nothingOrFiltered"]]);
  });

  it("assigns exactly one cause to every part of a gap", () => {
    const ranges = fc
      .array(fc.tuple(fc.nat(3_600), fc.nat(1_000)), { maxLength: 4 })
      .map((pairs) => rangeSet(pairs.map(([from, length]) => span(from, from + length))));
    fc.assert(
      fc.property(
        ranges,
        ranges,
        ranges,
        ranges,
        fc.boolean(),
        fc.nat(3_600),
        (final, later, failed, rawFinal, isForbidden, from) => {
          const provisional = difference(later, final).map((range) => ({ range, fetchedAtMs: 0 }));
          const raw = { coverage: { final: rawFinal, provisional: [] }, times: times(...every30(0, 1_800)) };
          const coverage = { final, provisional };
          const found = explainGaps({ ...input, coverage, failed, isForbidden, raw, historicDataFromMs: from * S });
          const total = found.reduce((sum, g) => sum + g.range.endMs - g.range.startMs, 0);
          expect(total).toBe(900 * S);
          expect(rangeSet(found.map((g) => g.range))).toEqual([span(900, 1_800)]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
