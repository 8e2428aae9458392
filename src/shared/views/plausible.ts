/** A file of views nests eight deep, and panes of views a little more. */
const MOST_DEPTH = 64;
/** Five hundred views of five hundred stations. */
const MOST_NAMES = 250_000;

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Whether a text of JSON can be parsed and checked in little time: what nests thousands deep, or names a million things,
 * would keep every window waiting.
 */
export function isPlausibleJson(text: string): boolean {
  let depth = 0;
  let names = 0;
  let isInText = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isInText) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > MOST_DEPTH) return false;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    else if (code === COLON && ++names > MOST_NAMES) return false;
  }
  return true;
}
