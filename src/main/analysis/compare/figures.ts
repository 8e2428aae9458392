import { inBatches } from "./series.ts";

interface Starts {
  readonly a: number;
  readonly b: number;
}

/** Statistics of A − B, and their correlation; NaN if there are too few values. */
interface DifferenceFigures {
  readonly n: number;
  readonly biasMm: number;
  readonly stdMm: number;
  readonly rmsMm: number;
  readonly correlation: number;
}

/**
 * Returns bias, standard deviation (n - 1) and root mean square of A − B, and Pearson's correlation of A and B. In two passes:
 * a large offset (a ZTD of 2,400 mm) costs no digits.
 *
 * @param stretches the rows to use, from `joinNearest`; by default row by row
 */
export function figuresOf(
  a: Float64Array,
  b: Float64Array,
  stretches: Int32Array = Int32Array.of(0, 0, a.length),
): DifferenceFigures {
  const start = { a: a[stretches[0]!] ?? 0, b: b[stretches[1]!] ?? 0 };
  const sums = new Float64Array(2);
  let n = 0;
  for (let s = 0; s < stretches.length; s += 3) {
    const [ofA, ofB, length] = [stretches[s]!, stretches[s + 1]!, stretches[s + 2]!];
    inBatches(length, (from, to) => addSums(a, ofA + from, b, ofB + from, to - from, start, sums));
    n += length;
  }
  if (n === 0) return { n, biasMm: Number.NaN, stdMm: Number.NaN, rmsMm: Number.NaN, correlation: Number.NaN };
  const means = { a: start.a + sums[0]! / n, b: start.b + sums[1]! / n };
  const about = new Float64Array(5);
  for (let s = 0; s < stretches.length; s += 3) {
    const [ofA, ofB, length] = [stretches[s]!, stretches[s + 1]!, stretches[s + 2]!];
    inBatches(length, (from, to) => addProducts(a, ofA + from, b, ofB + from, to - from, means, about));
  }
  const [away = 0, squaresOff = 0, squaresA = 0, squaresB = 0, products = 0] = about;
  const off = away / n;
  const biasMm = means.a - means.b + off;
  const squares = Math.max(0, squaresOff - off * away);
  return {
    n,
    biasMm,
    stdMm: n < 2 ? Number.NaN : Math.sqrt(squares / (n - 1)),
    rmsMm: Math.sqrt(biasMm * biasMm + squares / n),
    correlation: n < 2 ? Number.NaN : correlationOf(products, squaresA, squaresB),
  };
}

/** Adds the values of A and of B minus their first values. */
function addSums(
  a: Float64Array,
  ofA: number,
  b: Float64Array,
  ofB: number,
  n: number,
  start: Starts,
  sums: Float64Array,
): void {
  let [sumA, sumB] = [sums[0]!, sums[1]!];
  const [startA, startB] = [start.a, start.b];
  for (let i = 0; i < n; i++) {
    sumA += a[ofA + i]! - startA;
    sumB += b[ofB + i]! - startB;
  }
  sums[0] = sumA;
  sums[1] = sumB;
}

/** Adds, for values minus their means: differences, their squares, squares of A, of B, and products. */
function addProducts(
  a: Float64Array,
  ofA: number,
  b: Float64Array,
  ofB: number,
  n: number,
  means: Starts,
  sums: Float64Array,
): void {
  let [away, squares, squaresA, squaresB, products] = [sums[0]!, sums[1]!, sums[2]!, sums[3]!, sums[4]!];
  const [meanA, meanB] = [means.a, means.b];
  for (let i = 0; i < n; i++) {
    const da = a[ofA + i]! - meanA;
    const db = b[ofB + i]! - meanB;
    away += da - db;
    squares += (da - db) * (da - db);
    squaresA += da * da;
    squaresB += db * db;
    products += da * db;
  }
  sums[0] = away;
  sums[1] = squares;
  sums[2] = squaresA;
  sums[3] = squaresB;
  sums[4] = products;
}

/** Returns the correlation; NaN if one of the two is constant. */
export function correlationOf(products: number, squaresA: number, squaresB: number): number {
  const scale = Math.sqrt(squaresA * squaresB);
  return scale > 0 ? Math.max(-1, Math.min(1, products / scale)) : Number.NaN;
}
