import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeness, percent } from "#shared/series/statistics.ts";

describe("completeness", () => {
  it("is a share of the requested epochs, and unknown if none was requested", () => {
    expect([completeness(720, 2_880), completeness(0, 5), completeness(0, 0)]).toEqual([0.25, 0, null]);
    // A receiver may send between the epochs of its grid.
    expect(completeness(2_881, 2_880)).toBe(1);
  });

  it("is written as the nearest tenth of a percent, as complete only if it is, and as empty only if it is", () => {
    expect([0.59149, 0.5915, 0.99951, 0.9999999, 0.0000001].map((share) => percent(share))).toEqual([
      "59.1 %",
      "59.2 %",
      "99.9 %",
      "99.9 %",
      "0.1 %",
    ]);
    expect([percent(1), percent(0), percent(null)]).toEqual(["100 %", "0 %", "–"]);
    expect([percent(0.996, 0), percent(0.004, 0), percent(0.514, 0)]).toEqual(["99 %", "1 %", "51 %"]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), fc.nat(3), (n, decimals) => {
        const shown = Number.parseFloat(percent(n / 1_000_000, decimals));
        expect(shown).toBeGreaterThan(0);
        expect(shown).toBeLessThan(100);
        expect(Math.abs(shown - n / 10_000)).toBeLessThanOrEqual(10 ** -decimals);
      }),
    );
  });
});
