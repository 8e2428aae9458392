/** Short enough that nobody waits for one piece. */
const PIECE = 20_000;

/**
 * The places of values in order of their size; equal ones in the order in which they are, NaN last either way.
 *
 * @param breathe called between pieces of work, so that others have their turn
 */
export async function sortedPlaces(
  values: Float64Array,
  isDescending: boolean,
  breathe: () => Promise<void>,
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
  for (let from = 0; from < n; from += PIECE) {
    places.subarray(from, from + PIECE).sort(compare);
    await breathe();
  }
  let merged = new Uint32Array(n);
  for (let width = PIECE; width < n; width *= 2) {
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
      if (at % PIECE === 0) await breathe();
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
