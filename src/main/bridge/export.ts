import type { exports } from "#shared/bridge/export.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { success } from "#shared/service/error.ts";
import { type Core, withConnection } from "./core.ts";

export function exportHandlers(core: Core): Handlers<typeof exports> {
  const { exportTasks } = core.app;
  return {
    foresee: ({ connectionId, request }, { signal }) =>
      withConnection(core, connectionId, async (connection) =>
        success(await exportTasks.foresee(connection, request, signal)),
      ),
    start: ({ connectionId, request, destination }) =>
      withConnection(core, connectionId, (connection) => exportTasks.start(connection, request, destination)),
    list: () => success(exportTasks.list()),
    cancel: ({ exportId }) => exportTasks.cancel(exportId),
    remove: ({ exportId }) => exportTasks.remove(exportId),
  };
}
