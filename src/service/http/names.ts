/** Longer names are not compared: they are no misspellings. */
const MAX_NAME_CHARACTERS = 64;

/**
 * Returns the known name that was most likely meant by `name`: one that differs in case, separators or few letters.
 *
 * @returns null if none is similar
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  const wanted = plain(name);
  if (wanted === "" || wanted.length > MAX_NAME_CHARACTERS) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of known) {
    const distance = lettersBetween(wanted, plain(candidate));
    if (distance <= tolerance(candidate) && distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** `There is no field “station_id”: did you mean “station_ids”?` */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  const hint = meant === null ? `the ${kind}s are ${known.join(", ")}.` : `did you mean “${meant}”?`;
  const shown = name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name;
  return `There is no ${kind} “${shown}”: ${hint}`;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function tolerance(name: string): number {
  return name.length <= 4 ? 1 : 2;
}

/** Minimum number of letters to add, delete, replace or swap with a neighbour (optimal string alignment distance). */
function lettersBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1, isSwapped ? before[j - 2]! + 1 : Infinity));
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
