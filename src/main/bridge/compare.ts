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
        scalar(query.variable, () => readPairs(cache, once(query), createPace(signal))),
      ),
    scatter: (query, { signal }) =>
      withConnection(core, query.connectionId, ({ cache }) =>
        scalar(query.variable, () => readScatter(cache, once(query), createPace(signal))),
      ),
    stations: (query, { signal }) =>
      withConnection(core, query.connectionId, ({ cache }) =>
        scalar(query.variable, () => readShapes(cache, once(query), createPace(signal))),
      ),
    rate: (query, { signal }) =>
      withConnection(core, query.connectionId, ({ cache }) => readRates(cache, once(query), createPace(signal))),
    derived: (query, { signal }) =>
      withConnection(core, query.connectionId, ({ cache }) => readDerived(cache, once(query), createPace(signal))),
  };
}

/** Each station once: with itself it has no difference. */
function once<Query extends { readonly stationIds: readonly string[] }>(query: Query): Query {
  return { ...query, stationIds: [...new Set(query.stationIds)] };
}

async function scalar<T>(variable: Variable, work: () => Promise<Result<T, AppFault>>): Promise<Result<T, AppFault>> {
  if (variableKind(variable) === "scalar") return work();
  return failure(
    usageFault("Per-satellite variables cannot be compared by their values: choose ZTD, its uncertainty or PWV."),
  );
}
