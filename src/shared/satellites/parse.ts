import { defined } from "#shared/defined.ts";
import { MAX_BANDS, nameAt, parseCn0, type BandRegistry } from "./cn0.ts";
import type { SatelliteProblem, SatelliteProblemCounts } from "./problems.ts";
import { cutItems, parseValue, UNREADABLE } from "./values.ts";

const COMMA = 44;
const POINT = 46;
const SLASH = 47;
const ZERO = 48;
const NINE = 57;
/** Decimals of this length, including the point, are quotients of two integers that are exact in a double. */
const MAX_CHARACTERS = 15;

/**
 * Parses the usual texts, `45.1,44.0` or `45.1/38.2,44.0/37.5`, in one pass without intermediate strings: `items` items
 * separated by commas, each of one or more plain decimals separated by slashes.
 *
 * @param columns receives part k of item i at `columns[k][i]`, NaN if an item has fewer parts; columns of another length
 * are replaced
 * @returns the largest number of parts of an item; 0 for any other text: `columns` is then undefined, and the text has to
 * be parsed by the slower functions
 */
function parsePlain(text: string, items: number, columns: Float64Array[], maxParts: number): number {
  let item = 0;
  let part = 0;
  let partCount = 0;
  let digits = 0;
  let scale = 0;
  let characters = 0;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : COMMA;
    if (code >= ZERO && code <= NINE) {
      digits = digits * 10 + code - ZERO;
      scale *= 10;
      characters++;
    } else if (code === POINT && scale === 0 && characters > 0) {
      scale = 1;
      characters++;
    } else if (code === COMMA || code === SLASH) {
      if (characters === 0 || characters > MAX_CHARACTERS || item >= items || part >= maxParts) return 0;
      if (part >= partCount) columnAt(columns, partCount++, items).fill(Number.NaN);
      columns[part]![item] = scale === 0 ? digits : digits / scale;
      part = code === SLASH ? part + 1 : 0;
      if (code === COMMA) item++;
      digits = scale = characters = 0;
    } else {
      return 0;
    }
  }
  return item === items ? partCount : 0;
}

function columnAt(columns: Float64Array[], index: number, items: number): Float64Array {
  const column = columns[index];
  return column?.length === items ? column : (columns[index] = new Float64Array(items));
}

/**
 * The satellites of one row. The arrays belong to the parser and are reused for the next row. `index` is the position of
 * each satellite in the value arrays; NaN: no value.
 */
interface SatelliteRow {
  readonly prns: readonly string[];
  readonly index: readonly number[];
  readonly elevationDeg: Float64Array;
  readonly azimuthDeg: Float64Array;
  /** One array per band of the registry, in dB-Hz. */
  readonly cn0DbHz: readonly Float64Array[];
}

/** Pattern of a satellite identifier. */
export const IDENTIFIER = /^[A-Za-z0-9_+-]{1,8}$/;
const NO_VALUES: Float64Array = new Float64Array(0);

interface Named {
  readonly text: string | null;
  /** Number of items, valid or not: the other texts must have the same number. */
  readonly items: number;
  readonly prns: readonly string[];
  readonly index: readonly number[];
  readonly unreadable: number;
  readonly duplicates: number;
}

function identify(text: string | null): Named {
  const items = cutItems(text).map((item) => item.trim());
  const readable = items.flatMap((prn, index) => (IDENTIFIER.test(prn) ? [{ prn, index }] : []));
  const seen = new Set<string>();
  const first = readable.filter(({ prn }) => seen.size < seen.add(prn).size);
  return {
    text,
    items: items.length,
    prns: first.map(({ prn }) => prn),
    index: first.map(({ index }) => index),
    unreadable: items.length - readable.length,
    duplicates: readable.length - first.length,
  };
}

/**
 * Parses the comma-separated texts of `prn`, `el`, `az` and `snr`. The specification does not define the layout of `snr`,
 * so several are accepted (see `parseCn0`); other texts give no values and are counted.
 */
export class SatelliteParser {
  readonly problems: SatelliteProblemCounts = {};
  readonly #bands: BandRegistry;
  #last: Named = identify(null);
  readonly #elevation: Float64Array[] = [];
  readonly #azimuth: Float64Array[] = [];
  readonly #parts: Float64Array[] = [];

  /** @param bands collects signal bands; pass the same one for a second pass */
  constructor(bands: BandRegistry) {
    this.#bands = bands;
  }

  /** Parses the texts of a row; null is an absent text. A row without satellites has no entries. */
  parse(prn: string | null, el: string | null, az: string | null, snr: string | null): SatelliteRow {
    const { items, prns, index } = this.#identify(prn);
    if (items === 0 && (el || az || snr)) this.#count("noSatellites");
    return {
      prns,
      index,
      elevationDeg: this.#values(el, items, this.#elevation),
      azimuthDeg: this.#values(az, items, this.#azimuth),
      cn0DbHz: this.#cn0(snr, items),
    };
  }

  /** Most rows name the same satellites as the previous one, whose result is then reused. */
  #identify(prn: string | null): Named {
    if (prn !== this.#last.text) this.#last = identify(prn);
    this.#count("unreadableSatellite", this.#last.unreadable);
    this.#count("duplicateSatellite", this.#last.duplicates);
    return this.#last;
  }

  #values(text: string | null, satellites: number, plain: Float64Array[]): Float64Array {
    if (!text || satellites === 0) return NO_VALUES;
    if (parsePlain(text, satellites, plain, 1) === 1) return plain[0] ?? NO_VALUES;
    const items = cutItems(text, satellites);
    if (items.length !== satellites) {
      this.#count("countMismatch");
      return NO_VALUES;
    }
    return Float64Array.from(items, (item) => {
      const value = parseValue(item);
      if (value !== UNREADABLE) return value;
      this.#count("unreadableValue");
      return Number.NaN;
    });
  }

  #cn0(text: string | null, satellites: number): Float64Array[] {
    if (!text || satellites === 0) return [];
    const parts = parsePlain(text, satellites, this.#parts, MAX_BANDS);
    const plain = parts > 0 ? this.#byBand(parts) : null;
    if (plain) return plain;
    const parsed = parseCn0(text, satellites, this.#bands);
    if (parsed === null) {
      this.#count("countMismatch");
      return [];
    }
    this.#count("unreadableValue", parsed.unreadable);
    return parsed.values;
  }

  /** Assigns unnamed parts to bands by position; null if there are too many bands. */
  #byBand(parts: number): Float64Array[] | null {
    const values: Float64Array[] = [];
    for (const [position, ofPart] of this.#parts.slice(0, parts).entries()) {
      const band = this.#bands.indexOf(defined(nameAt(position)));
      if (band < 0) return null;
      values[band] = ofPart;
    }
    // Bands named by other texts have no values here.
    for (let band = 0; band < this.#bands.names.length; band++) values[band] ??= NO_VALUES;
    return values;
  }

  #count(problem: SatelliteProblem, n = 1): void {
    if (n > 0) this.problems[problem] = (this.problems[problem] ?? 0) + n;
  }
}

/** Returns the value of a satellite in an array of a row; NaN if the array is absent or too short. */
export function satelliteValue(values: Float64Array | undefined, index: number): number {
  return values?.[index] ?? Number.NaN;
}
