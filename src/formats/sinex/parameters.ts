import { uncertaintyOf, VALUE_VARIABLES, type Variable, variableInfo } from "#shared/service/variables.ts";
import { FormatFailure } from "../error.ts";
import { sinexProblem } from "../problems.ts";

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
