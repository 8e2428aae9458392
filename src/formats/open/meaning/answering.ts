import {
  type ChosenColumn,
  type ChosenColumns,
  type KeptColumns,
  roleWord,
  type TextTable,
  TIME_ROLES,
} from "#shared/file/columns.ts";
import { listed } from "../notes.ts";
import { FormatFailure } from "../../error.ts";
import type { Answers } from "../types.ts";
import { findColumn } from "./ask.ts";
import type { Question } from "./columns.ts";

/** What a file says about its columns, without further answers. */
export interface Said {
  readonly names: readonly string[];
  readonly roles: TextTable["roles"];
  readonly questions: readonly Question[];
  /** Why the file cannot be read so far. */
  readonly refusal?: string;
  /** The scale of its times, and where it is from; null as long as no column tells them. */
  readonly scale: string | null;
}

/** What became of reading a file with what is chosen: one of the first two. */
export interface Attempt<T> {
  readonly file?: T;
  readonly failure?: FormatFailure;
  readonly said: Said;
}

type Answer = KeptColumns["answers"][number];

/**
 * Reads a file with the answers that hold for what it says, until it needs no further ones: new ones, and earlier ones
 * that were given for files that said the same about the column. An earlier answer to another question does not count.
 * @throws FormatFailure with what is asked, or why it cannot be read
 */
export async function answered<T extends { readonly notes: readonly string[]; close?(): void }>(
  header: string,
  names: readonly string[],
  answers: Answers,
  attempt: (chosen: ChosenColumns | null) => Promise<Attempt<T>>,
): Promise<T> {
  const [given, kept] = [answers.given(header, names), await answers.remembered(header, null)];
  const noValue = given ? given.noValue : (kept?.noValue ?? null);
  let taken: readonly Answer[] = [];
  let chosen: readonly ChosenColumn[] = [];
  for (;;) {
    const columns = chosen;
    const { file, failure, said } = await attempt(
      columns.length === 0 && noValue === null ? null : { columns, noValue },
    );
    const isOpen = (column: ChosenColumn): boolean => !taken.some((each) => each.chosen === column);
    const isSame = (column: ChosenColumn) => (other: ChosenColumn) => idOf(said, other) === idOf(said, column);
    const isGiven = (column: ChosenColumn): boolean => given?.columns.some(isSame(column)) ?? false;
    const choose = (column: ChosenColumn, words: string | null): void => {
      chosen = [...chosen.filter((other) => !isSame(column)(other)), column];
      taken = [...taken, { chosen: column, said: words }];
    };
    /** Chooses a column of times, without their scale. */
    const chooseRole = (column: ChosenColumn): void => {
      if (!chosen.some(isSame(column))) chosen = [...chosen, { ...column, unit: null }];
    };
    for (const column of given?.columns.filter(isOpen) ?? []) {
      // The scale of times is said once a column tells them.
      const isEarly = said.scale === null && said.refusal === undefined && isOfScale(column);
      if (isEarly) chooseRole(column);
      else choose(column, isAsItIs(said, column) ? null : saidOf(said, column));
    }
    for (const { chosen: column, said: earlier } of kept?.answers ?? []) {
      if (!isOpen(column) || isGiven(column)) continue;
      if (saidOf(said, column) === earlier || (!isOfScale(column) && isOffered(said, column))) choose(column, earlier);
      else if (isOffered(said, column)) chooseRole(column);
    }
    if (chosen !== columns) {
      file?.close?.();
      continue;
    }
    const all = taken.map((each) => ({ ...each, chosen: { ...each.chosen, column: idOf(said, each.chosen) } }));
    if (given) await answers.remembered(header, { answers: all, noValue });
    const unused = kept?.answers.filter(({ chosen: column }) => isOpen(column) && !isGiven(column));
    const unfit = unfitWords(said, unused?.map((each) => each.chosen) ?? []);
    if (file) return unfit === "" ? file : { ...file, notes: [...file.notes, unfit] };
    if (unfit === "" || failure?.error.kind !== "undecided") throw failure;
    throw new FormatFailure("undecided", `${failure.error.message} ${unfit}`, null, failure.error);
  }
}

/** A sentence on earlier answers that the file contradicts; empty without any. */
function unfitWords(said: Said, unused: readonly ChosenColumn[]): string {
  // What is not asked yet may be asked next.
  const open = unused.filter((column) =>
    said.questions.length === 0 ? !isAsItIs(said, column) : questionOn(said, column) !== undefined,
  );
  if (open.length === 0 || said.refusal !== undefined) return "";
  const words = open.map(({ column, role, unit }) => {
    const name = typeof column === "number" ? (said.names[column] ?? "") : column;
    return `${name} as ${roleWord(role)}${unit === null ? "" : ` in ${unit}`}`;
  });
  return `Your earlier answer for this header is not used, because this file says something else: ${listed(words)}.`;
}

function isOfScale({ role, unit }: ChosenColumn): boolean {
  return unit !== null && TIME_ROLES.has(role);
}

/** The name of a column, or its index if several have it. */
function idOf({ names }: Said, { column }: ChosenColumn): string | number {
  const at = findColumn(names, column);
  const name = names[at] ?? "";
  return name === "" || names.indexOf(name) !== names.lastIndexOf(name) ? at : name;
}

function questionOn(said: Said, chosen: ChosenColumn): Question | undefined {
  const isOn = (other: ChosenColumn): boolean => idOf(said, other) === idOf(said, chosen);
  return said.questions.find(({ isOfScale: isScale = false, choices }) =>
    isOfScale(chosen) && said.scale !== null ? isScale : !isScale && choices.some(isOn),
  );
}

/** What a file itself says about what is chosen: a question, or how it is read. */
function saidOf(said: Said, chosen: ChosenColumn): string {
  const question = questionOn(said, chosen);
  if (said.refusal !== undefined || question) return said.refusal ?? question?.sentence ?? "";
  if (isOfScale(chosen)) return `scale: ${said.scale}`;
  return JSON.stringify(said.roles[findColumn(said.names, chosen.column)] ?? null);
}

/** Whether a question offers an answer, of times without their scale. */
function isOffered(said: Said, chosen: ChosenColumn): boolean {
  return (questionOn(said, chosen)?.choices ?? []).some(
    (each) =>
      idOf(said, each) === idOf(said, chosen) &&
      each.role === chosen.role &&
      (each.unit === chosen.unit || isOfScale(chosen)),
  );
}

/** Whether the file is read in the same way without this answer. */
function isAsItIs(said: Said, chosen: ChosenColumn): boolean {
  const { role = "none", unit = null } = said.roles[findColumn(said.names, chosen.column)] ?? {};
  return !questionOn(said, chosen) && role === chosen.role && unit === chosen.unit;
}
