import type { Handlers } from "#shared/bridge/method.ts";
import type { nearest } from "#shared/bridge/methods/nearest.ts";
import { type Core, withConnection } from "./core.ts";

export function nearestHandlers(core: Core): Handlers<typeof nearest> {
  return {
    query: ({ connectionId, ...query }, { signal }) =>
      withConnection(core, connectionId, (connection) => core.app.nearest(connection, query, signal)),
  };
}
