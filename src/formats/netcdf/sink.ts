import { FormatFailure } from "../error.ts";

/** The default fill value of NetCDF for doubles, which every tool treats as missing. */
export const FILL_DOUBLE = 9.969209968386869e36;
/** Values per chunk: in chunks of this size, 3 million × 3 doubles take 0.7 s to write; in blocks of 1,000 they take 27 s. */
export const CHUNK = 65_536;

export type AttributeValue = string | number | Int32Array;
/** Attributes in file order; undefined and empty ones are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

export interface VariableShape {
  readonly name: string;
  /** Names of declared dimensions; a variable named like its only dimension is its coordinate variable. */
  readonly dimensions: readonly string[];
  readonly attributes: Attributes;
  /** Whether the values are seconds since 1970, which a container may store as integer milliseconds. */
  readonly holdsTimes?: boolean;
}

/**
 * A NetCDF file being written, in any container. Everything is declared before the first `write`, because a classic file
 * starts with its header; only `strings` may be called later.
 */
export interface NetcdfSink {
  globals(attributes: Attributes): void;
  /** Declares a dimension with a coordinate variable of the same name, to be added later. */
  declare(name: string, size: number, unlimited?: boolean): void;
  /** Declares a dimension without a variable. */
  dimension(name: string, size: number): void;
  /** Adds a small numeric variable with its values; a scalar without dimensions. */
  values(shape: VariableShape, data: Float64Array | Int32Array): void;
  /** Declares a double variable, of which every chunk has to be written once. */
  doubles(shape: VariableShape, chunk: readonly number[]): void;
  /**
   * Writes the chunk of a variable declared by `doubles` that starts at `start`, clipped to the variable. Values are
   * copied. A chunk may be clipped along the first axis only.
   */
  write(name: string, start: readonly number[], data: Float64Array): void;
  /** Resolves when little written data is left in memory; to be awaited after every few chunks. */
  drained(): Promise<void>;
  /** Adds a small variable with one text per element of `dimension`, of the same type for any texts; see decision 5. */
  names(name: string, dimension: string, texts: readonly string[], attributes: Attributes): void;
  /** Adds a variable of texts of any length. */
  strings(shape: VariableShape, texts: string[]): void;
}

/** Returns the chunk length along an axis of this size. */
export function chunkOf(size: number): number {
  return Math.max(1, Math.min(size, CHUNK));
}

/** Chunk cache of a variable in netcdf-c (16 MB since version 4.8), in doubles. */
const CACHED_VALUES = 2_097_152;
/** In shorter chunks, overhead dominates. */
const MIN_CHUNK = 4_096;

/**
 * Returns the chunk length along time in a grid of (time, station), where a chunk has one station. Tools that iterate over
 * time need a chunk of every station at once: with more stations, chunks are shorter, so that they fit into the tool's
 * chunk cache.
 */
export function gridChunk(times: number, stations: number): number {
  const fitting = 2 ** Math.floor(Math.log2(CACHED_VALUES / stations));
  return Math.max(1, Math.min(times, CHUNK, Math.max(MIN_CHUNK, fitting)));
}

/** Usual width of a text in bytes. */
const NAME_BYTES = 64;

/**
 * Encodes texts as rows of equal width in UTF-8 with NUL padding: `char(dimension, <name>_strlen)`. The width is doubled
 * only for a text that needs it, because tools join files only if their dimensions are equal.
 */
export function charCells(texts: readonly string[]): { readonly width: number; readonly cells: Uint8Array } {
  const encoded = texts.map((text) => new TextEncoder().encode(withoutNul(text)));
  const longest = encoded.reduce((max, bytes) => Math.max(max, bytes.length), NAME_BYTES);
  const width = NAME_BYTES * 2 ** Math.ceil(Math.log2(longest / NAME_BYTES));
  if (width * texts.length > 64 * 1024 * 1024) {
    throw new FormatFailure("invalid", "The names of the stations are too long for a NetCDF file.");
  }
  const cells = new Uint8Array(width * texts.length);
  encoded.forEach((bytes, i) => cells.set(bytes, i * width));
  return { width, cells };
}

/** Replaces NUL characters, which end a text for readers in C. */
export function withoutNul(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}
