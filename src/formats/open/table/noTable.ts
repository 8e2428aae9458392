import { FormatFailure, unreadable } from "../../error.ts";
import { many } from "#shared/text.ts";
import { listed, quotedName } from "../notes.ts";
import { DELIMITERS, headComment } from "./heads.ts";
import { hasFields } from "./lines.ts";
import { isNumeric } from "./notation.ts";
import { fieldsOf, withoutEmptyEnd } from "./records.ts";
import type { TableSource } from "./source.ts";
import { timeColumns, unreadableTime } from "../time/columns.ts";
import { isTimeName } from "../time/names.ts";

const WRITE_TIMES = "Write times as 2026-01-31T06:30:00Z";
const NO_NAMES =
  "This text has no line that names a column of time. Give it a first line such as “station,time,ztd_mm”, with times as 2026-01-31T06:30:00Z and units in the names.";
/** Says why no interpretation of a text is a table with times and values. */
export function noTable({ heads, first, remarks = [], assumed }: TableSource): FormatFailure {
  if (!first) {
    const names = heads[0] ? [`It names ${listed(heads[0].names)}.`] : [];
    const none = "This table has no rows with a time that can be read and a number.";
    return unreadable([none, ...names, ...remarks, ...(assumed?.() ?? [])].join(" "));
  }
  const rows = first.lines.filter(hasFields);
  if (rows.length === 0 && !first.isWhole)
    return unreadable("The first line of this text does not end within 4 MB: it is not a table.");
  const [heading, data] = headingOf(first.lines, rows) ?? [null, []];
  if (heading === null) return new FormatFailure("foreign", NO_NAMES);
  const { names, delimiter } = heading;
  const [line] = data;
  if (line === undefined) return unreadable(`This table has a heading and no rows. It names ${listed(names)}.`);
  const fields = data.map((row) => withoutEmptyEnd(fieldsOf(row, delimiter), names.length));
  const width = fields[0]?.length ?? 0;
  if (width !== names.length)
    return unreadable(
      `The heading of this table names ${names.length} columns, and its first row has ${many(width, "field")}. Give both the same number.`,
    );
  if (timeColumns({ names, rows: fields }))
    return unreadable(`This table has no column of values beside its time. It names ${listed(names)}.`);
  const at = unreadableTime({ names, rows: fields });
  return unreadable(
    `The times of this table cannot be read, such as ${quotedName(fields[0]?.[at] ?? "")} in the column ${quotedName(names[at] ?? "")}. ${WRITE_TIMES}.`,
  );
}

interface Heading {
  readonly names: readonly string[];
  readonly delimiter: (typeof DELIMITERS)[number];
}

/** Returns the line that names a column of time, with the most columns, and the rows that follow it; null without one. */
function headingOf(lines: readonly string[], rows: readonly string[]): [Heading, readonly string[]] | null {
  const remark = headComment(lines);
  const candidates = [
    ...(rows[0] === undefined ? [] : [{ text: rows[0], data: rows.slice(1) }]),
    ...(remark === null ? [] : [{ text: remark, data: rows }]),
  ];
  const found = candidates.flatMap(({ text, data }) =>
    DELIMITERS.flatMap((delimiter): [Heading, readonly string[]][] => {
      const names = withoutEmptyEnd(fieldsOf(text, delimiter), 0);
      // Prose is not a heading: a row with numbers follows a heading that is separated by blanks.
      const isProse = delimiter === "blanks" && data[0] !== undefined && !fieldsOf(data[0], delimiter).some(isNumeric);
      const isHeading = names.length > 1 && !isProse && names.some((name) => isTimeName(name));
      return isHeading ? [[{ names, delimiter }, data]] : [];
    }),
  );
  return found.toSorted(([a], [b]) => b.names.length - a.names.length)[0] ?? null;
}
