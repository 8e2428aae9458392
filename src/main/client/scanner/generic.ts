import { addAnomaly, type AnomalyCounts } from "#shared/series/rows.ts";
import { parseUtc } from "#shared/time/utc.ts";
import type { Block, Blocks, Columns } from "./blocks.ts";
import { scalarValue, stationIdOf, textValue } from "./values.ts";

/**
 * Reads any parsed element of `data` into the blocks: the way for rows of unexpected shape, and the meaning that the
 * fast way must agree with.
 *
 * @returns the block that the row went to, or null where the row was left out
 */
export function readParsedRow(
  element: unknown,
  columns: Columns,
  blocks: Blocks,
  anomalies: AnomalyCounts,
): Block | null {
  const row = isObject(element) ? element : {};
  const time = row["timestamp"];
  const timeMs = typeof time === "string" ? parseUtc(time) : null;
  if (timeMs === null) {
    addAnomaly(anomalies, "unreadableTime");
    return null;
  }
  const block = blocks.of(stationIdOf(row));
  const at = block.rows;
  block.timesMs[at] = timeMs;
  let missing = false;
  let empty = true;
  let textLength = 0;
  columns.scalars.forEach((variable, k) => {
    const there = Object.hasOwn(row, variable);
    missing ||= !there;
    const value = there ? scalarValue(row[variable], anomalies) : Number.NaN;
    block.scalars[k]![at] = value;
    empty &&= Number.isNaN(value);
  });
  columns.texts.forEach((variable, k) => {
    const there = Object.hasOwn(row, variable);
    missing ||= !there;
    const value = there ? textValue(row[variable], anomalies) : null;
    block.texts[k]![at] = value;
    textLength += value?.length ?? 0;
  });
  if (missing) addAnomaly(anomalies, "missingVariable");
  if (empty && textLength === 0) addAnomaly(anomalies, "emptyRow");
  blocks.commit(block, textLength);
  return block;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
