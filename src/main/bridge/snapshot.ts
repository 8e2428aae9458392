import type { Handlers } from "#shared/bridge/method.ts";
import type { snapshot } from "#shared/bridge/methods/snapshot.ts";
import { usageFault } from "#shared/fault.ts";
import { failure, success } from "#shared/service/error.ts";
import { variableKind } from "#shared/service/variables.ts";
import { createPace } from "../app/reading/pace.ts";
import { readSnapshots } from "../app/reading/snapshot.ts";
import { type Core, withConnection } from "./core.ts";

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
