import type { catalogue } from "#shared/bridge/methods/catalogue.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { success } from "#shared/service/error.ts";
import { readCatalogueCoverage, readStrips } from "../app/reading/coverage.ts";
import { type Core, withConnection } from "./core.ts";

export function catalogueHandlers(core: Core): Handlers<typeof catalogue> {
  return {
    read: ({ connectionId }) =>
      withConnection(core, connectionId, ({ cache, session }) =>
        success({ ...cache.catalogue(), remark: session.catalogueRemark() }),
      ),
    refresh: ({ connectionId }, { signal }) =>
      withConnection(core, connectionId, async (connection) => {
        const answer = await core.app.catalogue(connection, true, signal);
        if (answer.ok) core.events.emit("catalogueChanged", { connectionId });
        return answer;
      }),
    coverage: ({ connectionId, range, variables, mode }) =>
      withConnection(core, connectionId, ({ cache }) => success(readCatalogueCoverage(cache, range, variables, mode))),
    strips: ({ connectionId, stationIds, range, variables, mode }) =>
      withConnection(core, connectionId, ({ cache }) => success(readStrips(cache, stationIds, range, variables, mode))),
  };
}
