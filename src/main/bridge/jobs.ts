import type { Handlers } from "#shared/bridge/method.ts";
import type { ExportDestination, exports } from "#shared/bridge/methods/export.ts";
import type { jobs, schedules } from "#shared/bridge/methods/jobs.ts";
import { usageFailure, usageFault } from "#shared/fault.ts";
import { downloadFor, requestAt } from "#shared/file/savedExport.ts";
import { withoutStations } from "#shared/job/job.ts";
import { failure, success } from "#shared/service/error.ts";
import { repeatCommand } from "../app/exports/command.ts";
import { fetchFirst } from "../app/exports/fetchFirst.ts";
import { type Core, onConnection, withConnection } from "./core.ts";

const ALL_FORBIDDEN = usageFault(
  "The service refused these stations the last time, so nothing was sent. If that has changed, switch on “Ask again” in " +
    "the fetch options.",
);

export function jobHandlers(core: Core): Handlers<typeof jobs> {
  const { queue } = core.app;
  return {
    estimate: onConnection(core)((connection, { spec, withForbidden = false }) =>
      success(core.app.jobs.estimate(connection, spec, withForbidden)),
    ),
    start({ connectionId, spec, keepUp, withForbidden = false }) {
      const forbidden = withForbidden ? [] : core.app.jobs.forbidden(connectionId, spec);
      const open = withoutStations(spec, forbidden);
      if (open.stationIds.length === 0 && forbidden.length > 0) return failure(ALL_FORBIDDEN);
      return queue.start(connectionId, open, keepUp);
    },
    list: () => success(queue.list()),
    pause: ({ jobId }) => queue.pause(jobId),
    resume: ({ jobId }) => queue.resume(jobId),
    cancel: ({ jobId }) => queue.cancel(jobId),
    setKeepUp: ({ jobId, keepUp }) => queue.setKeepUp(jobId, keepUp),
    remove: ({ jobId }) => queue.remove(jobId),
    verdicts: ({ jobId }) => queue.verdicts(jobId),
  };
}

export function exportHandlers(core: Core): Handlers<typeof exports> {
  const { exportTasks, savedExports } = core.app;
  const { dataFolder, desktop } = core.ports;
  const changed = (): void => core.events.emit("savedExportsChanged", null);
  // Without a desktop, the caller is the program itself, which writes where the user told it.
  const mayWriteTo = (destination: ExportDestination): boolean =>
    destination.kind === "download" || !desktop || core.chosenFiles.has(destination.path);
  return {
    estimate: onConnection(core)((connection, { request, template }, { signal }) =>
      exportTasks.estimate(connection, request, { template }, signal),
    ),
    start({ connectionId, request, destination, template }) {
      if (!mayWriteTo(destination)) return NOT_CHOSEN;
      return withConnection(core, connectionId, (connection) =>
        exportTasks.start(connection, request, destination, { template }),
      );
    },
    list: () => success(exportTasks.list()),
    cancel: ({ exportId }) => exportTasks.cancel(exportId),
    remove: ({ exportId }) => exportTasks.remove(exportId),
    saved: () =>
      success(savedExports.list().map((saved) => ({ ...saved, command: repeatCommand(saved.name, dataFolder) }))),
    save({ saved, replaces }) {
      const answer = savedExports.save(saved, replaces);
      if (answer.ok) changed();
      return answer;
    },
    edit({ before, saved }) {
      const answer = savedExports.edit(before, saved);
      if (answer.ok) changed();
      return answer;
    },
    removeSaved({ name }) {
      savedExports.remove(name);
      changed();
      return success(null);
    },
    repeat({ name, destination }) {
      if (!mayWriteTo(destination)) return NOT_CHOSEN;
      const found = savedExports.find(name);
      if (!found.ok) return found;
      const saved = found.value;
      return withConnection(core, saved.connectionId, async (connection) => {
        const request = requestAt(saved, connection.session.serverNowMs());
        const fetched = await fetchFirst({ ...core.app, events: core.events }, connection, downloadFor(request));
        if (!fetched.ok) return fetched;
        return exportTasks.start(connection, request, destination, {
          template: saved.template,
          exportName: saved.name,
        });
      });
    },
  };
}

const NOT_CHOSEN = usageFailure("Choose the file to write in the system's dialog first.");

const FOLDER_NOT_CHOSEN = usageFailure("Choose the folder in the system's dialog first.");

export function scheduleHandlers({ app, ports, chosenFiles }: Core): Handlers<typeof schedules> {
  const { store, ...all } = app.schedules;
  return {
    list: () => success(all.list()),
    save({ id, schedule, before: edited }) {
      const { folder } = schedule;
      const before = id === null ? null : (store.find(id)?.schedule.folder ?? null);
      // A window may write only where the user chose; without a desktop, the caller is the program itself.
      if (folder !== null && folder !== before && ports.desktop && !chosenFiles.has(folder)) return FOLDER_NOT_CHOSEN;
      return all.save(id, schedule, edited);
    },
    remove: ({ id, before }) => all.remove(id, before),
    setPaused: ({ id, isPaused }) => all.setPaused(id, isPaused),
    run: ({ id }) => all.run(id),
    async stop({ id }) {
      await all.stop(id);
      return success(null);
    },
    history: ({ id }) => success(store.runs(id)),
  };
}
