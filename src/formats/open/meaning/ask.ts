import { defined } from "#shared/defined.ts";
import type { TextTable } from "#shared/file/columns.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import { isScalar } from "#shared/service/variables.ts";
import { undecided, unreadable } from "../../error.ts";
import { listed, quoted } from "../notes.ts";
import type { Answers, SeriesFile } from "../types.ts";
import { type ColumnFacts, type ColumnMeaning, meaningsOf, type Question, variableOfColumn } from "./columns.ts";
import { type ColumnSurvey, type Length, lengthOf } from "./survey.ts";

/** Returns a file that asks. @throws FormatFailure (undecided) if it cannot be opened without an answer */
export function asking(
  format: OpenedFile["format"],
  table: TextTable,
  questions: readonly Question[],
  { chosen, mayBeUndecided }: Answers,
): SeriesFile {
  const message = questions.map(({ sentence }) => sentence).join(" ");
  if (!mayBeUndecided || chosen) {
    const choices = questions.flatMap((question) => question.choices.slice(0, 2));
    throw undecided(message, choices);
  }
  return {
    format,
    title: null,
    source: null,
    series: [],
    notes: [`${message} Choose what the columns contain.`],
    table,
    rows: () => ({ timesMs: new Float64Array(0), values: new Float64Array(0) }),
    close() {},
  };
}

/** What the quantities of a file mean whose stations and times are known. */
interface NamedMeanings {
  readonly meanings: readonly (ColumnMeaning | null)[];
  /** The quantities, for the user to say what they are; null if nothing is asked and nothing was chosen. */
  readonly table: TextTable | null;
  /** A file that asks; null if nothing has to be asked. */
  readonly asked: SeriesFile | null;
}

/**
 * Decides what the quantities of a file mean, by what it says and the user's choice.
 *
 * @param look returns what their values say, and some of them as texts @throws FormatFailure if the choice does not fit
 */
export async function namedMeanings(
  format: OpenedFile["format"],
  stated: readonly ColumnFacts[],
  answers: Answers,
  look: (facts: readonly ColumnFacts[]) => readonly [readonly (ColumnSurvey | null)[], readonly string[]],
): Promise<NamedMeanings> {
  const names = stated.map(({ raw }) => raw.name);
  const header = `${format}: ${names.join(",")}`;
  const choice = answers.chosen ?? (await answers.remembered?.(header)) ?? null;
  const facts = [...stated];
  for (const { column, role, unit } of choice?.columns ?? []) {
    const at = columnIndex(names, column, "quantity");
    if (!isScalar(role) && role !== "number" && role !== "none") throw unreadable(QUANTITIES_ONLY);
    facts[at] = { ...defined(facts[at]), stated: { variable: isScalar(role) ? role : null, unit } };
  }
  const [surveys, sample] = look(facts);
  const { meanings, questions } = meaningsOf(facts, surveys);
  if (choice === null && questions.length === 0) return { meanings, table: null, asked: null };
  const roles = facts.map((each, at): TextTable["roles"][number] => {
    const variable = meanings[at]?.quantity.variable ?? variableOfColumn(each);
    return { role: variable ?? "number", unit: unitOf(meanings[at]) };
  });
  const table = { header, names, rows: [sample], roles, noValue: null };
  return { meanings, table, asked: questions.length === 0 ? null : asking(format, table, questions, answers) };
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
  throw unreadable(`There is no ${what} ${quoted(String(column))}. There are ${listed(names)}.`);
}

const QUANTITIES_ONLY =
  "The times and stations of this file are known. Choose its quantities only, for example as ztd.";
