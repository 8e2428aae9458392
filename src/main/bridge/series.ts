import type { Handlers } from "#shared/bridge/method.ts";
import type { satellites, series, SeriesStatistics, SeriesWindow } from "#shared/bridge/methods/series.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { durationMs } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { readStatistics } from "../app/reading/statistics.ts";
import { readJoined, readJoinedAt } from "../app/reading/joined.ts";
import { readPage, readRowOrder } from "../app/reading/page.ts";
import { readRejected, readWindow } from "../app/reading/window.ts";
import { readSatellites } from "../app/reading/satellites.ts";
import { type Core, onConnection } from "./core.ts";

export function seriesHandlers(core: Core): Handlers<typeof series> {
  const on = onConnection(core);
  return {
    window: on(async ({ cache }, { stationIds, rejected, ...query }, { pace }) => {
      const variables = scalarVariables(query.variables);
      if (!variables.ok) return variables;
      const windows: SeriesWindow[] = [];
      const read = rejected === true ? readRejected : readWindow;
      for (const stationId of stationIds) {
        windows.push(await read(cache, { ...query, variables: variables.value }, stationId, pace));
        await pace.yieldIfDue();
      }
      return success(windows);
    }),
    gaps: on(async (connection, query, { signal }) => success(await core.app.gaps(connection, query, signal))),
    statistics: on(async ({ cache, session }, { stationIds, ...query }, { pace }) => {
      const variables = scalarVariables(query.variables);
      if (!variables.ok) return variables;
      const nowMs = session.time().latestMs;
      const selection = { ...query, variables: variables.value };
      const found: SeriesStatistics[] = [];
      for (const stationId of stationIds)
        found.push(...(await readStatistics(cache, { ...selection, stationId, nowMs }, pace)));
      return success(found);
    }),
    page: on(async ({ cache }, query, { pace }) => success(await readPage(cache, withoutDuplicates(query), pace))),
    joined: on(({ cache }, query, { pace }) => readJoined(cache, withoutDuplicates(query), pace)),
    joinedAt: on(async ({ cache }, query, { pace }) =>
      success(await readJoinedAt(cache, withoutDuplicates(query), query.timesMs, pace)),
    ),
    rowOrder: on(({ cache }, query, { pace }) => readRowOrder(cache, withoutDuplicates(query), pace)),
  };
}

function withoutDuplicates<Query extends { readonly variables: readonly Variable[] }>(query: Query): Query {
  return { ...query, variables: [...new Set(query.variables)] };
}

/** The scalar variables, without duplicates. */
function scalarVariables(variables: readonly Variable[]): Result<Variable[], AppFault> {
  const found = [...new Set(variables)].filter((v) => variableKind(v) === "scalar");
  if (found.length > 0) return success(found);
  return usageFailure(
    "Per-satellite variables have several values per epoch: choose a variable with one, such as ZTD.",
  );
}

const MAX_DAYS = 31;

export function satelliteHandlers(core: Core): Handlers<typeof satellites> {
  return {
    read: onConnection(core)(async ({ cache }, query, { pace }) => {
      if (durationMs(query.range) > MAX_DAYS * DAY_MS)
        return usageFailure(`Satellites are read for at most ${MAX_DAYS} days at once. Choose a shorter range.`);
      return success(await readSatellites(cache, query, pace));
    }),
  };
}
