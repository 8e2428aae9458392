import { eachStretch } from "./join.ts";
import { type Batch, inBatches } from "./series.ts";

/** One number for each of the two series. */
interface Both {
  a: number;
  b: number;
}

/** Sums over values minus their means: differences, their squares, squares of A, of B, and products. */
interface Deviations {
  away: number;
  squares: number;
  squaresA: number;
  squaresB: number;
  products: number;
}

/** Statistics of A − B, and their correlation; NaN if there are too few values. */
interface Differences {
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
 * @param stretches the rows to use, as `joinNearest` returns them; by default row by row
 */
export function differenceStatistics(
  a: Float64Array,
  b: Float64Array,
  stretches: Int32Array = Int32Array.of(0, 0, a.length),
): Differences {
  const [firstOfA = 0, firstOfB = 0] = stretches;
  const start: Both = { a: a[firstOfA] ?? 0, b: b[firstOfB] ?? 0 };
  const sums: Both = { a: 0, b: 0 };
  let n = 0;
  eachStretch(stretches, (ofA, ofB, length) => {
    inBatches(length, (batch) => addSums({ a, b, ofA, ofB, ...batch }, start, sums));
    n += length;
  });
  if (n === 0) return { n, biasMm: Number.NaN, stdMm: Number.NaN, rmsMm: Number.NaN, correlation: Number.NaN };
  const means: Both = { a: start.a + sums.a / n, b: start.b + sums.b / n };
  const about: Deviations = { away: 0, squares: 0, squaresA: 0, squaresB: 0, products: 0 };
  eachStretch(stretches, (ofA, ofB, length) => {
    inBatches(length, (batch) => addDeviations({ a, b, ofA, ofB, ...batch }, means, about));
  });
  const { away, squaresA, squaresB, products } = about;
  const off = away / n;
  const biasMm = means.a - means.b + off;
  const squares = Math.max(0, about.squares - off * away);
  return {
    n,
    biasMm,
    stdMm: n < 2 ? Number.NaN : Math.sqrt(squares / (n - 1)),
    rmsMm: Math.sqrt(biasMm * biasMm + squares / n),
    correlation: n < 2 ? Number.NaN : correlationOf(products, squaresA, squaresB),
  };
}

/** A batch of the pairs of a stretch, whose first rows in A and B are `ofA` and `ofB`. */
interface Pairs extends Batch {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly ofA: number;
  readonly ofB: number;
}

/** Adds the values of A and of B minus their first values. */
function addSums({ a, b, ofA, ofB, from, to }: Pairs, start: Readonly<Both>, sums: Both): void {
  let { a: sumA, b: sumB } = sums;
  const { a: startA, b: startB } = start;
  for (let i = from; i < to; i++) {
    sumA += a[ofA + i]! - startA;
    sumB += b[ofB + i]! - startB;
  }
  sums.a = sumA;
  sums.b = sumB;
}

function addDeviations({ a, b, ofA, ofB, from, to }: Pairs, means: Readonly<Both>, sums: Deviations): void {
  let { away, squares, squaresA, squaresB, products } = sums;
  const { a: meanA, b: meanB } = means;
  for (let i = from; i < to; i++) {
    const da = a[ofA + i]! - meanA;
    const db = b[ofB + i]! - meanB;
    away += da - db;
    squares += (da - db) * (da - db);
    squaresA += da * da;
    squaresB += db * db;
    products += da * db;
  }
  sums.away = away;
  sums.squares = squares;
  sums.squaresA = squaresA;
  sums.squaresB = squaresB;
  sums.products = products;
}

/** Returns the correlation; NaN if one of the two is constant. */
export function correlationOf(products: number, squaresA: number, squaresB: number): number {
  const scale = Math.sqrt(squaresA * squaresB);
  return scale > 0 ? Math.max(-1, Math.min(1, products / scale)) : Number.NaN;
}
