import type { Handlers } from "#shared/bridge/method.ts";
import type { series, SeriesGaps, SeriesStatistics, SeriesWindow } from "#shared/bridge/methods/series.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { readRejected } from "../app/reading/rejected.ts";
import { readAllGaps } from "../app/reading/gaps.ts";
import { readJoined, readJoinedAt } from "../app/reading/joined.ts";
import { createPace } from "../app/reading/pace.ts";
import { readPage } from "../app/reading/page.ts";
import { readRowOrder } from "../app/reading/rowOrder.ts";
import { readStatistics } from "../app/reading/statistics.ts";
import { readWindow } from "../app/reading/window.ts";
import { type Core, withConnection } from "./core.ts";

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
