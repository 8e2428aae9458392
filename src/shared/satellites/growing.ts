/** Numbers that come one by one, in one array that grows. */
export interface GrowingNumbers {
  readonly length: number;
  push(value: number): void;
  /** The numbers so far, in an array of their own. */
  take(): Float64Array;
}

/** Begins with `filled` times NaN. */
export function growingNumbers(filled = 0): GrowingNumbers {
  let values = new Float64Array(Math.max(1_024, 2 * filled)).fill(Number.NaN, 0, filled);
  let n = filled;
  return {
    get length() {
      return n;
    },
    push(value) {
      if (n === values.length) {
        const larger = new Float64Array(2 * n);
        larger.set(values);
        values = larger;
      }
      values[n++] = value;
    },
    take: () => values.slice(0, n),
  };
}
