import type { Handlers } from "#shared/bridge/method.ts";
import type { catalogue, nearest } from "#shared/bridge/methods/catalogue.ts";
import { type Result, success } from "#shared/service/error.ts";
import { binsIn, readAvailability, readCatalogueCoverage, readStrips } from "../app/reading/availability.ts";
import { type Core, onConnection } from "./core.ts";
import type { snapshot } from "#shared/bridge/methods/snapshot.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { readSnapshots } from "../app/reading/snapshot.ts";
import { type availability, MAX_CELLS } from "#shared/bridge/methods/availability.ts";
import type { Convergence } from "#shared/series/gap.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { readConvergence, readStatistics } from "../app/reading/statistics.ts";
import type { satellites, series, SeriesStatistics, SeriesWindow } from "#shared/bridge/methods/series.ts";
import { durationMs } from "#shared/time/range.ts";
import { readJoined, readJoinedAt } from "../app/reading/joined.ts";
import { readPage, readRowOrder } from "../app/reading/page.ts";
import { readRejected, readWindow } from "../app/reading/window.ts";
import { readSatellites } from "../app/reading/satellites.ts";

export function catalogueHandlers(core: Core): Handlers<typeof catalogue> {
  const on = onConnection(core);
  return {
    read: on(({ cache, session }) => success({ ...cache.catalogue(), remark: session.catalogueRemark() })),
    refresh: on((connection, _, { signal }) => core.app.catalogue(connection, true, signal)),
    coverage: on(({ cache }, { range, variables, mode }) =>
      success(readCatalogueCoverage(cache, range, variables, mode)),
    ),
    strips: on(({ cache }, query) => success(readStrips(cache, query))),
  };
}

export function nearestHandlers(core: Core): Handlers<typeof nearest> {
  return { query: onConnection(core)((connection, query, { signal }) => core.app.nearest(connection, query, signal)) };
}

export function snapshotHandlers(core: Core): Handlers<typeof snapshot> {
  const on = onConnection(core);
  return {
    read: on(async ({ cache }, query, { pace }) => {
      const variables = [...new Set(query.variables)].filter((v) => variableKind(v) === "scalar");
      if (variables.length === 0)
        return usageFailure(
          "A map shows one value per station. Choose a variable with one value per epoch, such as ZTD.",
        );
      return success(await readSnapshots(cache, { ...query, variables }, pace));
    }),
    missing: on(async (connection, query, { signal }) => success(await core.app.missing(connection, query, signal))),
  };
}

export function availabilityHandlers(core: Core): Handlers<typeof availability> {
  const on = onConnection(core);
  return {
    read: on(async ({ cache, session }, { connectionId, bin, ...query }, { pace }) => {
      const binMs = bin === "day" ? DAY_MS : HOUR_MS;
      if (query.stationIds.length * binsIn(query.range, binMs) > MAX_CELLS)
        return usageFailure("This is too much to show at once. Choose fewer stations or a shorter range.");
      const failures = core.app.failures(connectionId, query.mode);
      const fullQuery = { ...query, binMs, nowMs: session.time().latestMs };
      return success(await readAvailability(cache, fullQuery, failures, pace));
    }),
    convergences: on(async ({ cache }, { stationId, gaps, intervalSeconds }, { pace }) => {
      const found: (Convergence | null)[] = [];
      for (const gap of gaps) {
        found.push(readConvergence(cache, stationId, gap, { intervalSeconds }));
        await pace.yieldIfDue();
      }
      return success(found);
    }),
  };
}

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
