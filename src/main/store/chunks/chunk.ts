import type { Column, SeriesRows } from "#shared/series/rows.ts";
import { defined } from "#shared/defined.ts";
import { type Variable, VARIABLE_NAMES, variableKind } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { decodeBits, encodeBits } from "../codec/compress.ts";
import { decodeRuns, encodeRuns } from "../codec/runs.ts";
import { decodeScalars, encodeScalars } from "../codec/scalars.ts";
import { decodeSatellites, encodeSatellites } from "../codec/satellites.ts";
import { DamagedData } from "../errors.ts";
import { buildPyramid, encodePyramid } from "../pyramid/pyramid.ts";

/** One variable of a chunk as it is stored. */
export interface StoredColumn {
  readonly variable: Variable;
  readonly codec: string;
  readonly data: Uint8Array;
  /** Bitmap of the rows whose response contained this variable; null for all. */
  readonly present: Uint8Array | null;
}

export interface EncodedColumn extends StoredColumn {
  /** Rows with a value. */
  readonly count: number;
  /** Output of `encodePyramid`; null for texts. */
  readonly pyramid: Uint8Array | null;
}

/** Some columns of a chunk as they are stored. */
export interface StoredChunk {
  readonly rows: number;
  readonly times: Uint8Array;
  readonly columns: ReadonlyMap<Variable, StoredColumn>;
}

/** The rows of one station, kind and mode in one bucket, as they are stored. */
export interface EncodedChunk extends StoredChunk {
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
  readonly columns: ReadonlyMap<Variable, EncodedColumn>;
}

/** Encodes rows, of which there must be at least one. Every encoder verifies that its output decodes to its input. */
export function encodeChunk(rows: SeriesRows): EncodedChunk {
  const { timesMs } = rows;
  const prnValues = columnTexts(rows.columns.prn);
  const columns = new Map<Variable, EncodedColumn>();
  for (const variable of VARIABLE_NAMES) {
    const column = rows.columns[variable];
    if (column) columns.set(variable, encodeColumn(variable, timesMs, column, variable === "prn" ? null : prnValues));
  }
  return {
    rows: timesMs.length,
    firstMs: defined(timesMs.at(0)),
    lastMs: defined(timesMs.at(-1)),
    times: encodeRuns(timesMs),
    columns,
  };
}

/**
 * Returns the variables that are needed to decode others of the same chunk: satellite values are stored by satellite.
 */
export function keyVariables(variables: readonly Variable[]): readonly Variable[] {
  return variables.some((v) => v !== "prn" && variableKind(v) === "satellite") ? ["prn"] : [];
}

/**
 * Decodes the columns of these variables that the chunk has; by default, all. It must contain the `keyVariables` too.
 *
 * @throws DamagedData
 */
export function decodeChunk(
  chunk: StoredChunk,
  variables: readonly Variable[] = [...chunk.columns.keys()],
): SeriesRows {
  const timesMs = decodeTimes(chunk);
  const n = timesMs.length;
  const prn = chunk.columns.get("prn");
  const needsKeys = keyVariables(variables).length > 0 || variables.includes("prn");
  const prnValues = prn && needsKeys ? decodeSatellites(prn.codec, prn.data, n, null) : null;
  const columns: Partial<Record<Variable, Column>> = {};
  for (const variable of variables) {
    const column = chunk.columns.get(variable);
    if (!column) continue;
    const present = column.present === null ? null : decodeBits(column.present);
    if (present !== null && present.length !== n) throw new DamagedData("marks without rows");
    columns[variable] =
      variableKind(variable) === "scalar"
        ? { kind: "scalar", values: decodeScalars(column.codec, column.data, n), present }
        : {
            kind: "text",
            values:
              variable === "prn" && prnValues !== null
                ? prnValues
                : decodeSatellites(column.codec, column.data, n, prnValues),
            present,
          };
  }
  return { timesMs, columns };
}

/** @throws DamagedData */
export function decodeTimes({ rows, times }: Pick<StoredChunk, "rows" | "times">): Float64Array {
  const timesMs = decodeRuns(times);
  if (timesMs.length !== rows) throw new DamagedData("a chunk with another number of rows");
  return timesMs;
}

function encodeColumn(
  variable: Variable,
  timesMs: Float64Array,
  column: Column,
  prnValues: readonly (string | null)[] | null,
): EncodedColumn {
  const present = column.present === null ? null : encodeBits(column.present);
  if (column.kind === "scalar") {
    const { pyramid, count } = buildPyramid(timesMs, column.values);
    const { codec, bytes } = encodeScalars(column.values, count);
    return { variable, codec, data: bytes, present, count, pyramid: encodePyramid(pyramid) };
  }
  const { codec, bytes } = encodeSatellites(column.values, prnValues);
  const count = column.values.reduce((sum, text) => (text === null ? sum : sum + 1), 0);
  return { variable, codec, data: bytes, present, count, pyramid: null };
}

function columnTexts(column: Column | undefined): readonly (string | null)[] | null {
  return column?.kind === "text" ? column.values : null;
}
