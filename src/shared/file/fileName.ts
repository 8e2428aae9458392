/**
 * The same names in the same order, those numbered that would meet: file systems take `A` and `a`, or two ways to write
 * `ä`, for one, and a file with satellites or stations has siblings `name-satellites` and `name-stations`. Names with
 * different endings never meet.
 */
export function uniqueFileNames(names: readonly string[]): string[] {
  const taken = new Map<string, Set<string>>();
  return names.map((name) => {
    const [stem, ending] = partsOf(name);
    const endingKey = keyOf(ending);
    const others = taken.get(endingKey) ?? new Set();
    taken.set(endingKey, others);
    let free = stem;
    for (let n = 2; meets(others, keyOf(free)); n++) free = `${stem} (${n})`;
    others.add(keyOf(free));
    return free + ending;
  });
}

/** Twice: `ẞ` has one small form, and that has another capital. */
function keyOf(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
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

/** Longest name that the usual file systems take, in bytes of UTF-8. */
export const LONGEST_NAME_BYTES = 255;
/** An ending is no longer; what is longer belongs to the name. */
const LONGEST_ENDING_BYTES = 20;

/**
 * The name of a file that lies beside another one: `a.nc`, `-satellites` → `a-satellites.nc`. A name that would be longer
 * than file systems take is cut, and marked with a number made of the whole, so that files whose names begin alike have
 * neighbours of different names.
 *
 * @param after what follows the ending: `a.nc`, ``, `.json` → `a.nc.json`
 */
export function besideName(name: string, suffix: string, after = ""): string {
  const dot = name.lastIndexOf(".");
  const hasEnding = dot > 0 && utf8Bytes(name.slice(dot)) <= LONGEST_ENDING_BYTES;
  const stem = hasEnding ? name.slice(0, dot) : name;
  const end = suffix + (hasEnding ? name.slice(dot) : "") + after;
  const whole = stem + end;
  if (utf8Bytes(whole) <= LONGEST_NAME_BYTES) return whole;
  const mark = `~${hashOf(name)}`;
  return cutToBytes(stem, LONGEST_NAME_BYTES - utf8Bytes(mark + end)) + mark + end;
}

/** FNV-1a of 32 bits, in hex. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** Longest name in bytes of UTF-8: file systems take 255, and there must be room for a number and an ending. */
export const MAX_NAME_BYTES = 120;

/** Names that Windows keeps for devices, whatever follows after a dot. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i;

/**
 * A name for a file (without folder and ending) that every desktop system takes, made from any text: a station name, for
 * example. Letters of all scripts stay; what is not allowed somewhere, or does not show (controls, bidirectional
 * overrides, zero-width characters), becomes an underscore or goes. Never empty, never more than 120 bytes.
 */
export function portableFileName(text: string, fallback = "export"): string {
  // No name keeps more than MAX_NAME_BYTES characters, so that a megabyte need not be looked at.
  const visible = text
    .slice(0, 4 * MAX_NAME_BYTES)
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\uFFFD]/gu, "")
    .replaceAll(/[<>:"/\\|?*]/g, "_")
    .replaceAll(/[\p{Z}\s]+/gu, " ");
  const trimmed = trimEnds(cutToBytes(trimEnds(visible), MAX_NAME_BYTES));
  if (trimmed === "") return fallback;
  return RESERVED.test(trimmed) ? `_${trimmed}` : trimmed;
}

/** Windows drops dots and spaces at the end; a dot at the beginning hides a file; a dash looks like an option. */
function trimEnds(text: string): string {
  return text.replace(/^[\s.\-~]+/, "").replace(/[\s.]+$/, "");
}

/** Bytes of a text as UTF-8. */
export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The beginning of a text that takes at most so many bytes as UTF-8, cut between characters. */
function cutToBytes(text: string, max: number): string {
  let bytes = 0;
  let kept = "";
  for (const character of text) {
    bytes += utf8Bytes(character);
    if (bytes > max) break;
    kept += character;
  }
  return kept;
}

/** The name with another ending, of a file that goes with it. */
export function withEnding(name: string, ending: string): string {
  return `${name.replace(/\.[^.]*$/, "")}.${ending}`;
}
