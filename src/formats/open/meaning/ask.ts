import type { TextTable } from "#shared/file/columns.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import { isScalar } from "#shared/service/variables.ts";
import { undecided, unreadable } from "../../error.ts";
import { listed, quoted } from "../notes.ts";
import type { Answers, SeriesFile } from "../types.ts";
import { type ColumnFacts, type ColumnMeaning, type Question, variableOfColumn } from "./columns.ts";
import { LENGTHS } from "./survey.ts";

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

/** The quantities of a file with stations and times of its own, which the user may name. */
interface ChosenQuantities {
  readonly facts: readonly ColumnFacts[];
  /** Describes the quantities for the user; null if nothing was chosen. */
  table(samples: readonly (readonly string[])[], meanings: readonly (ColumnMeaning | null)[]): TextTable;
  readonly isChosen: boolean;
}

/** Applies the user's choice to what a file says about its quantities. @throws FormatFailure if it does not fit the file */
export async function chosenQuantities(
  format: OpenedFile["format"],
  facts: readonly ColumnFacts[],
  { chosen, remembered }: Answers,
): Promise<ChosenQuantities> {
  const names = facts.map(({ raw }) => raw.name);
  const header = `${format}: ${names.join(",")}`;
  const choice = chosen ?? (await remembered?.(header)) ?? null;
  const requested = new Map(
    (choice?.columns ?? []).map(({ column, role, unit }) => {
      const at = typeof column === "number" ? column : names.findIndex((name) => isSame(name, column));
      if (!(at >= 0 && at < names.length))
        throw unreadable(`There is no quantity ${quoted(String(column))}. There are ${listed(names)}.`);
      if (!isScalar(role) && role !== "number" && role !== "none") throw unreadable(QUANTITIES_ONLY);
      return [at, { variable: isScalar(role) ? role : null, unit }] as const;
    }),
  );
  return {
    facts: facts.map((each, at) => {
      const stated = requested.get(at);
      return stated ? { ...each, stated } : each;
    }),
    isChosen: choice !== null,
    table: (samples, meanings) => ({
      header,
      names,
      rows: samples,
      roles: facts.map((each, at) => {
        const variable = meanings[at]?.quantity.variable ?? variableOfColumn(each);
        const length = LENGTHS.find(({ factor }) => factor === meanings[at]?.factor);
        return { role: variable ?? "number", unit: meanings[at]?.quantity.variable ? (length?.unit ?? null) : null };
      }),
      noValue: null,
    }),
  };
}

const QUANTITIES_ONLY =
  "The times and stations of this file are known. Choose its quantities only, for example as ztd.";

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
