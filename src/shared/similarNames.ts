/** A name with at most this many wrong letters was probably meant. */
export const MAX_EDITS = 2;
/** Longer names are not compared: they are not misspellings. */
export const MAX_NAME_CHARACTERS = 64;

/**
 * Returns the known name that was most likely meant by `name`: one that differs in case, separators or few letters.
 *
 * @returns null if none is similar
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  const wanted = comparable(name);
  if (wanted === "" || wanted.length > MAX_NAME_CHARACTERS) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of known) {
    const distance = lettersBetween(wanted, comparable(candidate));
    if (distance <= tolerance(candidate) && distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

function comparable(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function tolerance(name: string): number {
  return name.length <= 4 ? 1 : MAX_EDITS;
}

/** Minimum number of letters to add, delete, replace or swap with a neighbour (optimal string alignment distance). */
export function lettersBetween(a: string, b: string): number {
  // Distances of the first i, i - 1 and i - 2 letters of `a` from the first j letters of `b`, by j.
  let distances = Array.from({ length: b.length + 1 }, (_, j) => j);
  let above: number[] = [];
  let aboveThat: number[] = [];
  let distance = b.length;
  for (let i = 1; i <= a.length; i++) {
    [aboveThat, above, distances] = [above, distances, [i]];
    distance = i;
    let diagonal = i - 1;
    for (const [k, straight] of above.slice(1).entries()) {
      const replaced = diagonal + (a[i - 1] === b[k] ? 0 : 1);
      const isSwapped = i > 1 && k > 0 && a[i - 1] === b[k - 1] && a[i - 2] === b[k];
      distance = Math.min(replaced, straight + 1, distance + 1, isSwapped ? aboveThat[k - 1]! + 1 : Infinity);
      distances.push(distance);
      diagonal = straight;
    }
  }
  return distance;
}
