import type { compare } from "#shared/bridge/methods/compare.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result } from "#shared/service/error.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { readDerived } from "../app/reading/compare/derived.ts";
import { readPairs, readScatter } from "../app/reading/compare/pairs.ts";
import { readRates, readShapes } from "../app/reading/compare/shapes.ts";
import { createPace } from "../app/reading/pace.ts";
import { type Core, withConnection } from "./core.ts";

export function compareHandlers(core: Core): Handlers<typeof compare> {
  return {
    pairs: (query, { signal }) =>
      withConnection(core, query.connectionId, ({ cache }) =>
        ifScalar(query.variable, () => readPairs(cache, withoutDuplicates(query), createPace(signal))),
      ),
    scatter: (query, { signal }) =>
      withConnection(core, query.connectionId, ({ cache }) =>
        ifScalar(query.variable, () => readScatter(cache, withoutDuplicates(query), createPace(signal))),
      ),
    stations: (query, { signal }) =>
      withConnection(core, query.connectionId, ({ cache }) =>
        ifScalar(query.variable, () => readShapes(cache, withoutDuplicates(query), createPace(signal))),
      ),
    rate: (query, { signal }) =>
      withConnection(core, query.connectionId, ({ cache }) =>
        readRates(cache, withoutDuplicates(query), createPace(signal)),
      ),
    derived: (query, { signal }) =>
      withConnection(core, query.connectionId, ({ cache }) =>
        readDerived(cache, withoutDuplicates(query), createPace(signal)),
      ),
  };
}

/** Removes duplicate stations, which would be compared with themselves. */
function withoutDuplicates<Query extends { readonly stationIds: readonly string[] }>(query: Query): Query {
  return { ...query, stationIds: [...new Set(query.stationIds)] };
}

async function ifScalar<T>(variable: Variable, work: () => Promise<Result<T, AppFault>>): Promise<Result<T, AppFault>> {
  if (variableKind(variable) === "scalar") return work();
  return failure(
    usageFault("Per-satellite variables cannot be compared by their values: choose ZTD, its uncertainty or PWV."),
  );
}
