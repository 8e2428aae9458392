import * as fc from "fast-check";
import { expect, it } from "vitest";
import { compareSources } from "#main/app/comparison/compare.ts";
import { fileRowsWithin, type Source } from "#main/app/comparison/sources.ts";
import type { ValueRows } from "#main/analysis/compare/series.ts";
import type { Comparison, Pairing } from "#shared/comparison.ts";
import { POINT } from "#shared/series/cell.ts";
import { heightsOf } from "#shared/station/position.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { valueOf } from "../support/valueOf.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 9, 10);

function sourceOf(name: string, rows: ValueRows, hasRange = true): Source {
  const [first = 0, last = 0] = [rows.timesMs[0], rows.timesMs.at(-1)];
  return {
    name,
    details: [],
    method: [],
    sites: [{ id: name, label: "KALL", stationId: null, domes: null, position: null }],
    range: hasRange ? { startMs: first, endMs: Math.ceil((last + 1) / 1_000) * 1_000 } : null,
    cellMs: () => 0,
    rows: (_, range) => Promise.resolve({ ok: true, value: fileRowsWithin(rows, range, { cell: POINT, factor: 1 }) }),
  };
}

const QUERY = {
  variable: "ztd",
  rejectSigmas: null,
  height: "none",
  groupings: [],
  withinKm: 1,
  chosen: { pairs: new Map<string, string>(), unmatchedA: new Set<string>(), unmatchedB: new Set<string>() },
} as const;
const NO_PACE = { yieldIfDue: () => Promise.resolve() };

async function compared(
  a: ValueRows,
  b: ValueRows,
  pairing: Pairing,
  { range = null, hasRangeA = true }: { readonly range?: TimeRange | null; readonly hasRangeA?: boolean } = {},
): Promise<Comparison> {
  return valueOf(
    await compareSources(sourceOf("a", a, hasRangeA), sourceOf("b", b), { ...QUERY, range, pairing }, NO_PACE),
  );
}

/** Rows from the start of the day, with values that differ from row to row. */
function series(stepMs: number, durationMs: number, offsetMs = 0): ValueRows {
  const timesMs = Float64Array.from({ length: durationMs / stepMs }, (_, i) => START + offsetMs + i * stepMs);
  return { timesMs, values: timesMs.map((t) => 2_400 + 30 * Math.sin((t - START) / 3e6)) };
}

function meansOf({ timesMs, values }: ValueRows, intervalMs: number): ValueRows {
  const groups = [...Map.groupBy(timesMs.keys(), (i) => Math.floor(timesMs[i]! / intervalMs) * intervalMs)];
  return {
    timesMs: Float64Array.from(groups, ([t]) => t),
    values: Float64Array.from(groups, ([, own]) => own.reduce((sum, i) => sum + values[i]!, 0) / own.length),
  };
}

const DURATION = 48 * HOUR;
const ranges = fc
  .tuple(fc.integer({ min: -2 * 60, max: 50 * 60 }), fc.integer({ min: 1, max: 52 * 60 }))
  .map(([start, length]) => ({ startMs: START + start * MINUTE, endMs: START + (start + length) * MINUTE }));
const steps = fc.constantFrom(0.5, 1, 5, 10, 30).map((minutes) => minutes * MINUTE);
const intervals = fc.constantFrom(1, 2, 6).map((hours) => hours * HOUR);

it("means of a series and its own hourly means are equal over any range, for each whole interval in it", async () => {
  await fc.assert(
    fc.asyncProperty(steps, intervals, ranges, fc.boolean(), async (stepMs, intervalMs, range, isSwapped) => {
      const rows = series(stepMs, DURATION);
      const sides = [rows, meansOf(rows, HOUR)] as const;
      const [a, b] = isSwapped ? [sides[1], sides[0]] : sides;
      const { pairs } = (await compared(a, b, { kind: "mean", intervalMs }, { range })).sites[0]!;
      const [from, to] = [Math.max(range.startMs, START), Math.min(range.endMs, START + DURATION)];
      const whole = Math.floor(to / intervalMs) - Math.ceil(from / intervalMs);
      expect(pairs.timesMs.length).toBe(Math.max(0, whole));
      expect(Math.max(0, ...pairs.a.map((value, i) => Math.abs(value - pairs.b[i]!)))).toBeLessThan(1e-9);
    }),
  );
});

