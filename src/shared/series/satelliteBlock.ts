import type { SeriesRows } from "./rows.ts";

/**
 * A number in a template: what stands there has no decimals; a character that is d further, d decimals. Beyond ASCII, so
 * that no text of a template can be taken for one.
 */
export const NUMBER_MARK = 0x80;

/** The values of one variable for each entry, taken apart into what repeats (their template) and whole numbers. */
export interface SatelliteMatrix {
  /** Texts with a character from `NUMBER_MARK` on in the place of each number: `45.1/38.2` has two of them. */
  readonly templates: readonly string[];
  /** Template of each entry, `NO_TEMPLATE` where its row has no value; empty where all entries have the only one. */
  readonly kinds: Uint8Array;
  /** The first, second … number of each entry, without its point; 0 where its template has none there. */
  readonly places: readonly Int32Array[];
}

export const NO_TEMPLATE = 255;

/**
 * Satellites of some rows as they lie in the cache, without the texts in between. The entries are those of all rows, in
 * the order of their lists of satellites; a row without a list has none.
 */
export interface SatelliteColumns {
  /** What stands between the commas of the lists, to the character, each once. */
  readonly names: readonly string[];
  /** Different lists of satellites: indices into `names`. */
  readonly lists: readonly Int32Array[];
  /** Which list each row has; -1: none. */
  readonly list: Int32Array;
  /** null: no row has a value. */
  readonly el: SatelliteMatrix | null;
  readonly az: SatelliteMatrix | null;
  readonly snr: SatelliteMatrix | null;
}

/** Satellite variables of one station in some rows of ascending time. */
export interface SatelliteBlock {
  readonly timesMs: Float64Array;
  /** null where the cache holds them in a layout that has no such numbers. */
  readonly columns: SatelliteColumns | null;
  /** The same rows with the texts as they came. */
  texts(): SeriesRows;
}

/** Rows of any other source. */
export function blockOfTexts(rows: SeriesRows): SatelliteBlock {
  return { timesMs: rows.timesMs, columns: null, texts: () => rows };
}
