import type { Handlers } from "#shared/bridge/method.ts";
import { type availability, MAX_CELLS } from "#shared/bridge/methods/availability.ts";
import type { satellites, series, SeriesGaps, SeriesStatistics, SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { snapshot } from "#shared/bridge/methods/snapshot.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import type { Convergence } from "#shared/series/gap.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { durationMs } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { binsIn, readAvailability } from "../app/reading/availability.ts";
import { readConvergence, readStatistics } from "../app/reading/statistics.ts";
import { knownFailures } from "../app/reading/failures.ts";
import { readAllGaps } from "../app/reading/gaps.ts";
import { readJoined, readJoinedAt } from "../app/reading/joined.ts";
import { createPace } from "../app/pacing.ts";
import { readPage, readRowOrder } from "../app/reading/page.ts";
import { readRejected, readWindow } from "../app/reading/window.ts";
import { readSatellites } from "../app/reading/satellites.ts";
import { readSnapshots } from "../app/reading/snapshot.ts";
import { type Core, withConnection } from "./core.ts";

export function availabilityHandlers(core: Core): Handlers<typeof availability> {
  return {
    read: ({ connectionId, bin, ...query }, { signal }) =>
      withConnection(core, connectionId, async ({ cache, session }) => {
        const binMs = bin === "day" ? DAY_MS : HOUR_MS;
        if (query.stationIds.length * binsIn(query.range, binMs) > MAX_CELLS)
          return failure(usageFault("This is too much to show at once. Choose fewer stations or a shorter range."));
        const failures = knownFailures(core.users, connectionId, query.mode);
        const fullQuery = { ...query, binMs, nowMs: session.time().latestMs };
        return success(await readAvailability(cache, fullQuery, failures, createPace(signal)));
      }),
    convergences: ({ connectionId, stationId, gaps, intervalSeconds }, { signal }) =>
      withConnection(core, connectionId, async ({ cache }) => {
        const pace = createPace(signal);
        const found: (Convergence | null)[] = [];
        for (const gap of gaps) {
          found.push(readConvergence(cache, stationId, gap, { intervalSeconds }));
          await pace.breathe();
        }
        return success(found);
      }),
  };
}

export function seriesHandlers(core: Core): Handlers<typeof series> {
  return {
    window: ({ connectionId, stationIds, behind, ...query }, { signal }) =>
      withConnection(core, connectionId, async ({ cache }) => {
        const variables = scalarVariables(query.variables);
        if (!variables.ok) return variables;
        const pace = createPace(signal);
        const windows: SeriesWindow[] = [];
        const read = behind === true ? readRejected : readWindow;
        for (const stationId of stationIds) {
          windows.push(await read(cache, { ...query, variables: variables.value }, stationId, pace));
          await pace.breathe();
        }
        return success(windows);
      }),
    gaps: ({ connectionId, ...query }, { signal }) =>
      withConnection(core, connectionId, async ({ cache, session }) => {
        const found: SeriesGaps[] = [];
        const sources = { cache, users: core.users, connectionId, nowMs: session.time().latestMs };
        for await (const series of readAllGaps(sources, query, createPace(signal))) found.push(series);
        return success(found);
      }),
    statistics: ({ connectionId, stationIds, ...query }, { signal }) =>
      withConnection(core, connectionId, async ({ cache, session }) => {
        const variables = scalarVariables(query.variables);
        if (!variables.ok) return variables;
        const pace = createPace(signal);
        const nowMs = session.time().latestMs;
        const selection = { ...query, variables: variables.value };
        const found: SeriesStatistics[] = [];
        for (const stationId of stationIds)
          found.push(...(await readStatistics(cache, selection, stationId, nowMs, pace)));
        return success(found);
      }),
    page: ({ connectionId, ...query }, { signal }) =>
      withConnection(core, connectionId, async ({ cache }) =>
        success(await readPage(cache, { ...query, variables: [...new Set(query.variables)] }, createPace(signal))),
      ),
    joined: ({ connectionId, ...query }, { signal }) =>
      withConnection(core, connectionId, async ({ cache }) =>
        readJoined(cache, withoutDuplicates(query), createPace(signal)),
      ),
    joinedAt: ({ connectionId, timesMs, ...query }, { signal }) =>
      withConnection(core, connectionId, async ({ cache }) =>
        success(await readJoinedAt(cache, withoutDuplicates(query), timesMs, createPace(signal))),
      ),
    rowOrder: ({ connectionId, ...query }, { signal }) =>
      withConnection(core, connectionId, async ({ cache }) =>
        readRowOrder(cache, withoutDuplicates(query), createPace(signal)),
      ),
  };
}

function withoutDuplicates<Query extends { readonly variables: readonly Variable[] }>(query: Query): Query {
  return { ...query, variables: [...new Set(query.variables)] };
}

/** The scalar variables, without duplicates. */
function scalarVariables(variables: readonly Variable[]): Result<Variable[], AppFault> {
  const found = [...new Set(variables)].filter((v) => variableKind(v) === "scalar");
  if (found.length > 0) return success(found);
  return failure(
    usageFault("Per-satellite variables have no one value per epoch: choose ZTD, its uncertainty or PWV."),
  );
}

const MAX_DAYS = 31;

export function satelliteHandlers(core: Core): Handlers<typeof satellites> {
  return {
    read: ({ connectionId, stationId, range, mode }, { signal }) => {
      if (durationMs(range) > MAX_DAYS * DAY_MS) {
        return failure(usageFault(`Satellites are read for at most ${MAX_DAYS} days at once. Choose a shorter range.`));
      }
      return withConnection(core, connectionId, async ({ cache }) =>
        success(await readSatellites(cache, stationId, range, mode, createPace(signal))),
      );
    },
  };
}

export function snapshotHandlers(core: Core): Handlers<typeof snapshot> {
  return {
    read: ({ connectionId, ...query }, { signal }) =>
      withConnection(core, connectionId, async ({ cache }) => {
        const variables = [...new Set(query.variables)].filter((v) => variableKind(v) === "scalar");
        if (variables.length === 0)
          return failure(usageFault("A map shows one value per station. Choose ZTD, its uncertainty or PWV."));
        return success(await readSnapshots(cache, { ...query, variables }, createPace(signal)));
      }),
    missing: ({ connectionId, stationIds, ...query }, { signal }) =>
      withConnection(core, connectionId, async (connection) =>
        success(await core.app.missing(connection, query, stationIds, signal)),
      ),
  };
}
