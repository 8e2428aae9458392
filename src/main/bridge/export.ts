import type { exports } from "#shared/bridge/export.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { failure, success } from "#shared/service/error.ts";
import { usageFault } from "#shared/fault.ts";
import { type Core, withConnection } from "./core.ts";

export function exportHandlers(core: Core): Handlers<typeof exports> {
  const { exportTasks } = core.app;
  return {
    foresee: ({ connectionId, request }, { signal }) =>
      withConnection(core, connectionId, (connection) => exportTasks.foresee(connection, request, signal)),
    start({ connectionId, request, destination }) {
      // Without a desktop, whoever calls is the program itself, and writes where the user told it.
      const isFree = destination.kind === "download" || !core.ports.desktop || core.chosenFiles.has(destination.path);
      if (!isFree) return failure(usageFault("A file to write has to be chosen in the dialog of the system first."));
      return withConnection(core, connectionId, (connection) => exportTasks.start(connection, request, destination));
    },
    list: () => success(exportTasks.list()),
    cancel: ({ exportId }) => exportTasks.cancel(exportId),
    remove: ({ exportId }) => exportTasks.remove(exportId),
  };
}
