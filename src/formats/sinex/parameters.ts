import {
  shortName,
  uncertaintyOf,
  VALUE_VARIABLES,
  type Variable,
  variableInfo,
  variableKind,
} from "#shared/service/variables.ts";
import { FormatFailure } from "../error.ts";

/** A column of TROP/SOLUTION. Values are in the base unit of the format times `factor`: metres times 1e+03. */
export interface Parameter {
  /** null: the service has no such variable, and all values are missing. */
  readonly variable: Variable | null;
  readonly name: string;
  readonly factor: string;
}

/** Width and decimals of a value: 0.001 mm is finer than the precision of any estimate. */
export const VALUE_WIDTH = 8;
export const VALUE_DECIMALS = 3;

/** Returns a sentence about variables that the format cannot store, or null. */
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
 * Returns the columns for variables, in the order of the format. Every value is followed by its uncertainty, possibly
 * missing, because common readers only accept rows of such pairs.
 *
 * @throws FormatFailure if the format cannot store a variable
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
