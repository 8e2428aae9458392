import { randomUUID } from "node:crypto";
import type { cache } from "#shared/bridge/methods/cache.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { usageFault } from "#shared/fault.ts";
import { failure, success } from "#shared/service/error.ts";
import { fromFileFault } from "../app/connections/connectionRecords.ts";
import { compareWithService, drawSample, epochLookup, sampleCost } from "../app/storage/compare.ts";
import { deleteQuarantined, quarantinedFiles } from "../store/index.ts";
import type { WorkPace } from "../store/types.ts";
import { type Core, withConnection } from "./core.ts";

/** Number of samples: enough to notice revisions by the service, and cheap enough to repeat. */
const SAMPLE_COUNT = 6;

export function cacheHandlers(core: Core): Handlers<typeof cache> {
  const { limits, maintenance } = core.app;
  return {
    statistics: ({ connectionId }) =>
      withConnection(core, connectionId, ({ cache }) => success({ ...cache.statistics(), path: cache.shownPath })),
    stations: ({ connectionId }) => withConnection(core, connectionId, ({ cache }) => success(cache.sizes())),
    forget: ({ connectionId, stationIds, range, variables = null, workId = randomUUID() }) =>
      withConnection(core, connectionId, ({ cache, record }) => {
        const fault = fromFileFault(record);
        if (fault) return failure(fault);
        return maintenance.run({ workId, connectionId }, async ({ onProgress, signal }) => {
          try {
            const rows = await cache.forgetInSteps({ stationIds, range, variables }, onProgress, signal);
            return success({ rows, isStopped: signal.aborted });
          } finally {
            core.events.emit("cacheChanged", { connectionId, stationIds });
          }
        });
      }),
    async stopWork({ workId }) {
      await maintenance.stop(workId);
      return success(null);
    },
    rebuild: ({ connectionId, workId = randomUUID() }) =>
      withConnection(core, connectionId, (connection) =>
        maintenance.run({ workId, connectionId: null }, async (pace) => {
          const rebuilt = await core.app.rebuildCache(connection, pace);
          if (rebuilt.ok) core.events.emit("cacheChanged", { connectionId, stationIds: null });
          return rebuilt;
        }),
      ),
    check: ({ connectionId, workId = randomUUID() }) =>
      withConnection(core, connectionId, ({ cache }) =>
        maintenance.run({ workId, connectionId }, async (pace) => {
          const { value } = await untilStopped(pace, cache.check(pace));
          return success({ findings: value });
        }),
      ),
    repair: ({ connectionId, workId = randomUUID() }) =>
      withConnection(core, connectionId, (connection) =>
        maintenance.run({ workId, connectionId: null }, async (pace) => {
          const { value } = await untilStopped(pace, core.app.repairCache(connection, pace));
          core.events.emit("cacheChanged", { connectionId, stationIds: null });
          return value ?? success({ findings: null, rebuilt: null });
        }),
      ),
    quarantine: ({ connectionId }) =>
      withConnection(core, connectionId, ({ cache }) => success([...quarantinedFiles(cache.shownPath)])),
    adoptQuarantined: ({ connectionId, name, workId = randomUUID() }) =>
      withConnection(core, connectionId, (connection) =>
        maintenance.run({ workId, connectionId: null }, async (pace) => {
          const adopted = await core.app.adoptQuarantined(connection, name, pace);
          core.events.emit("cacheChanged", { connectionId, stationIds: null });
          return adopted;
        }),
      ),
    deleteQuarantined: ({ connectionId, name }) =>
      withConnection(core, connectionId, ({ cache }) => {
        const file = quarantinedFiles(cache.shownPath).find((one) => one.name === name);
        if (!file) return failure(usageFault("This file no longer exists."));
        if (!deleteQuarantined(file)) return failure(usageFault(`${file.path} could not be deleted.`));
        return success(null);
      }),
    compact: ({ connectionId, workId = randomUUID() }) =>
      withConnection(core, connectionId, (connection) =>
        maintenance.run({ workId, connectionId }, async (pace) => {
          const { isStopped } = await untilStopped(pace, core.app.compactCache(connection, pace));
          core.events.emit("cacheChanged", { connectionId, stationIds: [] });
          const { cache } = connection;
          return success({ ...cache.statistics(), path: cache.shownPath, isStopped });
        }),
      ),
    pin: ({ connectionId, stationIds, isPinned }) =>
      withConnection(core, connectionId, ({ cache }) => {
        cache.pin(stationIds, isPinned);
        return success(null);
      }),
    limit: ({ connectionId }) => withConnection(core, connectionId, (connection) => success(limits.read(connection))),
    setLimit: ({ connectionId, bytes }) =>
      withConnection(core, connectionId, async (connection) => {
        const fault = fromFileFault(connection.record);
        return fault ? failure(fault) : success(await limits.set(connection, bytes));
      }),
    drawSample: ({ connectionId }) =>
      withConnection(core, connectionId, ({ cache, session }) => {
        const pieces = drawSample(cache, SAMPLE_COUNT, Math.random);
        return success({ pieces, cost: sampleCost(epochLookup(cache), pieces, session.limits()) });
      }),
    compare: ({ connectionId, pieces }, { signal }) =>
      withConnection(core, connectionId, (connection) => {
        const fault = fromFileFault(connection.record);
        return fault ? failure(fault) : compareWithService(connection, pieces, signal);
      }),
    move: ({ connectionId, path, workId = randomUUID() }) =>
      withConnection(core, connectionId, async (connection) => {
        if (!core.chosenFiles.has(path))
          return failure(usageFault("Choose the new place of the cache in the dialog first."));
        const moved = await maintenance.run({ workId, connectionId: null }, ({ onProgress }) =>
          core.app.moveCache(connection, path, onProgress),
        );
        if (moved.ok) core.events.emit("cacheChanged", { connectionId, stationIds: [] });
        return moved;
      }),
  };
}

/** The result of the work. Stopping it is not a fault, because the user wanted it. */
async function untilStopped<T>(
  { signal }: WorkPace,
  work: Promise<T>,
): Promise<{ readonly value: T | null; readonly isStopped: boolean }> {
  try {
    return { value: await work, isStopped: false };
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    return { value: null, isStopped: true };
  }
}
