import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seeded } from "../support/seeded.ts";
import { differenceStatistics } from "#main/analysis/compare/differences.ts";
import { commonRows } from "#main/analysis/compare/join.ts";
import { findLag } from "#main/analysis/compare/lag.ts";
import { countMarks, markValues } from "#main/analysis/compare/marks.ts";
import { gridMeans } from "#main/analysis/compare/means.ts";
import { pairEpochs } from "#main/analysis/compare/pairing.ts";
import { BATCH_ROWS, comparedSeries, type ComparedSeries } from "#main/analysis/compare/series.ts";
import { pixelColumn, PixelColumns } from "#main/analysis/decimate.ts";
import { drawnDifferences } from "#main/app/reading/drawn.ts";
import { RowCollector } from "#main/app/reading/rowCollector.ts";
import type { ScalarColumn } from "#shared/series/rows.ts";
import { gateShare } from "../support/endurance.ts";

// The optimized algorithms must match the simple ones.

const START_MS = Date.UTC(2026, 0, 10);
const STEP_MS = 30_000;

/** Rows with gaps, noise and marks; longer than two batches. */
function noisy(seed: number, options: { readonly every?: number; readonly asideMs?: number } = {}): ComparedSeries {
  const { every = 1, asideMs = 0 } = options;
  const next = seeded(seed);
  const rows = Array.from({ length: 2 * BATCH_ROWS + 700 }, (_, i) => i).filter(
    (i) => i % every === 0 && next() > 0.02,
  );
  const timesMs = Float64Array.from(rows, (i) => START_MS + i * STEP_MS + asideMs);
  const value = (i: number): number => Math.round(10 * (2_400 + 20 * Math.sin(i / 300 + seed) + 3 * next())) / 10;
  const values = Float64Array.from(rows, value);
  const flags = Uint8Array.from(rows, () => (next() > 0.97 ? 1 + Math.floor(15 * next()) : 0));
  return comparedSeries({ timesMs, values }, 0, flags);
}

/** Finds the nearest row for each row of the series with fewer rows by exhaustive search. */
function plainJoin(a: ComparedSeries, b: ComparedSeries) {
  const [base, other] = b.timesMs.length < a.timesMs.length ? [b, a] : [a, b];
  const half = Math.min(a.stepMs, b.stepMs) / 2;
  /** By row of the other series, its row of the base. */
  const used = new Map<number, { readonly i: number; readonly apartMs: number }>();
  base.timesMs.forEach((timeMs, i) => {
    let best = { k: -1, apartMs: Infinity };
    other.timesMs.forEach((otherMs, k) => {
      const apartMs = Math.abs(otherMs - timeMs);
      if (apartMs < best.apartMs || (apartMs === best.apartMs && used.has(best.k))) best = { k, apartMs };
    });
    if (best.apartMs <= half && !((used.get(best.k)?.apartMs ?? Infinity) <= best.apartMs))
      used.set(best.k, { i, apartMs: best.apartMs });
  });
  const pairs = [...used].map(([k, { i }]) => ({ k, i })).toSorted((x, y) => x.i - y.i);
  const isFlagged = ({ k, i }: (typeof pairs)[number]): boolean =>
    (base.flags?.[i] ?? 0) > 0 || (other.flags?.[k] ?? 0) > 0;
  const found = pairs
    .filter((pair) => !isFlagged(pair))
    .map(({ k, i }) => {
      const [one, two] = [base.values[i]!, other.values[k]!];
      return { timeMs: base.timesMs[i]!, ...(base === a ? { a: one, b: two } : { a: two, b: one }) };
    });
  return { found, flagged: pairs.length - found.length };
}

const NEAREST = { kind: "nearest", toleranceMs: null } as const;
const EVERYTHING = { range: { startMs: -Infinity, endMs: Infinity }, isOpen: false };

function withoutFlags(series: ComparedSeries): ComparedSeries {
  return { ...series, flags: null };
}

const PAIRS = [
  ["at the same times", noisy(1), noisy(2)],
  ["at shifted times", noisy(3), noisy(4, { asideMs: 4_000 })],
  ["exactly between the epochs of each other", noisy(13), noisy(14, { asideMs: STEP_MS / 2 })],
  ["of which the first is coarser", noisy(5, { every: 5 }), noisy(6)],
  ["of which the second is coarser and shifted", noisy(7), noisy(8, { every: 10, asideMs: -11_000 })],
] as const;

