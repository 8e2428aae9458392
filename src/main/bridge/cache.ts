import type { cache } from "#shared/bridge/cache.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { usageFault } from "#shared/fault.ts";
import { failure, success } from "#shared/service/error.ts";
import { compareWithService } from "../app/storage/compare.ts";
import { drawSample, sampleCost } from "../app/storage/sample.ts";
import { type Core, withConnection } from "./core.ts";

/** Stations looked at: enough to notice that a service revised its past, cheap enough to do now and then. */
const SAMPLE_PIECES = 6;

export function cacheHandlers(core: Core): Handlers<typeof cache> {
  const { limits } = core.app;
  return {
    statistics: ({ connectionId }) =>
      withConnection(core, connectionId, ({ cache }) => success({ ...cache.statistics(), path: cache.path })),
    stations: ({ connectionId }) => withConnection(core, connectionId, ({ cache }) => success(cache.sizes())),
    forget: ({ connectionId, stationIds, range, variables = null }) =>
      withConnection(core, connectionId, ({ cache }) => {
        const rows = cache.forget(stationIds, range, variables);
        core.events.emit("cacheChanged", { connectionId, stationIds });
        return success({ rows });
      }),
    check: ({ connectionId }) => withConnection(core, connectionId, ({ cache }) => success({ damage: cache.check() })),
    compact: ({ connectionId }) =>
      withConnection(core, connectionId, ({ cache }) => {
        cache.compact();
        return success({ ...cache.statistics(), path: cache.path });
      }),
    pin: ({ connectionId, stationIds, isPinned }) =>
      withConnection(core, connectionId, ({ cache }) => {
        cache.pin(stationIds, isPinned);
        return success(null);
      }),
    limit: ({ connectionId }) => withConnection(core, connectionId, (connection) => success(limits.read(connection))),
    setLimit: ({ connectionId, bytes }) =>
      withConnection(core, connectionId, async (connection) => success(await limits.set(connection, bytes))),
    drawSample: ({ connectionId }) =>
      withConnection(core, connectionId, ({ cache }) => {
        const pieces = drawSample(cache, SAMPLE_PIECES, Math.random);
        const stations = new Map(cache.catalogue().stations.map((s) => [s.id, s]));
        return success({ pieces, cost: sampleCost(stations, pieces) });
      }),
    compare: ({ connectionId, pieces }, { signal }) =>
      withConnection(core, connectionId, (connection) => compareWithService(connection, pieces, signal)),
    move: ({ connectionId, path }) =>
      withConnection(core, connectionId, async (connection) => {
        if (!core.chosenFiles.has(path))
          return failure(usageFault("Choose the new place of the cache in the dialog first."));
        const moved = await core.app.moveCache(connection, path);
        if (moved.ok) core.events.emit("cacheChanged", { connectionId, stationIds: [] });
        return moved;
      }),
  };
}
