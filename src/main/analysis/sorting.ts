/**
 * Returns a function for percentiles of these values, linear between the two nearest ranks, like numpy and most
 * spreadsheets; NaN without values. It reorders the values, but only as far as needed to find a rank (quickselect), which
 * is many times faster than sorting a year of them. Ascending shares (0 to 1) are found fastest.
 *
 * @param values without NaN
 */
export function percentilesOf(values: Float64Array): (share: number) => number {
  let from = 0;
  return (share) => {
    if (values.length === 0) return Number.NaN;
    const rank = share * (values.length - 1);
    const low = Math.floor(rank);
    // What was found for a larger share says nothing on the order of the values before it.
    const below = select(values, low, low < from ? 0 : from);
    from = low;
    if (rank === low || low + 1 >= values.length) return below;
    // All values after the rank are at least as large, so their minimum is the next one.
    let above = Infinity;
    for (let i = low + 1; i < values.length; i++) {
      const value = values[i]!;
      if (value < above) above = value;
    }
    return below + (above - below) * (rank - low);
  };
}

/** Returns the value that sorting would put at `rank`; values before `from` are known to be no larger than the rest. */
function select(values: Float64Array, rank: number, from: number): number {
  let left = from;
  let right = values.length - 1;
  while (left < right) {
    const pivot = middleOf(values[left]!, values[(left + right) >>> 1]!, values[right]!);
    let i = left;
    let k = right;
    while (i <= k) {
      while (values[i]! < pivot) i++;
      while (values[k]! > pivot) k--;
      if (i > k) break;
      const kept = values[i]!;
      values[i++] = values[k]!;
      values[k--] = kept;
    }
    if (rank <= k) right = k;
    else if (rank >= i) left = i;
    else break;
  }
  return values[rank]!;
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

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