describe.each(gateShare(PAIRS))("two series %s", (_, a, b) => {
  it.each([false, true])("have the common epochs of an exhaustive search, with flags: %s", (hasFlags) => {
    const sides = hasFlags ? ([a, b] as const) : ([withoutFlags(a), withoutFlags(b)] as const);
    const { found, flagged } = plainJoin(...sides);
    const joined = pairEpochs(...sides, NEAREST, EVERYTHING);
    const rows = commonRows(joined);
    expect(joined).toMatchObject({ n: found.length, flagged });
    expect([...rows.timesMs]).toEqual(found.map((row) => row.timeMs));
    expect([...rows.a]).toEqual(found.map((row) => row.a));
    expect([...rows.b]).toEqual(found.map((row) => row.b));
    // Adjacent rows form one stretch: no two stretches can be joined.
    const { stretches } = joined;
    for (let s = 3; s < stretches.length; s += 3) {
      const gap = [0, 1].map((side) => stretches[s + side]! - stretches[s - 3 + side]! - stretches[s - 1]!);
      expect(Math.max(...gap)).toBeGreaterThan(0);
      expect(Math.min(...gap)).toBeGreaterThanOrEqual(0);
    }
    // Statistics over stretches equal statistics over rows.
    expect(differenceStatistics(joined.a.values, joined.b.values, stretches)).toEqual(
      differenceStatistics(rows.a, rows.b),
    );
  });

  it("are drawn as the differences of their common rows, as columns or rows", () => {
    const rows = commonRows(pairEpochs(withoutFlags(a), withoutFlags(b), NEAREST, EVERYTHING));
    const range = { startMs: START_MS + 3_600_000, endMs: START_MS + 90_000_000 };
    const columns = 37;
    const drawing = { stationId: "s", range, variable: "ztd" } as const;
    const drawn = drawnDifferences({ ...drawing, columns }, rows);
    if (drawn.kind !== "columns") throw new Error("columns were expected");
    const plain = Array.from({ length: columns }, () => [] as number[]);
    rows.timesMs.forEach((timeMs, i) => {
      const inside = timeMs >= range.startMs && timeMs < range.endMs;
      if (inside) plain[pixelColumn(timeMs, range, columns)]!.push(rows.a[i]! - rows.b[i]!);
    });
    const { count, min, max, mean } = drawn.variables.ztd!;
    plain.forEach((values, c) => {
      expect([count[c], min[c], max[c]]).toEqual(
        values.length === 0 ? [0, NaN, NaN] : [values.length, Math.min(...values), Math.max(...values)],
      );
      expect(mean[c]).toBe(values.length === 0 ? NaN : values.reduce((sum, v) => sum + v, 0) / values.length);
    });
    const all = drawnDifferences({ ...drawing, columns: 1e4 }, rows);
    expect(all).toMatchObject({ kind: "rows", timesMs: rows.timesMs });
  });

  it("have the lag with the highest correlation", () => {
    const gridMs = 300_000;
    const sparse = [a, b].find((s) => 2 * s.stepMs > gridMs);
    const firstMs = sparse?.timesMs[0] ?? 0;
    const [ofA, ofB] = [a, b].map(withoutFlags).map((s) => plainGrid(s, gridMs, firstMs)) as [
      Map<number, number>,
      Map<number, number>,
    ];
    const lag = findLag(withoutFlags(a), withoutFlags(b));
    let best = { seconds: 0, correlation: -2 };
    for (let shift = -72; shift <= 72; shift++) {
      const common = [...ofA].flatMap(([timeMs, value]) => {
        const other = ofB.get(timeMs + shift * gridMs);
        return other === undefined ? [] : [[value, other] as const];
      });
      const { correlation } = differenceStatistics(
        Float64Array.from(common, ([x]) => x),
        Float64Array.from(common, ([, y]) => y),
      );
      if (correlation > best.correlation) best = { seconds: (shift * gridMs) / 1_000, correlation };
    }
    expect(lag!.seconds).toBe(best.seconds);
    expect(lag!.correlation).toBeCloseTo(best.correlation, 9);
  });
});

/** Values around the moments of a grid: means of dense series, interpolated values of others. */
function plainGrid({ timesMs, values, stepMs }: ComparedSeries, gridMs: number, momentMs: number): Map<number, number> {
  const found = new Map<number, number>();
  const [firstMs, lastMs] = [timesMs[0]!, timesMs.at(-1)!];
  for (let atMs = momentMs + Math.floor((firstMs - momentMs) / gridMs) * gridMs; atMs <= lastMs; atMs += gridMs) {
    const half = gridMs / 2;
    const next = timesMs.findIndex((timeMs) => timeMs >= atMs);
    if (2 * stepMs > gridMs) {
      const share = (atMs - timesMs[next - 1]!) / (timesMs[next]! - timesMs[next - 1]!);
      if (timesMs[next] === atMs) found.set(atMs, values[next]!);
      else if (timesMs[next]! - timesMs[next - 1]! <= 2.5 * stepMs)
        found.set(atMs, values[next - 1]! + share * (values[next]! - values[next - 1]!));
    } else if (atMs - half > firstMs - stepMs && atMs + half <= lastMs + 1.1 * stepMs) {
      const own = values.filter((_, i) => timesMs[i]! >= atMs - half && timesMs[i]! < atMs + half);
      if (own.length > 0) found.set(atMs, own.reduce((sum, v) => sum + v, 0) / own.length);
    }
  }
  return found;
}

function scalar(values: Float64Array): ScalarColumn {
  return { kind: "scalar", values, present: null };
}