it("means over the common range include the interval of the last row, but no interval that a file has only in part", async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.integer({ min: 0, max: 45 }),
      fc.integer({ min: 0, max: 45 }),
      fc.boolean(),
      async (stepMs, lateRows, earlyRows, hasRange) => {
        const rows = series(stepMs, DURATION);
        const end = rows.timesMs.length - earlyRows;
        const part = { timesMs: rows.timesMs.subarray(lateRows, end), values: rows.values.subarray(lateRows, end) };
        const pairing = { kind: "mean", intervalMs: HOUR } as const;
        const { sites, range } = await compared(part, meansOf(rows, HOUR), pairing, { hasRangeA: hasRange });
        const { pairs } = sites[0]!;
        const [from, to] = [part.timesMs[0]!, part.timesMs.at(-1)! + stepMs];
        expect(pairs.timesMs.length).toBe(Math.max(0, Math.floor(to / HOUR) - Math.ceil(from / HOUR)));
        expect(Math.max(0, ...pairs.a.map((value, i) => Math.abs(value - pairs.b[i]!)))).toBeLessThan(1e-9);
        expect(range.startMs).toBeLessThanOrEqual(Math.min(...pairs.timesMs));
        expect(range.endMs).toBeGreaterThanOrEqual(Math.max(...pairs.timesMs) + HOUR);
      },
    ),
  );
});

it("by default every epoch with a partner has a pair, also at the edges of the common range", async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.integer({ min: -14, max: 14 }),
      fc.boolean(),
      async (stepMs, offsetSeconds, hasRange) => {
        const fine = series(30_000, DURATION);
        const coarse = series(stepMs, 12 * HOUR, 6 * HOUR + offsetSeconds * 1_000);
        const late = series(30_000, DURATION, offsetSeconds * 1_000);
        const nearest = { kind: "nearest", toleranceMs: 30_000 } as const;
        for (const [a, b] of [
          [coarse, fine],
          [fine, coarse],
        ] as const) {
          if (stepMs === 30_000) break;
          for (const pairing of [nearest, { kind: "linear", mostGapMs: null }] as const)
            expect((await compared(a, b, pairing, { hasRangeA: hasRange })).overall.n).toBe(coarse.timesMs.length);
        }
        const { overall, range, sites } = await compared(fine, late, nearest);
        expect(overall.n).toBe(fine.timesMs.length);
        expect(range.startMs).toBeLessThanOrEqual(sites[0]!.pairs.timesMs[0]!);
        expect(range.endMs).toBeGreaterThan(sites[0]!.pairs.timesMs.at(-1)!);
      },
    ),
  );
});

it("epochs in a given range have their partner outside of it, too, but no other epochs have a pair", async () => {
  await fc.assert(
    fc.asyncProperty(ranges, fc.integer({ min: -15, max: 15 }), async (range, offsetSeconds) => {
      const fine = series(30_000, DURATION);
      const coarse = series(5 * MINUTE, DURATION - 30 * MINUTE, 15 * MINUTE + offsetSeconds * 1_000);
      const within = [...coarse.timesMs].filter((t) => t >= range.startMs && t < range.endMs);
      for (const pairing of [
        { kind: "nearest", toleranceMs: null },
        { kind: "linear", mostGapMs: null },
      ] as const) {
        const { sites } = await compared(fine, coarse, pairing, { range });
        expect([...sites[0]!.pairs.timesMs]).toEqual(within);
      }
    }),
  );
});

it("means have a pair only if the range does not cut their interval, also if both series have them", async () => {
  const rows = series(5 * MINUTE, DURATION);
  const hourly = { ...sourceOf("a", meansOf(rows, HOUR)), cellMs: () => HOUR };
  const range = { startMs: START + 30 * MINUTE, endMs: START + 4.5 * HOUR };
  for (const intervalMs of [HOUR, 2 * HOUR]) {
    const result = await compareSources(
      hourly,
      hourly,
      { ...QUERY, range, pairing: { kind: "mean", intervalMs } },
      NO_PACE,
    );
    const times = result.ok ? [...result.value.sites[0]!.pairs.timesMs] : [];
    const whole = intervalMs === HOUR ? [1, 2, 3] : [2];
    expect(times).toEqual(whole.map((hour) => START + hour * HOUR));
  }
});

/** With a height above the geoid. */
function positioned(source: Source, metres: number): Source {
  const position = { latitudeDeg: 60, longitudeDeg: 20, heights: heightsOf({ geoid: metres }) };
  return { ...source, sites: source.sites.map((site) => ({ ...site, position })) };
}

it("sites without a common epoch have no correction of heights", async () => {
  const sides = [series(30_000, 12 * HOUR), series(30_000, 6 * HOUR, 18 * HOUR)] as const;
  const [a, b] = sides.map((rows, i) => positioned(sourceOf(String(i), rows), 10 + 100 * i)) as [Source, Source];
  const range = { startMs: START, endMs: START + 24 * HOUR };
  const query = { ...QUERY, range, pairing: { kind: "nearest", toleranceMs: null }, height: "saastamoinen" } as const;
  const result = await compareSources(a, b, query, NO_PACE);
  expect(result).toMatchObject({ ok: true, value: { sites: [{ statistics: { n: 0 }, correctionMm: null }] } });
});
