/**
 * The same names in the same order, those numbered that would meet: file systems take `A` and `a`, or two ways to write
 * `ä`, for one, and a file with satellites or stations has siblings `name-satellites` and `name-stations`.
 */
export function uniqueFileNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const [stem, ending] = partsOf(name);
    let free = name;
    for (let n = 2; meets(taken, keyOf(free)); n++) free = `${stem} (${n})${ending}`;
    taken.add(keyOf(free));
    return free;
  });
}

/** Twice: `ẞ` has one small form, and that has another capital. */
function keyOf(name: string): string {
  const [stem] = partsOf(name);
  return stem.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
}

const SIBLING = /^(?:-satellites|-stations|-iwv)?$/;

function meets(taken: ReadonlySet<string>, key: string): boolean {
  if (taken.has(key)) return true;
  for (const other of taken) {
    const [short, long] = other.length < key.length ? [other, key] : [key, other];
    if (long.startsWith(short) && SIBLING.test(long.slice(short.length))) return true;
  }
  return false;
}

function partsOf(name: string): readonly [stem: string, ending: string] {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
}
