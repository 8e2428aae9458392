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
 * The answers to what a file asks: new ones, and earlier ones that were given for files that said the same about the column.
 * An earlier answer to another question does not count.
 */
export class Answering {
  readonly #header: string;
  readonly #answers: Answers;
  readonly #given: ChosenColumns | null;
  readonly #kept: KeptColumns | null;
  readonly #taken: Answer[] = [];
  #chosen: readonly ChosenColumn[] = [];

  private constructor(header: string, answers: Answers, given: ChosenColumns | null, kept: KeptColumns | null) {
    this.#header = header;
    this.#answers = answers;
    this.#given = given;
    this.#kept = kept;
  }

  static async of(header: string, names: readonly string[], answers: Answers): Promise<Answering> {
    return new Answering(header, answers, answers.given(header, names), await answers.remembered(header, null));
  }

  /**
   * Reads a file with the answers that hold for what it says, until it needs no further ones.
   * @throws FormatFailure with what is asked, or why it cannot be read
   */
  async read<T extends { readonly notes: readonly string[]; close?(): void }>(
    attempt: (chosen: ChosenColumns | null) => Promise<Attempt<T>>,
  ): Promise<T> {
    for (;;) {
      const { file, failure, said } = await attempt(this.#chosenSoFar());
      if (this.#take(said)) {
        file?.close?.();
        continue;
      }
      await this.#keep(said);
      const unfit = this.#unfit(said);
      if (file) return unfit === "" ? file : { ...file, notes: [...file.notes, unfit] };
      if (unfit === "" || failure?.error.kind !== "undecided") throw failure;
      throw new FormatFailure("undecided", `${failure.error.message} ${unfit}`, null, failure.error);
    }
  }

  /** null for nothing. */
  #chosenSoFar(): ChosenColumns | null {
    const noValue = this.#given ? this.#given.noValue : (this.#kept?.noValue ?? null);
    return this.#chosen.length === 0 && noValue === null ? null : { columns: this.#chosen, noValue };
  }

  /** Takes the answers that hold for what a file says; false without further ones. */
  #take(said: Said): boolean {
    const before = this.#chosen;
    const isOpen = (chosen: ChosenColumn): boolean => !this.#taken.some((each) => each.chosen === chosen);
    for (const chosen of this.#given?.columns.filter(isOpen) ?? []) {
      // The scale of times is said once a column tells them.
      const isEarly = said.scale === null && said.refusal === undefined && isOfScale(chosen);
      if (isEarly) this.#chooseRole(said, chosen);
      else this.#choose(said, chosen, isAsItIs(said, chosen) ? null : saidOf(said, chosen));
    }
    for (const { chosen, said: earlier } of this.#kept?.answers ?? []) {
      if (!isOpen(chosen) || this.#isGiven(said, chosen)) continue;
      if (saidOf(said, chosen) === earlier || (!isOfScale(chosen) && isOffered(said, chosen)))
        this.#choose(said, chosen, earlier);
      else if (isOffered(said, chosen)) this.#chooseRole(said, chosen);
    }
    return this.#chosen !== before;
  }

  async #keep(said: Said): Promise<void> {
    if (!this.#given) return;
    const answers = this.#taken.map((each) => ({
      ...each,
      chosen: { ...each.chosen, column: idOf(said, each.chosen) },
    }));
    await this.#answers.remembered(this.#header, { answers, noValue: this.#given.noValue });
  }

  /** A sentence on earlier answers that the file contradicts; empty without any. */
  #unfit(said: Said): string {
    // What is not asked yet may be asked next.
    const isSaid = (chosen: ChosenColumn): boolean =>
      said.questions.length === 0 ? !isAsItIs(said, chosen) : questionOn(said, chosen) !== undefined;
    const open = this.#kept?.answers.filter(
      ({ chosen }) =>
        isSaid(chosen) && !this.#isGiven(said, chosen) && !this.#taken.some((each) => each.chosen === chosen),
    );
    const words = open?.map(({ chosen: { column, role, unit } }) => {
      const name = typeof column === "number" ? (said.names[column] ?? "") : column;
      return `${name} as ${roleWord(role)}${unit === null ? "" : ` in ${unit}`}`;
    });
    return words?.length && said.refusal === undefined
      ? `Your earlier answer for this header is not used, because this file says something else: ${listed(words)}.`
      : "";
  }

  #choose(said: Said, chosen: ChosenColumn, words: string | null): void {
    this.#chosen = [...this.#chosen.filter((each) => idOf(said, each) !== idOf(said, chosen)), chosen];
    this.#taken.push({ chosen, said: words });
  }

  /** Chooses a column of times, without their scale. */
  #chooseRole(said: Said, chosen: ChosenColumn): void {
    if (!this.#chosen.some((each) => idOf(said, each) === idOf(said, chosen)))
      this.#chosen = [...this.#chosen, { ...chosen, unit: null }];
  }

  #isGiven(said: Said, chosen: ChosenColumn): boolean {
    return this.#given?.columns.some((each) => idOf(said, each) === idOf(said, chosen)) ?? false;
  }
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
