import type { TextTable } from "#shared/file/columns.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import { FormatFailure, unreadable } from "../../error.ts";
import { listed, quotedName } from "../notes.ts";
import type { ColumnMeaning, Question } from "./columns.ts";
import { type Length, lengthOf } from "./survey.ts";

export function asking(format: OpenedFile["format"], table: TextTable, questions: readonly Question[]): FormatFailure {
  const message = questions.map(({ sentence }) => sentence).join(" ");
  const choices = questions.flatMap((question) => question.choices.slice(0, 2));
  const ofUnits = choices.flatMap(({ column, unit }) => (unit === null ? [] : findColumn(table.names, column)));
  const open = [...new Set(ofUnits)].filter((at) => table.roles[at]?.unit === null);
  return new FormatFailure("undecided", message, null, { choices, asked: { format, table: { ...table, open } } });
}

/** The unit of the file that was decided for a variable of the service; null for others. */
export function unitOf(meaning: ColumnMeaning | null | undefined): Length["unit"] | null {
  return (meaning?.quantity.variable && lengthOf(meaning.factor)?.unit) ?? null;
}

/** Finds a column by its name, or by its number, from 1 in a text and else from 0; -1 without one. */
export function findColumn(names: readonly string[], column: number | string): number {
  const plain = String(column).toLowerCase();
  const named = typeof column === "number" ? column : names.findIndex((name) => name.toLowerCase() === plain);
  const index = named < 0 ? Number(column) - 1 : named;
  return Number.isInteger(index) && index < names.length ? Math.max(-1, index) : -1;
}

/** The same. @throws FormatFailure without one */
export function columnIndex(names: readonly string[], column: number | string, what: "column" | "quantity"): number {
  const index = findColumn(names, column);
  if (index >= 0) return index;
  throw unreadable(`There is no ${what} ${quotedName(String(column))}. There are ${listed(names)}.`);
}
