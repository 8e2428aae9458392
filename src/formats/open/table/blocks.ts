import { isTimeName } from "../time/names.ts";
import { COMMENT } from "./lines.ts";

// Tables of a station and its quantities above the rows, between empty lines (SMHI).

/** Rows of a table that describes another one, with its heading. */
const MAX_DESCRIPTION = 3;

/** The lines below the last empty one, if they are more than those above, which are titles and descriptions. */
export function lastBlock(lines: readonly string[]): {
  readonly above: readonly string[];
  readonly own: readonly string[];
} {
  const end = lines.findLastIndex((line) => line.trim() !== "");
  const start = lines.findLastIndex((line, at) => line.trim() === "" && at < end) + 1;
  const above = lines.slice(0, start);
  const isLine = above.map((line) => line.trim() !== "" && !COMMENT.test(line));
  const isLong = isLine.some(
    (_, at) => at >= MAX_DESCRIPTION && !isLine.slice(at - MAX_DESCRIPTION, at + 1).includes(false),
  );
  const isBelow = !isLong && end - start >= isLine.filter(Boolean).length;
  return { above: isBelow ? above.filter((line) => line.trim() !== "") : [], own: lines.slice(start) };
}

/** Whether lines above a heading, as fields, are another table: with a time, or with the same columns. */
export function isTable(above: readonly (readonly string[])[], names: readonly string[]): boolean {
  return above.some(
    (line) => line.some(isTimeName) || line.filter((field) => field !== "" && names.includes(field)).length > 1,
  );
}
