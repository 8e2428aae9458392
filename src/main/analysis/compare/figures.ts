/** Figures of a difference and of the two that it is of; NaN where there are too few values. */
export interface DifferenceFigures {
  readonly n: number;
  readonly biasMm: number;
  readonly stdMm: number;
  readonly rmsMm: number;
  readonly correlation: number;
}

/**
 * Bias, standard deviation (n - 1) and root mean square of A − B, and Pearson's correlation of A and B. In two passes:
 * a large offset (a ZTD of 2,400 mm) costs no digits.
 */
export function figuresOf(a: Float64Array, b: Float64Array): DifferenceFigures {
  const n = a.length;
  if (n === 0) return { n, biasMm: Number.NaN, stdMm: Number.NaN, rmsMm: Number.NaN, correlation: Number.NaN };
  let sumA = 0;
  let sumB = 0;
  for (let i = 0; i < n; i++) {
    sumA += a[i]! - a[0]!;
    sumB += b[i]! - b[0]!;
  }
  const meanA = a[0]! + sumA / n;
  const meanB = b[0]! + sumB / n;
  let squaresA = 0;
  let squaresB = 0;
  let products = 0;
  let away = 0;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    const da = a[i]! - meanA;
    const db = b[i]! - meanB;
    away += da - db;
    squares += (da - db) * (da - db);
    squaresA += da * da;
    squaresB += db * db;
    products += da * db;
  }
  const off = away / n;
  const biasMm = meanA - meanB + off;
  squares = Math.max(0, squares - off * away);
  return {
    n,
    biasMm,
    stdMm: n < 2 ? Number.NaN : Math.sqrt(squares / (n - 1)),
    rmsMm: Math.sqrt(biasMm * biasMm + squares / n),
    correlation: n < 2 ? Number.NaN : correlationOf(products, squaresA, squaresB),
  };
}

/** NaN where one of the two does not move. */
export function correlationOf(products: number, squaresA: number, squaresB: number): number {
  const scale = Math.sqrt(squaresA * squaresB);
  return scale > 0 ? Math.max(-1, Math.min(1, products / scale)) : Number.NaN;
}
