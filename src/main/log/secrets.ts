/** Every way in which a key is commonly written. */
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
  // The longest first: what is left of one after another was replaced would tell something.
  return [...new Set(all)].filter((text) => text !== "").toSorted((a, b) => b.length - a.length);
}

/** What is the same in base64 wherever the key lies in a longer text, as in `user:key`. */
function inBase64(key: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), key])
      .toString("base64")
      .replace(/=+$/, "");
    // The first and the last sign share their bits with the neighbours.
    const from = before === 0 ? 0 : before + 1;
    const certain = text.slice(from, (before + key.length) % 3 === 0 ? undefined : -1);
    return certain.length >= 8 ? [certain] : [];
  });
}

/** Values of a header or field whose name says what it is, for keys that this process was never told. */
const NAMED =
  /((?:x-api-key|api[-_]?key|authorization|bearer)["']?\s*[:=]?\s*["']?(?:bearer\s+|basic\s+)?)[^\s"',;&}\]]{6,}/gi;

const MARK = "[key]";

/** Takes keys out of texts. */
export interface KeyScrubber {
  /** From now on this key is in no text. @returns whether it was not known before */
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
