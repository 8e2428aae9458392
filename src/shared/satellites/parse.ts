import { MAX_BANDS, parseCn0, POSITIONS, type BandRegistry } from "./cn0.ts";
import { cutItems, parseValue, UNREADABLE } from "./values.ts";

const COMMA = 44;
const POINT = 46;
const SLASH = 47;
const ZERO = 48;
const NINE = 57;
/** So many digits and a point are exact in a double, and so is the power of ten below them. */
const MOST_CHARACTERS = 15;

/**
 * Reads the texts that nearly all are, `45.1,44.0` or `45.1/38.2,44.0/37.5`, in one pass and without a string in
 * between: plain decimals, `items` of them between the commas, each of one or more parts.
 *
 * @param columns receives part k of item i at `columns[k][i]`, NaN where an item has fewer parts; columns of another
 * length are replaced
 * @returns the most parts that an item has; 0 where anything in the text is out of the ordinary: `columns` then holds
 * nothing of use, and the text has to be read with care
 */
export function readPlain(text: string, items: number, columns: Float64Array[], mostParts: number): number {
  let item = 0;
  let part = 0;
  let most = 0;
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
      if (characters === 0 || characters > MOST_CHARACTERS || item >= items || part >= mostParts) return 0;
      if (part >= most) columnAt(columns, most++, items).fill(Number.NaN);
      columns[part]![item] = scale === 0 ? digits : digits / scale;
      part = code === SLASH ? part + 1 : 0;
      if (code === COMMA) item++;
      digits = scale = characters = 0;
    } else {
      return 0;
    }
  }
  return item === items ? most : 0;
}

function columnAt(columns: Float64Array[], place: number, items: number): Float64Array {
  const column = columns[place];
  return column?.length === items ? column : (columns[place] = new Float64Array(items));
}

/** What could not be understood; each is counted, none is guessed at. */
export const SATELLITE_PROBLEMS = {
  noSatellites: "rows with values of satellites that are not named (no prn), left out",
  unreadableSatellite: "satellite identifiers that are none, left out",
  duplicateSatellite: "satellites listed twice in one row; the first is kept",
  countMismatch: "texts whose number of values differs from the number of satellites (left empty)",
  unreadableValue: "values that are not numbers (left empty)",
} as const;

export type SatelliteProblem = keyof typeof SATELLITE_PROBLEMS;
export type SatelliteProblemCounts = Partial<Record<SatelliteProblem, number>>;

/**
 * The satellites of one row. The arrays belong to the parser and are reused: copy what must stay. `index` gives the
 * place of each satellite in the value arrays; NaN: no value.
 */
export interface SatelliteRow {
  readonly prns: readonly string[];
  readonly index: readonly number[];
  readonly elevationDeg: Float64Array;
  readonly azimuthDeg: Float64Array;
  /** One array per band of the registry, in dB-Hz. */
  readonly cn0DbHz: readonly Float64Array[];
}

/** What may name a satellite, without what stands around it. */
export const IDENTIFIER = /^[A-Za-z0-9_+-]{1,8}$/;
const NO_VALUES: Float64Array = new Float64Array(0);

interface Named {
  readonly text: string | null;
  /** Items of the text, understood or not: the other texts have to have as many. */
  readonly items: number;
  readonly prns: readonly string[];
  readonly index: readonly number[];
  readonly unreadable: number;
  readonly duplicates: number;
}

function identify(text: string | null): Named {
  const items = cutItems(text).map((item) => item.trim());
  const index = items.flatMap((item, i) => (IDENTIFIER.test(item) ? [i] : []));
  const seen = new Set<string>();
  const first = index.filter((i) => seen.size < seen.add(items[i]!).size);
  return {
    text,
    items: items.length,
    prns: first.map((i) => items[i]!),
    index: first,
    unreadable: items.length - index.length,
    duplicates: index.length - first.length,
  };
}

/**
 * Reads the comma-separated texts of `prn`, `el`, `az` and `snr`. The layout of `snr` is not stated by the service, so
 * several are accepted (see `parseCn0`); what fits none stays empty and is counted.
 */
export class SatelliteParser {
  readonly problems: SatelliteProblemCounts = {};
  readonly #bands: BandRegistry;
  #last: Named = identify(null);
  readonly #elevation: Float64Array[] = [];
  readonly #azimuth: Float64Array[] = [];
  readonly #parts: Float64Array[] = [];

  /** @param bands gathers the signal bands as they turn up; give the same one again for a second pass */
  constructor(bands: BandRegistry) {
    this.#bands = bands;
  }

  /** null is an absent text. A row without any satellite gives no entries. */
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

  /** Most rows name the same satellites as the row before: then so does the answer, problems included. */
  #identify(prn: string | null): Named {
    if (prn !== this.#last.text) this.#last = identify(prn);
    this.#count("unreadableSatellite", this.#last.unreadable);
    this.#count("duplicateSatellite", this.#last.duplicates);
    return this.#last;
  }

  #values(text: string | null, satellites: number, plain: Float64Array[]): Float64Array {
    if (!text || satellites === 0) return NO_VALUES;
    if (readPlain(text, satellites, plain, 1) === 1) return plain[0]!;
    const items = cutItems(text, satellites);
    if (items.length !== satellites) {
      this.#count("countMismatch");
      return NO_VALUES;
    }
    const values = new Float64Array(satellites);
    for (let i = 0; i < satellites; i++) {
      const value = parseValue(items[i]!);
      if (value === UNREADABLE) this.#count("unreadableValue");
      values[i] = value === UNREADABLE ? Number.NaN : value;
    }
    return values;
  }

  #cn0(text: string | null, satellites: number): Float64Array[] {
    if (!text || satellites === 0) return [];
    const parts = readPlain(text, satellites, this.#parts, MAX_BANDS);
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

  /** Parts without names are the bands of their places; null where there is no room for one more band. */
  #byBand(parts: number): Float64Array[] | null {
    const values: Float64Array[] = [];
    for (let part = 0; part < parts; part++) {
      const band = this.#bands.place(POSITIONS[part]!);
      if (band < 0) return null;
      values[band] = this.#parts[part]!;
    }
    // Bands that other texts name have no values here.
    for (let band = 0; band < this.#bands.names.length; band++) values[band] ??= NO_VALUES;
    return values;
  }

  #count(problem: SatelliteProblem, n = 1): void {
    if (n > 0) this.problems[problem] = (this.problems[problem] ?? 0) + n;
  }
}

/** The value of a satellite in one of the arrays of a row; NaN where the array has none. */
export function valueAt(values: Float64Array | undefined, index: number): number {
  return values?.[index] ?? Number.NaN;
}
