import { NUMBER_MARK } from "#shared/series/satelliteBlock.ts";

/**
 * A value of a satellite list is text with whole or decimal numbers in it: `45.1`, `45.1/38.2`, `L1:45`. What is left
 * when the numbers are taken out is its template; each number leaves a character beyond ASCII that tells its decimals.
 * Nothing is assumed of the layout, which the service does not state.
 */
export interface TemplateBook {
  /**
   * Reads one value, up to the next comma or the end of the text; its numbers are appended to `numbers`, scaled to
   * whole ones. Returns the number of its template, or -1 where it cannot be taken apart (not ASCII, too long).
   */
  read(text: string, from: number, numbers: number[]): number;
  /** Where the last value ended: the place of its comma, or the length of the text. */
  end(): number;
  templates(): readonly string[];
}

const MAX_TEMPLATES = 255;
/** No value of a satellite is that long; what is longer is better off with the other texts. */
const MAX_LENGTH = 120;
/** Eight digits fit 28 bits: second differences of them fit 31. */
const MAX_DIGITS = 8;

const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

export function templateBook(): TemplateBook {
  const texts: string[] = [];
  // By a sum over its characters: two templates that share one are noticed when the column is decoded and compared.
  const known = new Map<number, number>();
  let lastSum = Number.NaN;
  let lastId = -1;
  let at = 0;

  /** Goes through one value; every character of its template goes into the sum and, where wanted, into `template`. */
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
    end: () => at,
    templates: () => texts,
    read(text, from, numbers) {
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

/** A leading zero (`05`) is not part of a number: it would not come back. */
function beginsNumber(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isDigit(code) && !(code === ZERO && isDigit(text.charCodeAt(at + 1)));
}

/** Whether the number that begins here is 0, 0.0 …: a minus before it would be lost. */
function isZero(text: string, at: number): boolean {
  return /^0(?!\.\d*[1-9])/.test(text.slice(at, at + MAX_DIGITS + 3));
}
