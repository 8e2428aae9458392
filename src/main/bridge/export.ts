import type { Handlers } from "#shared/bridge/method.ts";
import type { ExportDestination, exports } from "#shared/bridge/methods/export.ts";
import { usageFailure } from "#shared/fault.ts";
import { downloadFor, requestAt, withExportEdit } from "#shared/file/savedExport.ts";
import { success } from "#shared/service/error.ts";
import { repeatCommand } from "../app/exports/command.ts";
import { fetchFirst } from "../app/exports/fetchFirst.ts";
import type { FetchMissing } from "../app/exports/orderedExport.ts";
import { type Core, onConnection, withConnection } from "./core.ts";

export function exportHandlers(core: Core): Handlers<typeof exports> {
  const { exportTasks, savedExports } = core.app;
  const { dataFolder, desktop } = core.ports;
  // Without a desktop, the caller is the program itself, which writes where the user told it.
  const mayWriteTo = (destination: ExportDestination): boolean =>
    destination.kind === "download" || !desktop || core.chosenFiles.has(destination.path);
  const fetching =
    (request: Parameters<typeof downloadFor>[0]): FetchMissing =>
    (connection, signal) =>
      fetchFirst({ ...core.app, events: core.events }, connection, downloadFor(request), signal);
  return {
    estimate: onConnection(core)((connection, { request, template }, { signal }) =>
      exportTasks.estimate(connection, request, { template }, signal),
    ),
    start({ connectionId, request, destination, template, fetchesFirst = false }) {
      if (!mayWriteTo(destination)) return NOT_CHOSEN;
      return withConnection(core, connectionId, (connection) => {
        const fetch = fetchesFirst ? fetching(request) : null;
        return exportTasks.start(connection, request, destination, { template, fetch });
      });
    },
    list: () => success(exportTasks.list()),
    async retry({ exportId }) {
      const found = exportTasks.find(exportId);
      if (!found.ok) return found;
      return withConnection(core, found.value.connectionId, (connection) => exportTasks.retry(connection, exportId));
    },
    cancel: ({ exportId }) => exportTasks.cancel(exportId),
    remove: ({ exportId }) => exportTasks.remove(exportId),
    saved: () =>
      success(savedExports.list().map((saved) => ({ ...saved, command: repeatCommand(saved.name, dataFolder) }))),
    save({ saved, replaces }) {
      const answer = savedExports.save([saved], replaces === null ? [] : replaces && [replaces]);
      return answer.ok ? success(answer.value[0] ?? null) : answer;
    },
    edit: ({ before, saved }) => savedExports.edit(before.name, (current) => withExportEdit(current, before, saved)),
    removeSaved({ name }) {
      savedExports.remove(name);
      return success(null);
    },
    repeat({ name, destination }) {
      if (!mayWriteTo(destination)) return NOT_CHOSEN;
      const found = savedExports.find(name);
      if (!found.ok) return found;
      const saved = found.value.item;
      return withConnection(core, saved.connectionId, (connection) => {
        const request = requestAt(saved, connection.session.serverNowMs());
        return exportTasks.start(connection, request, destination, {
          template: saved.template,
          exportName: saved.name,
          figure: saved.figure,
          fetch: fetching(request),
        });
      });
    },
  };
}

const NOT_CHOSEN = usageFailure("Choose the file to write in the system's dialog first.");
