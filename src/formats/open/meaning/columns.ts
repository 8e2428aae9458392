import { defined } from "#shared/defined.ts";
import type { ChosenColumn } from "#shared/file/columns.ts";
import { shortName, uncertaintyOf, type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import type { FileSeries } from "#shared/file/opened.ts";
import { quotedName } from "../notes.ts";
import { asItIs, plausibleRange, type RawQuantity, type Recognized, recognize, variableOf } from "./quantities.ts";
import { isNoValueWord } from "./noValue.ts";
import { ColumnSurvey, type Length, lengthOf } from "./survey.ts";
import { unitNamed } from "#shared/file/units.ts";

export interface ColumnFacts {
  readonly heading: string;
  /** With the unit that its name, or an attribute, states. */
  readonly raw: RawQuantity;
  readonly unitBy: string;
  /** Units that other places of the file state for it. */
  readonly units?: readonly { readonly unit: string; readonly by: string }[];
  /**
   * The variable that the user, or the description of a known format, states, with its unit, for which values are no
   * evidence; or without one (null).
   */
  readonly stated?: { readonly variable: ScalarVariable | null; readonly unit: string | null };
  /** What its heading may say that it belongs to, beside the quantity. */
  readonly series?: Pick<FileSeries, "label" | "stationId">;
  /** `false` if the user could not name it, so that it is shown as it is where the evidence disagrees. */
  readonly isAsked?: boolean;
  /** Whether the format defines it, so that it tells no rows apart. */
  readonly isOfFormat?: true;
}

/** A column that attributes of a file, or the description of its format, describe. */
export function describedBy(raw: RawQuantity): ColumnFacts {
  return { heading: raw.name, raw, unitBy: "its units" };
}

export interface ColumnMeaning extends Recognized {
  /** Plausible values in the unit of the file; null: unknown. */
  readonly plausible: { readonly min: number; readonly max: number } | null;
  /** How it was decided, for the notes; null if the file states it. */
  readonly words: string | null;
  /** What its heading says that it belongs to, if its values agree. */
  readonly series?: ColumnFacts["series"];
}

export interface Question {
  readonly sentence: string;
  readonly choices: readonly ChosenColumn[];
  /** Whether it asks for the scale of times. */
  readonly isOfScale?: boolean;
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

type Statement = ReturnType<typeof statementsOf>[number];

/** All that a file says about the unit of a column, which may be unknown. */
function statementsOf({ raw, unitBy, units = [] }: ColumnFacts) {
  return [{ unit: raw.unit ?? "", by: unitBy }, ...units].flatMap(({ unit: stated, by }) => {
    const unit = stated.trim().replace(/^[([](.*)[)\]]$/, "$1");
    return isNoValueWord(unit) ? [] : [{ unit, by, known: unitNamed(unit) }];
  });
}

/** A column, with what its values say if it may be a variable of the service. */
export type SurveyedColumn = ReturnType<typeof surveyed>[number];

export function surveyed(columns: readonly ColumnFacts[]) {
  const stated = columns
    .flatMap(statementsOf)
    .flatMap(({ unit, known }): Length[] => (known?.mm ? [{ unit, factor: known.mm }] : []));
  const distinct = stated.filter(({ factor }, i) => stated.findIndex((each) => each.factor === factor) === i);
  return columns.map((column) => {
    const variable = variableOfColumn(column);
    return { ...column, survey: variable ? ColumnSurvey.of(variable, distinct) : null };
  });
}

/** Decides what the columns of a file mean, from all evidence in it; else returns questions. */
export function meaningsOf(columns: readonly (SurveyedColumn | null)[]): {
  readonly meanings: readonly (ColumnMeaning | null)[];
  readonly questions: readonly Question[];
} {
  const pivoted = columns.flatMap((column) => (column?.series ? [{ ...column, series: column.series }] : []));
  const labels = labelsByValues(pivoted);
  const questions = labels === null ? [pivotQuestion(pivoted)] : [];
  const isOfSeries = ({ series, stated }: ColumnFacts): boolean =>
    series !== undefined && stated?.variable !== null && labels?.has(series.label) !== false;
  // The columns of one quantity at several stations have one unit.
  const keys = columns.map((column) => (column && isOfSeries(column) ? quantityKey(column) : ""));
  const shared = Map.groupBy(columns.keys(), (at) => keys[at] ?? "");
  const asked = new Set<string>();
  const factors = new Map<ScalarVariable, number>();
  const meanings = columns.map((): ColumnMeaning | null => null);
  // An uncertainty has the unit of its value, which is decided first.
  const order = [...columns.keys()].toSorted((a, b) => rank(columns[a]) - rank(columns[b]));
  for (const at of order) {
    const column = columns[at] ?? null;
    if (column === null) continue;
    const key = keys[at] ?? "";
    const series = key === "" ? {} : { series: column.series };
    const same = key === "" ? [column] : (shared.get(key) ?? []).flatMap((i) => columns[i] ?? []);
    const survey = ColumnSurvey.together(same.flatMap((each) => each.survey ?? []));
    const found =
      column.series && key === ""
        ? withRange(asItIs(column.raw), { ...column, raw: { ...column.raw, name: column.heading } })
        : columnMeaning(withUnitOf(column, same), survey, factors);
    if ("sentence" in found) {
      const isOpen = !column.series || (labels !== null && !asked.has(key));
      if (isOpen && column.isAsked !== false) questions.push(found);
      asked.add(key);
      meanings[at] = withRange(asItIs({ ...column.raw, unit: null }), column);
      continue;
    }
    meanings[at] = { ...found, ...series };
    const { quantity, factor } = found;
    if (quantity.variable !== null) factors.set(quantity.variable, factor);
  }
  return { meanings, questions };
}

/** A column that states no unit, with that of the same quantity at another station. */
function withUnitOf(column: ColumnFacts, same: readonly ColumnFacts[]): ColumnFacts {
  const [stated] = statementsOf(column).length > 0 ? [] : same.flatMap(statementsOf);
  return stated ? { ...column, units: [{ unit: stated.unit, by: "the same quantity beside it" }] } : column;
}

const OR_LIST = new Intl.ListFormat("en-GB", { type: "disjunction" });
/** Smaller numbers without a unit may be differences, deviations or shares, of which statistics are. */
const LEAST_TELLING = 10;
/** Digits before letters are heights and hours, too: `500M`, `00UT`. */
const OF_DIGITS = /^\d+[A-Z]+$/;

/** A column whose heading may say what it belongs to. */
type PivotedColumn = SurveyedColumn & Required<Pick<ColumnFacts, "series">>;

/**
 * The labels of columns that belong to stations, by their values: a word beside a quantity may be a statistic of it, such
 * as BIAS, whose values are not those of the quantity. Only a quantity that is never near zero tells them apart.
 * @returns null if the values fit, and do not tell
 */
function labelsByValues(all: readonly PivotedColumn[]): ReadonlySet<string> | null {
  // The user said so, or the heading can be read in no other way.
  const certain = all.filter(({ series, stated }) => series.stationId !== null || stated?.variable);
  let [isOpen, isContradicted] = [false, false];
  const told = [...Map.groupBy(all, quantityKey).values()].flatMap((same) => {
    const [first] = same;
    const variable = first ? variableOfColumn(first) : null;
    const statedMm = (first && statementsOf(first)[0]?.known?.mm) ?? null;
    const survey = ColumnSurvey.together(same.flatMap((each) => each.survey ?? []));
    if (variable === null || survey === null || survey.values === 0) return [];
    const unit = survey.fitting()?.find(({ factor }) => statedMm === null || factor === statedMm);
    const { min } = variableInfo(variable).plausible;
    const isTelling = unit && min > 0 && (statedMm !== null || min / unit.factor >= LEAST_TELLING);
    if (!unit) isContradicted = true;
    else if (!isTelling) isOpen = true;
    return isTelling ? same.filter((each) => each.survey?.fitsHalf(unit)) : [];
  });
  const labels = new Set([...certain, ...told].map(({ series }) => series.label));
  const isEnough = certain.length > 0 || all.filter(({ series }) => labels.has(series.label)).length > 1;
  if (!isEnough) return isOpen && !isContradicted && told.length === 0 ? null : new Set();
  return certain.length === 0 && [...labels].every((label) => OF_DIGITS.test(label)) ? null : labels;
}

function pivotQuestion(columns: readonly PivotedColumn[]): Question {
  const column = defined(columns.find((each) => variableOfColumn(each) !== null));
  const { heading, series, survey } = column;
  const role = variableOfColumn(column) as ScalarVariable;
  const isStated = statementsOf(column).some(({ known }) => known !== null);
  const units = isStated ? [null] : (survey?.fitting() ?? []).flatMap(({ factor }) => lengthOf(factor)?.unit ?? []);
  return {
    sentence: `${quotedName(heading)} may be ${shortName(role)} of the station ${series.label}, or a statistic or level of it: its values fit both.`,
    choices: [...units.map((unit) => ({ column: heading, role, unit })), asRole(heading, "number")],
  };
}

/** What columns of the same quantity at several stations have in common. */
function quantityKey({ raw: { name }, stated }: ColumnFacts): string {
  // Long names may name the stations, too.
  return JSON.stringify([name, stated]);
}

function rank(column: ColumnFacts | null | undefined): number {
  const variable = column ? variableOfColumn(column) : null;
  return variable !== null && variableInfo(variable).uncertaintyOf !== undefined ? 1 : 0;
}

function columnMeaning(
  column: ColumnFacts,
  survey: ColumnSurvey | null,
  factors: ReadonlyMap<ScalarVariable, number>,
): ColumnMeaning | Question {
  const { stated, heading } = column;
  const raw = stated?.variable ? { ...column.raw, name: stated.variable, longName: null } : column.raw;
  if (stated?.variable && stated.unit !== null) return withRange(recognize({ ...raw, unit: stated.unit }), column);
  const variable = variableOfColumn(column);
  const statements = statementsOf(column);
  const isOther = statements.some(({ known }) => known?.mm === null);
  if (variable === null || survey === null || isOther) {
    const [unit = null] = statements.map((each) => each.unit);
    return withRange(asItIs({ ...raw, unit }), column);
  }
  const unknown = statements.find(({ known }) => known === null);
  if (unknown) {
    const sentence = `${quotedName(heading)} is in ${quotedName(unknown.unit)} by ${unknown.by}, a unit that is not known.`;
    return { sentence, choices: [asRole(heading, "number")] };
  }
  const [first] = statements;
  if (survey.values === 0) return withRange(recognize({ ...raw, unit: first?.unit ?? "mm" }), column);
  const [most, second] = survey.mixed();
  if (most && second) {
    const each = [most, second].map(({ unit, values }) => `${values} in ${unit}`).join(" and ");
    const sentence = `${quotedName(heading)} has values of two units: ${each} alone. Write all in one unit, or the unit of each in a column beside it.`;
    return { sentence, choices: [asRole(heading, "number")] };
  }
  const [, ofValue] = [...factors].find(([each]) => uncertaintyOf(each) === variable) ?? [];
  const beside = lengthOf(ofValue);
  const said: readonly Statement[] =
    first || !beside ? statements : [{ unit: beside.unit, by: "its value beside it", known: unitNamed(beside.unit) }];
  const fitting = survey.fitting();
  const left = (fitting ?? survey.units).filter(({ factor }) => said.every(({ known }) => factor === known?.mm));
  const [decided] = left;
  if (left.length !== 1 || !decided) {
    // Units that the values contradict are not offered, whatever the file states; that of the value beside it is likely.
    const likely = fitting?.filter(({ factor }) => factor === ofValue) ?? [];
    const units = (likely.length > 0 ? likely : (fitting ?? [])).flatMap(({ factor }) => lengthOf(factor)?.unit ?? []);
    return questionOf(column, variable, [units, left.length === 0 ? said : []], survey);
  }
  const { unit } = decided;
  // Values that fit all units say nothing.
  const isSaying = fitting !== null && fitting.length < survey.units.length;
  const by = [...(isSaying ? [`its ${survey.words}`] : []), ...said.map((each) => each.by)].join(" and ");
  const words = first ? null : `${raw.name} is ${shortName(variable)} in ${unit} by ${by}`;
  // A mass per area is named as the file spells it.
  return withRange(recognize({ ...raw, unit: first?.unit ?? unit }), column, words);
}

/** @param units that are possible @param stated units that the file states, and its values contradict */
function questionOf(
  { heading: column }: ColumnFacts,
  role: ScalarVariable,
  [units, stated]: readonly [readonly NonNullable<ChosenColumn["unit"]>[], readonly Statement[]],
  survey: ColumnSurvey,
): Question {
  const fit = units.length === 0 ? "fit none of mm, cm and m" : `may be ${OR_LIST.format(new Set(units))}`;
  const sentence =
    stated.length === 0
      ? `${quotedName(column)} has no unit, and its ${survey.words} ${fit}.`
      : `${quotedName(column)} is in ${stated.map(({ unit, by }) => `${unit} by ${by}`).join(" and in ")}, which its ${survey.words} contradict${survey.values === 1 ? "s" : ""}.`;
  const choices = units.map((unit): ChosenColumn => ({ column, role, unit }));
  return {
    sentence,
    choices: stated.length === 0 && choices.length > 0 ? choices : [...choices, asRole(column, "number")],
  };
}

export function asRole(column: string, role: ChosenColumn["role"]): ChosenColumn {
  return { column, role, unit: null };
}

/** @param column named as in the file, although its meaning may be stated by another name */
function withRange(found: Recognized, { raw }: ColumnFacts, words: string | null = null): ColumnMeaning {
  const { name, longName, standardName } = raw;
  const quantity = { ...found.quantity, name, longName, standardName };
  return { quantity, factor: found.factor, plausible: plausibleRange({ ...found, quantity }), words };
}
