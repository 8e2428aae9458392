import { errorSentence, readBodyReport } from "#main/client/errors/bodyReport.ts";
import { createRowScanner, type ScanFault } from "#main/client/scanner/scanner.ts";
import { parseTolerantly } from "#main/client/scanner/values.ts";
import type { IrregularityCounts, ReceivedRows } from "#shared/series/rows.ts";
import { stationIdOf } from "#shared/service/stationId.ts";
import { isVariable, type Variable, variableKind, withImpliedVariables } from "#shared/service/variables.ts";
import { parseUtc } from "#shared/time/utc.ts";

/** Texts of services for a missing number, in lower case without a sign. */
const NO_VALUES = new Set(
  ["", "-", "nan", "inf", "infinity", "null", "none", "nil", "undefined"].concat(
    "n/a na <na> <n/a> #n/a #na #n/a> #na> n/a> na> <n/a <na".split(" "),
  ),
);

/** Rows per station as flat lists: time, then one value per column. */
export type RowTable = Record<string, (number | string | null)[][]>;

export interface Scanned {
  readonly fault: ScanFault | null;
  readonly table: RowTable;
  readonly rows: number;
  readonly irregularities: IrregularityCounts;
}

export function columnsFor(variables: readonly Variable[]): Variable[] {
  const all = withImpliedVariables(variables).filter(isVariable);
  return [...all.filter((v) => variableKind(v) === "scalar"), ...all.filter((v) => variableKind(v) === "satellite")];
}

/** Copies the rows of blocks, whose arrays are reused. */
export function collector(variables: readonly Variable[]): { table: RowTable; onRows(block: ReceivedRows): void } {
  const table: RowTable = {};
  const columns = columnsFor(variables);
  return {
    table,
    onRows(block) {
      const rows = (table[block.stationId] ??= []);
      block.timesMs.forEach((timeMs, i) => {
        rows.push([timeMs, ...columns.map((v) => (block.scalars[v] ?? block.texts[v])![i]!)]);
      });
      for (const column of [...Object.values(block.scalars), ...Object.values(block.texts)]) {
        if (column.length !== block.timesMs.length) throw new Error("columns of different lengths");
      }
    },
  };
}

/**
 * Scans the body, cut at the given offsets. A small buffer is reused, so that old bytes follow the new ones.
 */
export function scan(
  body: Uint8Array,
  variables: readonly Variable[],
  cuts: readonly number[] = [],
  bufferBytes?: number,
): Scanned {
  const { table, onRows } = collector(variables);
  const scanner = createRowScanner(variables, onRows, undefined, bufferBytes);
  const places = [0, ...cuts.toSorted((a, b) => a - b), body.length];
  for (let k = 1; k < places.length; k++) {
    // The copy is overwritten afterwards, because the scanner must not keep the memory.
    const piece = Uint8Array.from(body.subarray(places[k - 1], places[k]));
    if (!scanner.push(piece)) break;
    piece.fill(0x7b);
  }
  return { fault: scanner.end(), table, rows: scanner.rows(), irregularities: scanner.irregularities };
}

/** Reads the whole body with `JSON.parse`; null if it is no time series response. */
export function readWhole(body: Uint8Array, variables: readonly Variable[]): Omit<Scanned, "fault"> | null {
  let whole: unknown;
  try {
    whole = parseTolerantly(new TextDecoder("utf-8").decode(body));
  } catch {
    return null;
  }
  if (Array.isArray(whole)) whole = { data: whole };
  if (!isObject(whole)) return null;
  const { count: stated, error } = readBodyReport(whole);
  const isAbsent = !Object.hasOwn(whole, "data");
  if (isAbsent && (stated !== 0 || (error ?? errorSentence(whole)) !== null)) return null;
  const data = whole["data"] ?? [];
  if (!Array.isArray(data)) return null;
  const irregularities: Record<string, number> = {};
  const table: RowTable = {};
  const count = (kind: string) => (irregularities[kind] = (irregularities[kind] ?? 0) + 1);
  for (const element of data as unknown[]) {
    const row = isObject(element) ? element : {};
    const timeMs = typeof row["timestamp"] === "string" ? parseUtc(row["timestamp"]) : null;
    if (timeMs === null) {
      count("unreadableTime");
      continue;
    }
    const key = stationIdOf(row);
    const columns = columnsFor(variables);
    const values = columns.map((v) => (v in row ? valueOf(v, row[v], count) : none(v)));
    (table[key] ??= []).push([timeMs, ...values]);
  }
  if (data.length > 0 && irregularities["unreadableTime"] === data.length) return null;
  if (stated !== null && stated !== data.length) count("countDisagrees");
  return { table, rows: data.length, irregularities };
}

function none(variable: Variable): number | null {
  return variableKind(variable) === "scalar" ? Number.NaN : null;
}

function valueOf(variable: Variable, value: unknown, count: (kind: string) => void): number | string | null {
  const empty = none(variable);
  if (value === null) return empty;
  if (variableKind(variable) === "scalar") {
    if (
      typeof value === "string" &&
      NO_VALUES.has(
        value
          .trim()
          .toLowerCase()
          .replace(/^[+-](?=[ni])/, "")
          .replace(/^-+$/, "-"),
      )
    )
      return empty;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (typeof value === "string" && /^\s*-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?\s*$/.test(value)) {
      if (Number.isFinite(Number(value))) {
        count("convertedValue");
        return Number(value);
      }
    }
  } else if (typeof value === "string") {
    if (!value.includes("\uFFFD")) return value;
  } else {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    if (list.every((item) => typeof item === "string" || typeof item === "number")) {
      count("convertedValue");
      return list.join(",");
    }
  }
  count("unreadableValue");
  return empty;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
