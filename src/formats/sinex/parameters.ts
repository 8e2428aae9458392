import {
  shortName,
  uncertaintyOf,
  VALUE_VARIABLES,
  type Variable,
  variableInfo,
  variableKind,
} from "#shared/service/variables.ts";
import { FormatFailure } from "../error.ts";

/** A column of TROP/SOLUTION. Values are the unit of the format times `factor`: metres by 1e+03 are millimetres. */
export interface Parameter {
  /** null: nothing of the service, so that all values are missing. */
  readonly variable: Variable | null;
  readonly name: string;
  readonly factor: string;
}

/** Characters of a value and its decimals: thousandths of a millimetre, more than any estimate means. */
export const VALUE_WIDTH = 8;
export const VALUE_DECIMALS = 3;

/** Why the format has no place for these variables, in a sentence; null where it has. */
export function sinexProblem(variables: readonly Variable[]): string | null {
  if (variables.some((v) => variableKind(v) !== "scalar"))
    return "SINEX_TRO holds no satellites: leave them out, or choose another format.";
  const alone = VALUE_VARIABLES.find((v) => {
    const uncertainty = uncertaintyOf(v);
    return uncertainty !== null && variables.includes(uncertainty) && !variables.includes(v);
  });
  if (alone !== undefined)
    return `SINEX_TRO has the uncertainty only beside its value: choose ${shortName(alone)} too, or another format.`;
  return null;
}

/**
 * The columns for these variables, in the order of the format. An uncertainty follows each value, missing where there is
 * none: public readers take rows of a station, an epoch and such pairs, and no others.
 *
 * @throws FormatFailure where the format has no place for one
 */
export function parametersOf(variables: readonly Variable[]): Parameter[] {
  const problem = sinexProblem(variables);
  if (problem !== null) throw new FormatFailure("invalid", problem);
  return VALUE_VARIABLES.filter((v) => variables.includes(v)).flatMap((variable) => {
    const { parameter, factor } = variableInfo(variable).sinex;
    return [
      { variable, name: parameter, factor },
      { variable: uncertaintyOf(variable), name: "STDDEV", factor },
    ];
  });
}
