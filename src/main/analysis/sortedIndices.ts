/** Number of values sorted without interruption: few enough that other work is not delayed. */
const BATCH = 20_000;

/**
 * Returns the indices of the values in sorted order; equal values keep their order, NaN is last in both directions.
 *
 * @param yieldTurn called between parts of the work, so that other work gets its turn
 */
export async function sortedIndices(
  values: Float64Array,
  isDescending: boolean,
  yieldTurn: () => Promise<void>,
): Promise<Uint32Array> {
  const sign = isDescending ? -1 : 1;
  const compare = (a: number, b: number): number => {
    const x = values[a]!;
    const y = values[b]!;
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return x === y ? 0 : sign * (x < y ? -1 : 1);
  };
  const n = values.length;
  let places = Uint32Array.from(values, (_, i) => i);
  for (let from = 0; from < n; from += BATCH) {
    places.subarray(from, from + BATCH).sort(compare);
    await yieldTurn();
  }
  let merged = new Uint32Array(n);
  for (let width = BATCH; width < n; width *= 2) {
    for (let from = 0; from < n; from += 2 * width) {
      await merge(places, merged, { from, middle: Math.min(n, from + width), to: Math.min(n, from + 2 * width) });
    }
    [places, merged] = [merged, places];
  }
  return places;

  async function merge(of: Uint32Array, into: Uint32Array, part: Part): Promise<void> {
    let left = part.from;
    let right = part.middle;
    for (let at = part.from; at < part.to; at++) {
      if (at % BATCH === 0) await yieldTurn();
      const isLeft = right >= part.to || (left < part.middle && compare(of[left]!, of[right]!) <= 0);
      into[at] = of[isLeft ? left++ : right++]!;
    }
  }
}

interface Part {
  readonly from: number;
  readonly middle: number;
  readonly to: number;
}
