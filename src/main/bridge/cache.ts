import { randomUUID } from "node:crypto";
import type { cache } from "#shared/bridge/methods/cache.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { failure, success } from "#shared/service/error.ts";
import { fromFileFault } from "../app/connections/connectionRecords.ts";
import { quarantinedFiles, removeDatabase } from "../store/index.ts";
import type { WorkPace } from "../store/types.ts";
import { type Core, onConnection } from "./core.ts";

export function cacheHandlers(core: Core): Handlers<typeof cache> {
  const { cacheMaintenance, maximumSizes, maintenance } = core.app;
  const on = onConnection(core);
  const changed = changesOf(core);
  return {
    statistics: on(({ cache }) => success({ ...cache.statistics(), path: cache.path })),
    stations: on(({ cache }) => success(cache.sizes())),
    forget: on(({ cache, record }, { connectionId, stationIds, range, variables = null, workId = randomUUID() }) => {
      const fault = fromFileFault(record);
      if (fault) return failure(fault);
      return maintenance.run({ workId, connectionId }, async ({ onProgress, signal }) => {
        try {
          const rows = await cache.forgetInSteps({ stationIds, range, variables }, onProgress, signal);
          return success({ rows, isStopped: signal.aborted });
        } finally {
          changed(connectionId, stationIds);
        }
      });
    }),
    async stopWork({ workId }) {
      await maintenance.stop(workId);
      return success(null);
    },
    ...damageHandlers(core),
    compact: on((connection, { connectionId, workId = randomUUID() }) =>
      maintenance.run({ workId, connectionId }, async (pace) => {
        const { isStopped } = await untilStopped(pace, cacheMaintenance.compact(connection, pace));
        changed(connectionId, []);
        const { cache } = connection;
        return success({ ...cache.statistics(), path: cache.path, isStopped });
      }),
    ),
    pin: on(({ cache }, { stationIds, isPinned }) => {
      cache.pin(stationIds, isPinned);
      return success(null);
    }),
    maximumSize: on((connection) => success(maximumSizes.read(connection))),
    setMaximumSize: on(async (connection, { bytes }) => {
      const fault = fromFileFault(connection.record);
      return fault ? failure(fault) : success(await maximumSizes.set(connection, bytes));
    }),
    move: on(async (connection, { connectionId, path, workId = randomUUID() }) => {
      if (!core.chosenFiles.has(path)) return usageFailure("Choose the new place of the cache in the dialog first.");
      return maintenance.run({ workId, connectionId: null }, async (pace) => {
        const { value } = await untilStopped(pace, cacheMaintenance.move(connection, path, pace));
        if (value?.ok) changed(connectionId, []);
        return value ?? NOT_MOVED;
      });
    }),
  };
}

const NOT_MOVED = failure<AppFault>({
  kind: "cancelled",
  message: "Stopped. The cache stays where it is.",
  cause: null,
});

/** Finds and repairs damage. */
function damageHandlers(
  core: Core,
): Pick<
  Handlers<typeof cache>,
  "rebuild" | "check" | "repair" | "quarantine" | "adoptQuarantined" | "deleteQuarantined"
> {
  const { cacheMaintenance, maintenance } = core.app;
  const on = onConnection(core);
  const changed = changesOf(core);
  return {
    rebuild: on((connection, { connectionId, workId = randomUUID() }) =>
      maintenance.run({ workId, connectionId: null }, async (pace) => {
        const rebuilt = await cacheMaintenance.rebuild(connection, pace);
        if (rebuilt.ok) changed(connectionId, null);
        return rebuilt;
      }),
    ),
    check: on(({ cache }, { connectionId, workId = randomUUID() }) =>
      maintenance.run({ workId, connectionId }, async (pace) => {
        const { value } = await untilStopped(pace, cache.check(pace));
        return success({ findings: value });
      }),
    ),
    repair: on((connection, { connectionId, workId = randomUUID() }) =>
      maintenance.run({ workId, connectionId: null }, async (pace) => {
        const { value } = await untilStopped(pace, cacheMaintenance.repair(connection, pace));
        changed(connectionId, null);
        return value ?? success({ findings: null, rebuilt: null });
      }),
    ),
    quarantine: on(({ cache }) => success([...quarantinedFiles(cache.path)])),
    adoptQuarantined: on((connection, { connectionId, name, workId = randomUUID() }) =>
      maintenance.run({ workId, connectionId: null }, async (pace) => {
        const adopted = await cacheMaintenance.adoptQuarantined(connection, name, pace);
        changed(connectionId, null);
        return adopted;
      }),
    ),
    deleteQuarantined: on(({ cache }, { name }) => {
      const file = quarantinedFiles(cache.path).find((one) => one.name === name);
      if (!file) return usageFailure("This file no longer exists.");
      if (!removeDatabase(file.path)) return usageFailure(`${file.path} could not be deleted.`);
      return success(null);
    }),
  };
}

/** Tells the windows that a cache has changed. `stationIds` null: all stations. */
function changesOf({ events }: Core) {
  return (connectionId: string, stationIds: readonly string[] | null): void =>
    events.emit("cacheChanged", { connectionId, stationIds });
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
