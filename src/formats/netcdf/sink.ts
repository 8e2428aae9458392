import { FormatFailure } from "../error.ts";

/** The default fill value of NetCDF for doubles: every tool takes it for missing without being told. */
export const FILL_DOUBLE = 9.969209968386869e36;
/** Values per chunk: written whole, 3 million × 3 doubles take 0.7 s; in blocks of 1,000 they take 27 s. */
export const CHUNK = 65_536;

export type AttributeValue = string | number | Int32Array;
/** In the order in which they are written; undefined and empty ones are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

export interface VariableShape {
  readonly name: string;
  /** Names of declared dimensions; a variable named like its only dimension is the coordinate of it. */
  readonly dimensions: readonly string[];
  readonly attributes: Attributes;
  /** Whether the values are seconds since 1970, which a container may keep as whole milliseconds. */
  readonly holdsTimes?: boolean;
}

/**
 * A NetCDF file under work, of either kind. Everything is declared before the first `write`, since a classic file begins
 * with its whole header; only `strings` may come later.
 */
export interface NetcdfSink {
  globals(attributes: Attributes): void;
  /** Declares a dimension that gets a coordinate variable of the same name later. */
  declare(name: string, size: number, unlimited?: boolean): void;
  /** A dimension without a variable. */
  dimension(name: string, size: number): void;
  /** A numeric variable with its values, for the small ones. Scalar where it has no dimension. */
  values(shape: VariableShape, data: Float64Array | Int32Array): void;
  /** A double variable of which every chunk has to be written, each once. */
  doubles(shape: VariableShape, chunk: readonly number[]): void;
  /**
   * Writes the chunk of a variable made by `doubles` that begins at `start`, as far as it lies within the variable. Its
   * values are copied; at the far edge they lie in one piece only along the first axis.
   */
  write(name: string, start: readonly number[], data: Float64Array): void;
  /** Resolves once what was written takes little memory; to be awaited after every few blocks. */
  drained(): Promise<void>;
  /** One text per element of `dimension`, for the small ones; see decision 22 on their encoding. */
  names(name: string, dimension: string, texts: readonly string[], attributes: Attributes): void;
  /** Texts of any length, all at once. */
  strings(shape: VariableShape, texts: string[]): void;
}

/** Length of a chunk along an axis of this size. */
export function chunkOf(size: number): number {
  return Math.max(1, Math.min(size, CHUNK));
}

/** Values that netcdf-c keeps of a variable in memory (16 MB, since its version 4.8). */
const CACHED_VALUES = 2_097_152;
/** Shorter chunks cost more to handle than to compress. */
const LEAST_CHUNK = 4_096;

/**
 * Length of a chunk along time in a grid of (time, station), a station wide. Tools that go through a file moment by moment
 * need a chunk of every station at a time: the more stations, the shorter the chunks, so that those fit into the memory
 * that they have for it.
 */
export function gridChunk(times: number, stations: number): number {
  const fitting = 2 ** Math.floor(Math.log2(CACHED_VALUES / stations));
  return Math.max(1, Math.min(times, CHUNK, Math.max(LEAST_CHUNK, fitting)));
}

/** Texts as rows of one width in bytes of UTF-8, zeros at the end: `char(dimension, <name>_strlen)`. */
export function charCells(texts: readonly string[]): { readonly width: number; readonly cells: Uint8Array } {
  const encoded = texts.map((text) => new TextEncoder().encode(withoutNul(text)));
  const width = encoded.reduce((max, bytes) => Math.max(max, bytes.length), 1);
  if (width * texts.length > 64 * 1024 * 1024) {
    throw new FormatFailure("invalid", "The names of the stations are too long for a NetCDF file.");
  }
  const cells = new Uint8Array(width * texts.length);
  encoded.forEach((bytes, i) => cells.set(bytes, i * width));
  return { width, cells };
}

export function isAscii(text: string): boolean {
  return Buffer.byteLength(withoutNul(text)) === text.length;
}

/** A NUL ends a text for every reader in C; the sign for an unreadable character does not. */
export function withoutNul(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}
