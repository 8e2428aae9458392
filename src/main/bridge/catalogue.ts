import type { catalogue } from "#shared/bridge/catalogue.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { failure, success } from "#shared/service/error.ts";
import { usageFault } from "#shared/fault.ts";
import { type Core, withConnection } from "./core.ts";

export function catalogueHandlers(core: Core): Handlers<typeof catalogue> {
  return {
    read: ({ connectionId }) => withConnection(core, connectionId, ({ cache }) => success(cache.catalogue())),
    refresh: ({ connectionId }, { signal }) =>
      withConnection(core, connectionId, async (connection) => {
        const answer = await core.app.catalogue(connection, true, signal);
        if (answer.ok) core.events.emit("catalogueChanged", { connectionId });
        return answer;
      }),
    coverage: () => failure(usageFault("This is not built yet.")),
    strips: () => failure(usageFault("This is not built yet.")),
  };
}
