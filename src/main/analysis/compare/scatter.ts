import type { Scatter } from "#shared/bridge/methods/compare.ts";

/** More points than this would overlap, so they are counted on a grid. */
const MAX_POINTS = 4_000;
const CELLS = 96;

/** Returns B over A: points if they are few, otherwise counts on a grid. */
export function scatterOf(aId: string, bId: string, a: Float64Array, b: Float64Array): Scatter {
  const n = a.length;
  if (n <= MAX_POINTS) return { kind: "points", aId, bId, n, a: a.slice(), b: b.slice() };
  const [alongA, alongB] = [limitsOf(a), limitsOf(b)];
  const counts = new Uint32Array(CELLS * CELLS);
  for (let i = 0; i < n; i++) counts[cellOf(b[i]!, alongB) * CELLS + cellOf(a[i]!, alongA)]!++;
  return { kind: "density", aId, bId, n, cells: CELLS, counts, a: alongA, b: alongB };
}

function limitsOf(values: Float64Array): { low: number; high: number } {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high > low ? { low, high } : { low: low - 0.5, high: high + 0.5 };
}

function cellOf(value: number, { low, high }: { low: number; high: number }): number {
  return Math.min(CELLS - 1, Math.floor(((value - low) / (high - low)) * CELLS));
}
