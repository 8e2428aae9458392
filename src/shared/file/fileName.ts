/**
 * Returns the names in the same order, with numbers added to names that would collide: file systems may not distinguish
 * `A` and `a`, or two encodings of `ä`, and a file with satellites or stations has siblings `name-satellites` and
 * `name-stations`. Names with different extensions never collide.
 */
export function uniqueFileNames(names: readonly string[]): string[] {
  const taken = new Map<string, Set<string>>();
  return names.map((name) => {
    const [stem, extension] = nameParts(name);
    const extensionKey = caselessKey(extension);
    const others = taken.get(extensionKey) ?? new Set();
    taken.set(extensionKey, others);
    let free = stem;
    for (let n = 2; collides(others, caselessKey(free)); n++) free = `${stem} (${n})`;
    others.add(caselessKey(free));
    return free + extension;
  });
}

/** Changes the case twice, because the capital of the small form of `ẞ` is another character. */
function caselessKey(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
}

const SIBLING = /^(?:-satellites|-stations|-iwv)?$/;

function collides(taken: ReadonlySet<string>, key: string): boolean {
  if (taken.has(key)) return true;
  for (const other of taken) {
    const [short, long] = other.length < key.length ? [other, key] : [key, other];
    if (long.startsWith(short) && SIBLING.test(long.slice(short.length))) return true;
  }
  return false;
}

function nameParts(name: string): readonly [stem: string, ending: string] {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
}

/** Maximum length of a file name on common file systems, in bytes of UTF-8. */
export const MAX_FILE_SYSTEM_NAME_BYTES = 255;
/** Anything longer after a dot is not an extension. */
const MAX_EXTENSION_BYTES = 20;

/**
 * Returns the name of a sibling file: `a.nc`, `-satellites` → `a-satellites.nc`. A name that would be too long is cut and
 * gets a hash of the whole name, so that long names with the same beginning have different siblings.
 *
 * @param after follows the extension: `a.nc`, ``, `.json` → `a.nc.json`
 */
export function siblingName(name: string, suffix: string, after = ""): string {
  const dot = name.lastIndexOf(".");
  const hasEnding = dot > 0 && utf8Bytes(name.slice(dot)) <= MAX_EXTENSION_BYTES;
  const stem = hasEnding ? name.slice(0, dot) : name;
  const end = suffix + (hasEnding ? name.slice(dot) : "") + after;
  const whole = stem + end;
  if (utf8Bytes(whole) <= MAX_FILE_SYSTEM_NAME_BYTES) return whole;
  const mark = `~${hashOf(name)}`;
  return cutToBytes(stem, MAX_FILE_SYSTEM_NAME_BYTES - utf8Bytes(mark + end)) + mark + end;
}

/** FNV-1a of 32 bits, in hex. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** Maximum length of a generated name in bytes of UTF-8: well below 255, to leave space for a number and an extension. */
export const MAX_NAME_BYTES = 120;

/** Device names that Windows reserves, with any extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i;

/**
 * Converts any text, such as a station name, to a file name (without folder and extension) that is valid on every desktop
 * system. Letters of all scripts are kept; forbidden characters become underscores; invisible ones (controls,
 * bidirectional overrides, zero-width characters) are removed. Never empty, never more than 120 bytes.
 */
export function portableFileName(text: string, fallback = "export"): string {
  // Bounds the work for very long texts: the name keeps at most MAX_NAME_BYTES characters.
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

/** Windows removes trailing dots and spaces; a leading dot hides a file; a leading dash looks like an option. */
function trimEnds(text: string): string {
  return text.replace(/^[\s.\-~]+/, "").replace(/[\s.]+$/, "");
}

/** Returns the length of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Cuts a text between characters to at most `max` bytes of UTF-8. */
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

/** Replaces the extension of a name. */
export function withExtension(name: string, extension: string): string {
  return `${name.replace(/\.[^.]*$/, "")}.${extension}`;
}
