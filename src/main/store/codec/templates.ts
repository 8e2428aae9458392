import { NUMBER_MARK } from "#shared/series/satelliteBlock.ts";

const MAX_TEMPLATES = 255;
/** No usual value is that long; longer ones are stored as text. */
const MAX_LENGTH = 120;
/** Eight digits fit into 28 bits, and their second differences into 31. */
const MAX_DIGITS = 8;

const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

/**
 * Creates a list of the templates of values in satellite lists. A value is text with whole or decimal numbers: `45.1`, `45.1/38.2`,
 * `L1:45`. Its template is the text with each number replaced by a character beyond ASCII that encodes its decimals.
 * Nothing else is assumed about the format, which the service does not specify.
 */
export function createTemplateBook() {
  const texts: string[] = [];
  // Keys are hashes of templates. A collision is noticed when the column is decoded and compared.
  const known = new Map<number, number>();
  let lastSum = Number.NaN;
  let lastId = -1;
  let at = 0;

  /** Scans one value; adds each character of its template to the hash and, if given, to `template`. */
  const scan = (text: string, from: number, numbers: number[], template: number[] | null): number | null => {
    let sum = 7;
    at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === COMMA) break;
      if (code >= NUMBER_MARK || at - from > MAX_LENGTH) return null;
      const start = code === MINUS ? at + 1 : at;
      if (!beginsNumber(text, start) || (code === MINUS && isZero(text, start))) {
        sum = (Math.imul(sum, 31) + code) | 0;
        template?.push(code);
        at++;
        continue;
      }
      at = start;
      let value = 0;
      let decimals = 0;
      let digit = text.charCodeAt(at);
      for (; isDigit(digit); digit = text.charCodeAt(++at)) value = value * 10 + digit - ZERO;
      if (digit === DOT && isDigit(text.charCodeAt(at + 1))) {
        digit = text.charCodeAt(++at);
        for (; isDigit(digit); digit = text.charCodeAt(++at), decimals++) value = value * 10 + digit - ZERO;
      }
      if (at - start > MAX_DIGITS + 1 || value >= 10 ** MAX_DIGITS) return null;
      numbers.push(code === MINUS ? -value : value);
      sum = (Math.imul(sum, 31) + NUMBER_MARK + decimals) | 0;
      template?.push(NUMBER_MARK + decimals);
    }
    return sum;
  };

  return {
    /** Returns the end of the last value: the position of its comma, or the length of the text. */
    end: () => at,
    templates: (): readonly string[] => texts,
    /**
     * Reads one value up to the next comma or the end of the text, and appends its numbers to `numbers`, scaled to whole
     * ones. Returns the index of its template, or -1 if it cannot be split (not ASCII, too long).
     */
    read(text: string, from: number, numbers: number[]): number {
      const sum = scan(text, from, numbers, null);
      if (sum === null) return -1;
      if (sum === lastSum) return lastId;
      let id = known.get(sum) ?? -1;
      if (id < 0 && texts.length < MAX_TEMPLATES) {
        const template: number[] = [];
        scan(text, from, [], template);
        id = texts.length;
        texts.push(String.fromCharCode(...template));
        known.set(sum, id);
      }
      lastSum = sum;
      lastId = id;
      return id;
    },
  };
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}

/** Returns whether a number begins here. A leading zero (`05`) is not part of a number, because it would be lost. */
function beginsNumber(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isDigit(code) && !(code === ZERO && isDigit(text.charCodeAt(at + 1)));
}

/** Returns whether the number that begins here is 0, 0.0 …: its minus sign would be lost. */
function isZero(text: string, at: number): boolean {
  return /^0(?!\.\d*[1-9])/.test(text.slice(at, at + MAX_DIGITS + 3));
}
