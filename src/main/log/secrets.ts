const HTML_NAMES: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };
/** White space and invisible characters. */
const GAP = String.raw`[\s\u200b-\u200d\u2060\ufeff]*`;
/** A shortened key that is recognised: at least this many characters, and this share of all. */
const MIN_PREFIX = 8;
const MIN_PREFIX_SHARE = 0.75;

/**
 * Returns a pattern of all forms in which servers and libraries repeat a key: in any case, escaped as in URLs, JSON or HTML,
 * interrupted by white space or invisible characters, without its last characters, or encoded as base64 or hexadecimal.
 */
function keyPattern(key: string): RegExp {
  const characters = Array.from(key, characterPattern);
  const shortest = Math.max(MIN_PREFIX, Math.ceil(MIN_PREFIX_SHARE * characters.length));
  const rest = characters.slice(shortest).reduceRight((after, one) => `(?:${GAP}${one}${after})?`, "");
  const plain = characters.slice(0, shortest).join(GAP) + rest;
  return new RegExp([plain, ...encodingsOf(Buffer.from(key)).map(escaped)].join("|"), "gi");
}

function characterPattern(character: string): string {
  const percent = [...Buffer.from(character)].map((byte) => `%${hex(byte, 2)}`).join("");
  const json = [...Array(character.length).keys()]
    .map((i) => String.raw`\\+u${hex(character.charCodeAt(i), 4)}`)
    .join("");
  const code = character.codePointAt(0) ?? 0;
  const html = [`#0*${code}`, `#x0*${hex(code, 0)}`, ...(HTML_NAMES[character] ? [HTML_NAMES[character]] : [])];
  const plain = [...(character === " " ? [String.raw`\+`] : []), String.raw`\\*${escaped(character)}`];
  // Plain last: it would match the first character of an escape.
  return `(?:${[percent, json, `&(?:${html.join("|")});`, ...plain].join("|")})`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, "0");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function encodingsOf(bytes: Buffer): string[] {
  const all = [bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url"), bytes.toString("hex")];
  // Longest first, because the first alternative that fits is taken.
  return [...new Set([...all, ...inBase64(bytes)])].toSorted((a, b) => b.length - a.length);
}

/** The parts of the key's base64 that are the same at any offset in a longer text, such as `user:key`. */
function inBase64(key: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), key])
      .toString("base64")
      .replace(/=+$/, "");
    // The first and last characters share bits with neighbouring bytes.
    const from = before === 0 ? 0 : before + 1;
    const certain = text.slice(from, (before + key.length) % 3 === 0 ? undefined : -1);
    return certain.length >= 8 ? [certain] : [];
  });
}

/** Values of headers or fields that are named like a key, for keys that this process does not know. */
const NAMED =
  /((?:x-api-key|api[-_]?key|authorization|bearer)["']?\s*[:=]?\s*["']?(?:bearer\s+|basic\s+)?)[^\s"',;&}\]]{6,}/gi;

const MARK = "[key]";

/** Removes keys from texts. */
export class KeyScrubber {
  readonly #patterns = new Map<string, RegExp>();

  /** Removes this key from all later texts. @returns whether it is new */
  readonly hide = (key: string): boolean => {
    if (key === "" || this.#patterns.has(key)) return false;
    this.#patterns.set(key, keyPattern(key));
    return true;
  };

  readonly scrub = (text: string): string => {
    let clean = text;
    for (const pattern of this.#patterns.values()) clean = clean.replaceAll(pattern, MARK);
    return clean.replaceAll(NAMED, `$1${MARK}`);
  };

  constructor(...known: readonly string[]) {
    for (const key of known) this.hide(key);
  }
}
