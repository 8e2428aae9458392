import type { SeriesRows } from "./rows.ts";

/**
 * Placeholder of a number in a template: the character with code `NUMBER_MARK + d` stands for a number with d decimals.
 * Beyond ASCII, so that it cannot be confused with the template's text.
 */
export const NUMBER_MARK = 0x80;

/** The values of one variable for each entry, split into repeated templates and integers. */
export interface SatelliteMatrix {
  /** Texts with placeholders for numbers (see `NUMBER_MARK`): `45.1/38.2` has two. */
  readonly templates: readonly string[];
  /** Template of each entry, `NO_TEMPLATE` if its row has no value; empty if all entries have the only template. */
  readonly kinds: Uint8Array;
  /** The first, second … number of each entry without its decimal point; 0 if its template has fewer numbers. */
  readonly places: readonly Int32Array[];
}

export const NO_TEMPLATE = 255;

/**
 * Satellites of some rows in the form stored in the cache. The entries are those of all rows, in the order of their lists
 * of satellites; a row without a list has none.
 */
export interface SatelliteColumns {
  /** Distinct items of the lists, unchanged. */
  readonly names: readonly string[];
  /** Distinct lists of satellites: indices into `names`. */
  readonly lists: readonly Int32Array[];
  /** Index of each row's list; -1: none. */
  readonly list: Int32Array;
  /** null: no row has a value. */
  readonly el: SatelliteMatrix | null;
  readonly az: SatelliteMatrix | null;
  readonly snr: SatelliteMatrix | null;
}

/** Satellite variables of one station in rows of ascending time. */
export interface SatelliteBlock {
  readonly timesMs: Float64Array;
  /** null if the cache stores them only as texts. */
  readonly columns: SatelliteColumns | null;
  /** Returns the rows with their original texts. */
  texts(): SeriesRows;
}

/** Creates a block from rows of texts. */
export function blockOfTexts(rows: SeriesRows): SatelliteBlock {
  return { timesMs: rows.timesMs, columns: null, texts: () => rows };
}