describe("in batches", () => {
  it("means equal the plain means of their rows, with all flags", () => {
    const series = noisy(11);
    for (const stepMs of [60_000, 300_000, 7_200_000]) {
      const plain = new Map<number, { values: number[]; mark: number }>();
      series.timesMs.forEach((timeMs, i) => {
        const start = Math.floor(timeMs / stepMs) * stepMs;
        const group = plain.get(start) ?? { values: [], mark: 0 };
        group.values.push(series.values[i]!);
        group.mark |= series.flags![i]!;
        plain.set(start, group);
      });
      const means = gridMeans(series, stepMs);
      const [firstMs, lastMs] = [series.timesMs[0]!, series.timesMs.at(-1)!];
      const groups = [...plain].filter(
        ([start]) => start > firstMs - STEP_MS && start + stepMs <= lastMs + 1.1 * STEP_MS,
      );
      expect([...means.timesMs]).toEqual(groups.map(([start]) => start));
      expect([...means.values]).toEqual(
        groups.map(([, g]) => g.values.reduce((sum, v) => sum + v, 0) / g.values.length),
      );
      expect([...means.flags!]).toEqual(groups.map(([, g]) => g.mark));
    }
  });

  it("marks are set and counted as in a row-by-row calculation, across batch boundaries", () => {
    const series = noisy(12);
    // A constant value across one batch boundary, and a step at the next.
    const values = series.values.slice();
    values.fill(2_400.1, BATCH_ROWS - 150, BATCH_ROWS + 150);
    const timesMs = series.timesMs.map((timeMs, i) => timeMs + (i >= 2 * BATCH_ROWS ? 7_200_000 : 0));
    values[2 * BATCH_ROWS] = 2_300;
    const settings = {
      range: { min: 2_385, max: 2_415 },
      sigmaMm: 2_410,
      step: { gapMinutes: 60, stepMm: 20, settleMinutes: 30 },
      stuckMinutes: 60,
    };
    const flags = markValues(timesMs, values, values, settings)!;
    const plain = Array.from(values, (value, i) => {
      const isStuck = i >= BATCH_ROWS - 150 && i < BATCH_ROWS + 150;
      const isSettling = timesMs[i]! >= timesMs[2 * BATCH_ROWS]! && timesMs[i]! < timesMs[2 * BATCH_ROWS]! + 1_800_000;
      return {
        range: Number(value < 2_385 || value > 2_415),
        sigma: Number(value > 2_410),
        step: Number(isSettling),
        stuck: Number(isStuck),
      };
    });
    expect(Array.from(flags, (_, i) => countMarks(flags.subarray(i, i + 1)).counts)).toEqual(plain);
    const of = (kind: "range" | "sigma" | "step" | "stuck"): number => plain.reduce((sum, each) => sum + each[kind], 0);
    expect(countMarks(flags)).toEqual({
      marked: plain.filter((each) => Object.values(each).some((n) => n > 0)).length,
      counts: { range: of("range"), sigma: of("sigma"), step: of("step"), stuck: of("stuck") },
    });
  });

  it("values are assigned to the columns of their times", () => {
    const range = { startMs: START_MS, endMs: START_MS + 1_000 };
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.double({ min: START_MS - 50, max: START_MS + 1_050, noNaN: true }), { maxLength: 300 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 50 }),
        (moments, columns, batch) => {
          const timesMs = Float64Array.from(moments).toSorted();
          const pixels = new PixelColumns(range, columns);
          for (let from = 0; from < timesMs.length; from += batch) {
            const part = timesMs.subarray(from, from + batch);
            pixels.add(part, part);
          }
          const inside = [...timesMs].filter((t) => t >= range.startMs && t < range.endMs);
          const { count, min, max } = pixels.finish();
          const of = (c: number): number[] =>
            inside.filter((t) => Math.min(columns - 1, pixelColumn(t, range, columns)) === c);
          count.forEach((n, c) => {
            expect(n).toBe(of(c).length);
            expect(min[c]).toBe(of(c).at(0) ?? NaN);
            expect(max[c]).toBe(of(c).at(-1) ?? NaN);
          });
        },
      ),
    );
  });

  it("rows without a value are skipped, for any expected number of rows", () => {
    const blocks = fc.array(
      fc.array(fc.tuple(fc.constantFrom(1, 2.5, NaN, Infinity, -0), fc.boolean()), { maxLength: 9 }),
    );
    fc.assert(
      fc.property(blocks, fc.integer({ min: 0, max: 30 }), (all, expected) => {
        const kept = new RowCollector("ztd", expected, true);
        let row = 0;
        const plain: number[][] = [];
        for (const block of all) {
          const times = Float64Array.from(block, (_, i) => row + i);
          const values = Float64Array.from(block, ([value, isPresent]) => (isPresent ? value : Number.NaN));
          kept.add({ timesMs: times, columns: { ztd: scalar(values), ztd_sigma: scalar(times) } });
          block.forEach(([value, isPresent], i) => {
            if (isPresent && Number.isFinite(value)) plain.push([row + i, value, row + i]);
          });
          row += block.length;
        }
        const { timesMs, values, sigma } = kept.finish();
        expect(Array.from(timesMs, (timeMs, i) => [timeMs, values[i], sigma![i]])).toEqual(plain);
      }),
    );
  });
});
