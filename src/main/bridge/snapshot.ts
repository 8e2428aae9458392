import type { Handlers } from "#shared/bridge/method.ts";
import type { snapshot } from "#shared/bridge/methods/snapshot.ts";
import { usageFailure } from "#shared/fault.ts";
import { success } from "#shared/service/error.ts";
import { variableKind } from "#shared/service/variables.ts";
import { readSnapshots } from "../app/reading/snapshot.ts";
import { type Core, onConnection } from "./core.ts";

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
