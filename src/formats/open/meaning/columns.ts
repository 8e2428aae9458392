import type { ChosenColumn } from "#shared/file/columns.ts";
import { shortName, uncertaintyOf, type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { quoted } from "../notes.ts";
import { decide, type Evidence } from "./evidence.ts";
import { plausibleRange, type RawQuantity, type Recognized, recognize, variableOf } from "./quantities.ts";
import { ColumnSurvey, type Length, lengthOf, LENGTHS } from "./survey.ts";
import { unitNamed } from "#shared/file/units.ts";

/** What a file says about a column of numbers. */
export interface ColumnFacts {
  readonly heading: string;
  /** With the unit that its name, or an attribute, states. */
  readonly raw: RawQuantity;
  /** The source of the unit in `raw`: `its name`. */
  readonly unitBy: string;
  /** Units that other places of the file state for it. */
  readonly units?: readonly { readonly unit: string; readonly by: string }[];
  /**
   * The variable that the user, or the description of a known format, states, with its unit, for which values are no
   * evidence; or without one (null).
   */
  readonly stated?: { readonly variable: ScalarVariable | null; readonly unit: string | null };
  /** The values times this factor are in the unit of `raw`; the words describe it. */
  readonly scale?: { readonly factor: number; readonly words: string };
}

export interface ColumnMeaning extends Recognized {
  /** Plausible values in the unit of the file; null: unknown. */
  readonly plausible: { readonly min: number; readonly max: number } | null;
  /** How it was decided, for the notes; null if the file states it. */
  readonly words: string | null;
}

/** A question on a column to the user: what it says, and the answers that are possible. */
export interface Question {
  readonly sentence: string;
  readonly choices: readonly ChosenColumn[];
}

/** The variable of the service that a column is by its name and unit; null if it is none. */
export function variableOfColumn({ raw, stated }: ColumnFacts): ScalarVariable | null {
  if (stated) return stated.variable;
  const variable = variableOf(raw);
  const unit = unitNamed(raw.unit ?? "");
  return variable !== null && (unit === null || recognize({ ...raw, name: variable }).quantity.variable !== null)
    ? variable
    : null;
}

/** Surveys for the columns that may be variables of the service. */
export function surveysOf(columns: readonly (ColumnFacts | null)[]): (ColumnSurvey | null)[] {
  return columns.map((column) => {
    const variable = column && variableOfColumn(column);
    return variable ? new ColumnSurvey(variable) : null;
  });
}

/** Decides what the columns of a file mean, from all evidence in it; else returns questions. */
export function meaningsOf(
  columns: readonly (ColumnFacts | null)[],
  surveys: readonly (ColumnSurvey | null)[],
): { readonly meanings: readonly (ColumnMeaning | null)[]; readonly questions: readonly Question[] } {
  const questions: Question[] = [];
  const factors = new Map<ScalarVariable, Length>();
  const meanings = columns.map((): ColumnMeaning | null => null);
  // An uncertainty has the unit of its value, which is decided first.
  const order = [...columns.keys()].toSorted((a, b) => rank(columns[a]) - rank(columns[b]));
  for (const at of order) {
    const column = columns[at] ?? null;
    if (column === null) continue;
    const found = meaningOf(column, surveys[at] ?? null, factors);
    if ("sentence" in found) {
      questions.push(found);
      meanings[at] = withRange(asItIs({ ...column.raw, unit: null }), column);
      continue;
    }
    meanings[at] = found;
    const { quantity, factor } = found;
    const length = lengthOf(factor);
    if (quantity.variable !== null && length) factors.set(quantity.variable, length);
  }
  return { meanings, questions };
}

function rank(column: ColumnFacts | null | undefined): number {
  const variable = column ? variableOfColumn(column) : null;
  return variable !== null && variableInfo(variable).uncertaintyOf !== undefined ? 1 : 0;
}

function meaningOf(
  column: ColumnFacts,
  survey: ColumnSurvey | null,
  factors: ReadonlyMap<ScalarVariable, Length>,
): ColumnMeaning | Question {
  const { stated, unitBy, units = [] } = column;
  const raw = stated?.variable ? { ...column.raw, name: stated.variable } : column.raw;
  if (stated?.variable && stated.unit !== null) return withRange(recognize({ ...raw, unit: stated.unit }), column);
  const variable = variableOfColumn(column);
  const statements = [...(raw.unit === null ? [] : [{ unit: raw.unit, by: unitBy }]), ...units];
  if (variable === null || survey === null) return withRange(asItIs({ ...raw, unit: firstUnit(statements) }), column);
  const known = statements.flatMap(({ unit, by }) => {
    const { mm = null } = unitNamed(unit) ?? {};
    return mm === null ? [] : [{ unit, by, mm }];
  });
  const [first] = known;
  const isOther = first !== undefined && !lengthOf(first.mm);
  if (first && (isOther || survey.values === 0)) return withRange(recognize({ ...raw, unit: first.unit }), column);
  const value = [...factors].find(([each]) => uncertaintyOf(each) === variable);
  const evidence: Evidence<Length>[] = [
    ...known.map(({ by, mm }) => ({ by, allows: ({ factor }: Length) => factor === mm })),
    ...(survey.values > 0 ? [survey.evidence()] : []),
    ...(value ? [{ by: `its value beside it`, allows: (length: Length) => length === value[1] }] : []),
  ];
  const decision = decide(LENGTHS, evidence);
  if (decision.kind === "open" && survey.values === 0) return withRange(recognize({ ...raw, unit: "mm" }), column);
  if (decision.kind === "open") {
    const units = decision.left.map(({ unit }) => unit);
    return questionOf(column, variable, [units, decision.isConflict ? known : []], survey);
  }
  const { unit } = decision.value;
  const words =
    known.length > 0 ? null : `${column.raw.name} is ${shortName(variable)} in ${unit} by ${decision.by.join(" and ")}`;
  // A mass per area is named as the file spells it.
  return withRange(recognize({ ...raw, unit: first?.unit ?? unit }), column, words);
}

/** @param units that are possible @param stated units that the file states, and its values contradict */
function questionOf(
  { heading: column }: ColumnFacts,
  role: ScalarVariable,
  [units, stated]: readonly [readonly Length["unit"][], readonly { readonly unit: string; readonly by: string }[]],
  survey: ColumnSurvey,
): Question {
  const sentence =
    stated.length === 0
      ? `${quoted(column)} has no unit, and its ${survey.words} may be ${orList(units)}.`
      : `${quoted(column)} is in ${stated.map(({ unit, by }) => `${unit} by ${by}`).join(" and in ")}, which its ${survey.words} contradict${survey.values === 1 ? "s" : ""}.`;
  return { sentence, choices: units.map((unit) => ({ column, role, unit })) };
}

function orList(words: readonly string[]): string {
  const [last = "", ...others] = [...new Set(words)].toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`;
}

function firstUnit(statements: readonly { readonly unit: string }[]): string | null {
  return statements.find(({ unit }) => unit.trim() !== "")?.unit.trim() ?? null;
}

/** A quantity that is not a variable of the service, or of which the unit is not known. */
function asItIs(raw: RawQuantity): Recognized {
  return { quantity: { ...raw, variable: null, conversion: null }, factor: 1 };
}

/** @param column named as in the file, although its meaning may be stated by another name */
function withRange(found: Recognized, { raw, scale }: ColumnFacts, words: string | null = null): ColumnMeaning {
  const quantity = { ...found.quantity, ...namesOf(raw) };
  if (!scale) return { quantity, factor: found.factor, plausible: plausibleRange({ ...found, quantity }), words };
  const scaled = { quantity: { ...quantity, conversion: scale.words }, factor: found.factor * scale.factor };
  return { ...scaled, plausible: plausibleRange(scaled), words };
}

function namesOf({ name, longName, standardName }: RawQuantity): Omit<RawQuantity, "unit"> {
  return { name, longName, standardName };
}
