import { addAnomaly, type AnomalyCounts } from "#shared/series/rows.ts";
import { parseUtc } from "#shared/time/utc.ts";
import { isTroubleOfRow } from "../errors/bodyReport.ts";
import type { Block, Blocks, Columns } from "./blocks.ts";
import { scalarValue, textValue } from "./values.ts";

/** Returns the id under which a row is passed to the caller. */
export type StationOf = (row: Readonly<Record<string, unknown>>) => string;

/**
 * Reads any parsed element of `data` into the blocks: the slow path, for rows of unexpected shape, and the reference
 * that the fast path must agree with.
 *
 * @returns the block with the row; null if the row was discarded
 */
export function readParsedRow(
  element: unknown,
  columns: Columns,
  blocks: Blocks,
  stationOf: StationOf,
  anomalies: AnomalyCounts,
): Block | null {
  const row = isObject(element) ? element : {};
  const time = row["timestamp"];
  const timeMs = typeof time === "string" ? parseUtc(time) : null;
  if (timeMs === null) {
    addAnomaly(anomalies, "unreadableTime");
    return null;
  }
  const has = (variable: string) => Object.hasOwn(row, variable);
  const scalars = columns.scalars.map((v) => (has(v) ? scalarValue(row[v], anomalies) : Number.NaN));
  const texts = columns.texts.map((v) => (has(v) ? textValue(row[v], anomalies) : null));
  const isEmpty = scalars.every(Number.isNaN) && texts.every((text) => text === null);
  if (isEmpty && Object.entries(row).some(([key, told]) => isTroubleOfRow(key, told)))
    addAnomaly(anomalies, "unreadableValue");
  const block = blocks.of(stationOf(row));
  blocks.add(block, timeMs, scalars, texts);
  return block;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
