import type { Handlers } from "#shared/bridge/method.ts";
import type { compare } from "#shared/bridge/methods/compare.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { readDerived, readRates, readShapes } from "../app/reading/compare/stations.ts";
import { readPairs, readScatter } from "../app/reading/compare/pairs.ts";
import { type Core, onConnection } from "./core.ts";

export function compareHandlers(core: Core): Handlers<typeof compare> {
  const on = onConnection(core);
  return {
    pairs: on(({ cache }, query, { pace }) =>
      ifScalar(query.variable, () => readPairs(cache, withoutDuplicates(query), pace)),
    ),
    scatter: on(({ cache }, query, { pace }) =>
      ifScalar(query.variable, () => readScatter(cache, withoutDuplicates(query), pace)),
    ),
    stations: on(({ cache }, query, { pace }) =>
      ifScalar(query.variable, () => readShapes(cache, withoutDuplicates(query), pace)),
    ),
    rate: on(({ cache }, query, { pace }) => readRates(cache, withoutDuplicates(query), pace)),
    derived: on(({ cache }, query, { pace }) => readDerived(cache, withoutDuplicates(query), pace)),
  };
}

/** Removes duplicate stations, which would be compared with themselves. */
function withoutDuplicates<Query extends { readonly stationIds: readonly string[] }>(query: Query): Query {
  return { ...query, stationIds: [...new Set(query.stationIds)] };
}

async function ifScalar<T>(variable: Variable, work: () => Promise<Result<T, AppFault>>): Promise<Result<T, AppFault>> {
  if (variableKind(variable) === "scalar") return work();
  return usageFailure(
    "Per-satellite variables cannot be compared by their values: choose a variable with one value per epoch, such as ZTD.",
  );
}
