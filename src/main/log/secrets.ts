/** Common encodings of a key. */
export function spellingsOf(key: string): string[] {
  const bytes = Buffer.from(key);
  const json = JSON.stringify(key).slice(1, -1);
  const percent = encodeURIComponent(key);
  const all = [
    key,
    json,
    JSON.stringify(json).slice(1, -1),
    percent,
    percent.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll("%20", "+"),
    encodeURI(key),
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...inBase64(bytes),
  ];
  // Longest first, because replacing a shorter one could leave a part of a longer one.
  return [...new Set(all)].filter((text) => text !== "").toSorted((a, b) => b.length - a.length);
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
export interface KeyScrubber {
  /** Removes this key from all later texts. @returns whether it is new */
  hide(key: string): boolean;
  scrub(text: string): string;
}

export function createKeyScrubber(): KeyScrubber {
  let spellings: readonly string[] = [];
  const keys = new Set<string>();
  return {
    hide(key) {
      if (key === "" || keys.has(key)) return false;
      keys.add(key);
      spellings = [...new Set([...keys].flatMap(spellingsOf))].toSorted((a, b) => b.length - a.length);
      return true;
    },
    scrub(text) {
      let clean = text;
      for (const spelling of spellings) clean = clean.replaceAll(spelling, MARK);
      return clean.replaceAll(NAMED, `$1${MARK}`);
    },
  };
}
