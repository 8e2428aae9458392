import type { Handlers } from "#shared/bridge/method.ts";
import type { catalogue, nearest } from "#shared/bridge/methods/catalogue.ts";
import { success } from "#shared/service/error.ts";
import { readCatalogueCoverage, readStrips } from "../app/reading/availability.ts";
import { type Core, onConnection } from "./core.ts";

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
