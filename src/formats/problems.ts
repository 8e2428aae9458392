import { shortName, uncertaintyOf, VALUE_VARIABLES, type Variable, variableKind } from "#shared/service/variables.ts";

// Selections that a format cannot store, known without its writer.

/** Returns a sentence about a selection that COST-716 cannot store, or null. */
export function costProblem(variables: readonly Variable[], intervalSeconds: number | null): string | null {
  if (variables.some((v) => variableKind(v) !== "scalar"))
    return "COST-716 holds no satellites: leave them out, or choose another format.";
  if (!VALUE_VARIABLES.some((v) => variables.includes(v))) return "COST-716 needs ZTD or PWV: choose one of them.";
  if (intervalSeconds === null || intervalSeconds % 60 !== 0)
    return "COST-716 states its interval in whole minutes: choose means over an interval, such as 15 minutes.";
  return null;
}

/** Returns a sentence about variables that SINEX_TRO cannot store, or null. */
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
