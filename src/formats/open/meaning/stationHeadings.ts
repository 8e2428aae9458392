import { unitInName, unitNamed } from "#shared/file/units.ts";
import { SCALAR_VARIABLES, type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { isNoValueNumber, isNoValueWord } from "./noValue.ts";
import { HOUR, isTimeName, timeName } from "../time/names.ts";
import { isOtherQuantity, variableOf } from "./quantities.ts";
import { CODE, stationNamed } from "./stations.ts";
import { LENGTHS } from "./survey.ts";

/** A heading with a quantity and what its column belongs to, as pivoted tables have: `ztd KALL [m]`. */
export interface StationHeading {
  readonly label: string;
  /** null for four characters, which may also be those of a model, an analysis centre or a statistic. */
  readonly stationId: string | null;
  /** The heading without the label; empty for a code alone. */
  readonly quantity: string;
  /** What the values of a code alone fit. */
  readonly fitting?: { readonly role: ScalarVariable; readonly unit: string };
}

const MARKS = String.raw`[\s_.:|/,-]+`;
/** Names of several levels in one, as pandas writes them into Parquet: `('ztd', 'KALL')`. */
const LEVELS = /^\(("[^"]*"|'[^']*')(, ("[^"]*"|'[^']*'))+\)$/;

/** The labels of a series in the name of its column, as Prometheus and Grafana write them: `ztd {station="KALL"}`. */
const LABELS = /^(.*?)\s*\{(.*)\}$/;

/**
 * What may be the stations in the headings of a table, by column; empty if there are none. Headings of at least two columns
 * have to agree that a quantity of the service is beside a code; another quantity then may be beside the same codes.
 * Their values decide.
 */
export function stationHeadings(names: readonly string[]): readonly (StationHeading | null)[] {
  if (names.some((name) => stationNamed(name) !== null)) return [];
  const all = names.map(candidatesIn);
  const known = all.flatMap((candidates) => candidates.filter(({ quantity }) => isVariable(quantity)));
  const labels = new Set(known.map(({ label }) => label));
  if (known.length < 2) return [];
  return all.map((candidates) => {
    const [only, other] = candidates.filter(({ label }) => labels.has(label));
    return only && !other ? only : null;
  });
}

/** A name of several levels as words: `ztd KALL`. */
export function withoutLevels(name: string): string {
  return LEVELS.test(name) ? name.slice(2, -2).replaceAll(/["'], ["']/g, " ") : name;
}

/** The words of a heading that may be a code, each with what else the heading has. */
function candidatesIn(name: string): StationHeading[] {
  const [, quantity = "", pairs = ""] = LABELS.exec(name) ?? [];
  const stated = [...pairs.matchAll(/(\w+)="([^"]+)"/g)].filter(([, key = ""]) => stationNamed(key) !== null);
  if (stated.length > 0) return stated.map(([, , label = ""]) => ({ label, stationId: label, quantity }));
  const heading = withoutLevels(name);
  return [...heading.matchAll(/[^\W_]+/g)].flatMap(({ index, 0: label }) => {
    const words = heading.slice(0, index).replace(new RegExp(`${MARKS}$`), "");
    // “Station KALL ZTD”: the word says what the code is.
    const before = words.replace(/(^|[^\p{L}])\p{L}+$/u, (word) => (stationNamed(word) === null ? word : ""));
    const after = heading.slice(index + label.length);
    const rest = after.replace(new RegExp(`^${MARKS}`), "");
    const isInBrackets = /[([{][^)\]}]*$/.test(before);
    if (!CODE.test(label) || isInBrackets || before + rest === "") return [];
    const own = before === "" ? rest : before + after.slice(0, after.length - rest.length) + rest;
    return [{ label, stationId: label.length > 4 ? label : null, quantity: own }];
  });
}

export function isVariable(heading: string): boolean {
  const { name, unit } = unitInName(heading.trim());
  return variableOf({ name, unit, longName: null, standardName: null }) !== null;
}

function isKnownName(name: string): boolean {
  return isVariable(name) || isOtherQuantity(name) || isTimeName(name) || HOUR.test(timeName(name));
}

/**
 * The same of columns that are called by codes alone, if the values of all of them fit one variable in one unit.
 * @param columns the fields of the first rows of each column
 * @param titles texts that may state the variable: `PWV [mm]`
 */
export function codesAlone(
  names: readonly string[],
  columns: readonly (readonly string[])[],
  titles: readonly string[],
): readonly (StationHeading | null)[] {
  const isCode = names.map((name) => CODE.test(name) && !isKnownName(name));
  const stated = titles.flatMap((title) => {
    const { name, unit } = unitInName(title);
    const role = variableOf({ name, unit: null, longName: null, standardName: null });
    return role === null ? [] : [{ role, unit: unitNamed(unit ?? "")?.name ?? null }];
  });
  const isStated = (found: { role: ScalarVariable; unit: string }): boolean =>
    stated.length === 0 || stated.some(({ role, unit }) => role === found.role && (unit ?? found.unit) === found.unit);
  const [fitting, other] = fittingOf(columns.flatMap((column, at) => (isCode[at] ? column : []))).filter(isStated);
  if (isCode.filter(Boolean).length < 2 || !fitting || other) return [];
  return names.map((label, at) => (isCode[at] ? { label, stationId: null, quantity: "", fitting } : null));
}

/** The variables of the service, each in a unit, that all of these fields fit; empty without a value. */
function fittingOf(fields: readonly string[]) {
  const values = fields.flatMap((field) => (isNoValueWord(field) ? [] : Number(field.replace(",", "."))));
  const plain = values.filter((value) => !isNoValueNumber(value, () => false));
  if (plain.length === 0) return [];
  return SCALAR_VARIABLES.flatMap((role) => {
    const { min, max } = variableInfo(role).plausible;
    const units = LENGTHS.filter(({ factor }) =>
      plain.every((value) => value * factor >= min && value * factor <= max),
    );
    return units.map(({ unit }) => ({ role, unit }));
  });
}
