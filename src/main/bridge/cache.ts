import type { cache } from "#shared/bridge/cache.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { success } from "#shared/service/error.ts";
import { type Core, withConnection } from "./core.ts";

export function cacheHandlers(core: Core): Handlers<typeof cache> {
  return {
    statistics: ({ connectionId }) =>
      withConnection(core, connectionId, ({ cache }) => success({ ...cache.statistics(), path: cache.path })),
    forget: ({ connectionId, stationIds, range }) =>
      withConnection(core, connectionId, ({ cache }) => {
        const rows = cache.forget(stationIds, range);
        core.events.emit("cacheChanged", { connectionId, stationIds });
        return success({ rows });
      }),
    check: ({ connectionId }) => withConnection(core, connectionId, ({ cache }) => success({ damage: cache.check() })),
    compact: ({ connectionId }) =>
      withConnection(core, connectionId, ({ cache }) => {
        cache.compact();
        return success({ ...cache.statistics(), path: cache.path });
      }),
  };
}
