import type { ChosenColumns, TextTable } from "#shared/file/columns.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import { isScalar } from "#shared/service/variables.ts";
import { unreadable } from "../../error.ts";
import { quotedName } from "../notes.ts";
import { type NamedScale, scaleNamed, scaleQuestion, UTC } from "../time/scale.ts";
import type { TimeScale } from "../time/zones.ts";
import type { Said } from "./answering.ts";
import { asking, columnIndex, findColumn, unitOf } from "./ask.ts";
import {
  type ColumnFacts,
  type ColumnMeaning,
  meaningsOf,
  type Question,
  type SurveyedColumn,
  variableOfColumn,
} from "./columns.ts";

const QUANTITIES_ONLY =
  "The times and stations of this file are known. Choose its quantities only, for example as ztd, and the scale of its times, for example as time:GPS.";

/** The times and quantities of a file that names them itself, with the user's choice for files of this kind. */
export class NamedFile {
  readonly #header: string;
  readonly #choice: ChosenColumns | null;
  readonly #times: { readonly name: string; readonly unit: string | null }[] = [];
  readonly #questions: Question[] = [];
  readonly #evidence: string[] = [];

  /** What it says about its times and quantities; without the latter until their meanings are decided. */
  said: Said = { names: [], roles: [], questions: [], scale: "" };

  /** @param header what files of the same kind have in common */
  constructor(header: string, choice: ChosenColumns | null) {
    this.#header = header;
    this.#choice = choice;
  }

  /** The scale of a time, by the user's choice or all that the file says about it; UTC as long as it is asked. */
  scaleOf(name: string, said: readonly NamedScale[]): { readonly scale: TimeScale; readonly by: string } {
    const names = [...this.#times.map((time) => time.name), name];
    const chosen = this.#choice?.columns.find(
      ({ column, role }) => role === "time" && findColumn(names, column) === names.length - 1,
    );
    const scale = scaleNamed(chosen?.unit ?? "");
    const isChosen = scale !== null && scale !== "other";
    this.#times.push({ name, unit: isChosen ? scale.unit : null });
    this.#evidence.push(...said.map(({ text, by }) => `${text} by ${by}`));
    if (isChosen) return { scale, by: "your choice" };
    const [first, second] = said;
    if (first && (second || first.scale === "other"))
      this.#questions.push({
        ...scaleQuestion(quotedName(name), { column: name, role: "time" }, said),
        isOfScale: true,
      });
    else if (first && first.scale !== "other") return { scale: first.scale, by: first.by };
    return { scale: UTC, by: "" };
  }

  /** The quantities with what the user says of them. @throws FormatFailure if the choice does not fit */
  chosen(stated: readonly ColumnFacts[]): readonly ColumnFacts[] {
    const names = [...this.#times.map(({ name }) => name), ...stated.map(({ heading }) => heading)];
    const facts = [...stated];
    for (const { column, role, unit } of this.#choice?.columns ?? []) {
      const at = columnIndex(names, column, "quantity") - this.#times.length;
      const isFitting = at < 0 ? role === "time" : isScalar(role) || role === "number" || role === "none";
      if (!isFitting) throw unreadable(QUANTITIES_ONLY);
      const own = stated[at];
      // What is said of a quantity at one station holds for the others.
      for (const [i, each] of stated.entries())
        if (i === at || (own?.series && each.series && own.raw.name === each.raw.name && !facts[i]?.stated))
          facts[i] = { ...each, stated: { variable: isScalar(role) ? role : null, unit } };
    }
    return facts;
  }

  /**
   * Decides what the quantities mean, with the times and quantities for the user to say what they are; null if nothing is
   * asked and nothing was chosen.
   * @param sample some of their values as texts
   * @throws FormatFailure if something has to be asked
   */
  meanings(
    format: OpenedFile["format"],
    columns: readonly SurveyedColumn[],
    sample: readonly string[],
  ): { readonly meanings: readonly (ColumnMeaning | null)[]; readonly table: TextTable | null } {
    const times = this.#times;
    const names = [...times.map(({ name }) => name), ...columns.map(({ heading }) => heading)];
    const { meanings, questions: ofQuantities } = meaningsOf(columns);
    const questions = [...this.#questions, ...ofQuantities];
    const roles = columns.map((each, at): TextTable["roles"][number] => {
      const variable = meanings[at]?.quantity.variable ?? variableOfColumn(each);
      return { role: variable ?? "number", unit: unitOf(meanings[at]) };
    });
    const all: TextTable["roles"] = [...times.map(({ unit }) => ({ role: "time", unit }) as const), ...roles];
    this.said = { names, roles: all, questions, scale: this.#evidence.join() };
    if (this.#choice === null && questions.length === 0) return { meanings, table: null };
    const table: TextTable = {
      header: this.#header,
      names,
      rows: [[...times.map(() => ""), ...sample]],
      roles: all,
      noValue: null,
      isNamed: true,
    };
    if (questions.length > 0) throw asking(format, table, questions);
    return { meanings, table };
  }
}
