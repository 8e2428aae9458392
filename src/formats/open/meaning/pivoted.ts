import { defined } from "#shared/defined.ts";
import { type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { ColumnSurvey } from "./survey.ts";

/** A column whose heading may name what it is of. */
export interface PivotedColumn {
  readonly label: string;
  /** null: not a variable of the service. */
  readonly variable: ScalarVariable | null;
  /** What columns of one quantity have in common. */
  readonly quantity: string;
  /** Factor to mm of the unit that the file states; null if it states none. */
  readonly statedMm: number | null;
  /** The user said so, or the heading can be read in no other way. */
  readonly isCertain: boolean;
  readonly survey: ColumnSurvey | null;
}

/** Smaller numbers without a unit may be differences, deviations or shares, of which statistics are. */
const LEAST_TELLING = 10;

/** Digits before letters are heights and hours, too: `500M`, `00UT`. */
const OF_DIGITS = /^\d+[A-Z]+$/;

/**
 * The labels of columns that are of stations, by their values: a word beside a quantity may be a statistic of it, such as BIAS,
 * whose values are not those of the quantity. Only a quantity that is never near zero tells them apart.
 *
 * @returns null if the values fit, and do not tell
 */
export function labelsByValues(all: readonly PivotedColumn[]): ReadonlySet<string> | null {
  const groups = [...Map.groupBy(all, ({ quantity }) => quantity).values()];
  const certain = all.filter(({ isCertain }) => isCertain);
  let [isOpen, isContradicted] = [false, false];
  const told = groups.flatMap((columns) => {
    const { variable, statedMm } = defined(columns[0]);
    const survey = ColumnSurvey.together(columns.flatMap((each) => each.survey ?? []));
    if (variable === null || survey === null || survey.values === 0) return [];
    const unit = survey.fitting()?.find(({ factor }) => statedMm === null || factor === statedMm);
    const { min } = variableInfo(variable).plausible;
    const isTelling = unit && min > 0 && (statedMm !== null || min / unit.factor >= LEAST_TELLING);
    if (!unit) isContradicted = true;
    else if (!isTelling) isOpen = true;
    return isTelling ? columns.filter((each) => each.survey?.fitsHalf(unit)) : [];
  });
  const labels = new Set([...certain, ...told].map(({ label }) => label));
  const isEnough = certain.length > 0 || all.filter(({ label }) => labels.has(label)).length > 1;
  if (!isEnough) return isOpen && !isContradicted && told.length === 0 ? null : new Set();
  return certain.length === 0 && [...labels].every((label) => OF_DIGITS.test(label)) ? null : labels;
}
