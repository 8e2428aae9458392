import type { Handlers } from "#shared/bridge/method.ts";
import { type jobs, REQUEST_FORBIDDEN, type schedules } from "#shared/bridge/methods/jobs.ts";
import { usageFailure, usageFault } from "#shared/fault.ts";
import { withoutStations } from "#shared/job/job.ts";
import { failure, success } from "#shared/service/error.ts";
import { type Core, onConnection } from "./core.ts";

const ALL_FORBIDDEN = usageFault(
  "The service refused access to these stations lately, so nothing was requested. If the key or its permissions have " +
    `changed, switch on “${REQUEST_FORBIDDEN}” under Fetch.`,
);

export function jobHandlers(core: Core): Handlers<typeof jobs> {
  const { queue } = core.app;
  return {
    estimate: onConnection(core)((connection, { spec, withForbidden = false }) =>
      success(core.app.jobs.estimate(connection, spec, withForbidden)),
    ),
    start: onConnection(core)((connection, { connectionId, spec, keepUp, withForbidden = false }) => {
      if (withForbidden) connection.session.profile.allow(spec.stationIds);
      const refused = core.app.jobs.refused(connection, spec);
      const open = withoutStations(spec, refused);
      if (open.stationIds.length === 0 && refused.length > 0) return failure(ALL_FORBIDDEN);
      return queue.start(connectionId, open, keepUp);
    }),
    list: () => success(queue.list()),
    pause: ({ jobId }) => queue.pause(jobId),
    resume: ({ jobId }) => queue.resume(jobId),
    cancel: ({ jobId }) => queue.cancel(jobId),
    setKeepUp: ({ jobId, keepUp }) => queue.setKeepUp(jobId, keepUp),
    remove: ({ jobId }) => queue.remove(jobId),
    verdicts: ({ jobId }) => queue.verdicts(jobId),
  };
}

const FOLDER_NOT_CHOSEN = usageFailure("Choose the folder in the system's dialog first.");

const COMMAND_NOT_ALLOWED = usageFailure("Commands at the end of runs can only be set on the command line.");

export function scheduleHandlers({ app, ports, chosenFiles }: Core): Handlers<typeof schedules> {
  const all = app.schedules;
  const { store } = all;
  return {
    list: () => success(all.list()),
    save({ id, schedule, before: edited }) {
      const { folder } = schedule;
      const before = id === null ? null : (store.find(id)?.schedule.folder ?? null);
      // A window may write only where the user chose; without a desktop, the caller is the program itself.
      if (folder !== null && folder !== before && ports.desktop && !chosenFiles.has(folder)) return FOLDER_NOT_CHOSEN;
      const stored = id === null ? null : (store.find(id)?.schedule ?? null);
      const isNew = (name: "onFailure" | "onSuccess"): boolean =>
        schedule[name] !== null && schedule[name] !== (stored?.[name] ?? null);
      // A window, which may be a page, must not run commands.
      if (ports.desktop && (isNew("onFailure") || isNew("onSuccess"))) return COMMAND_NOT_ALLOWED;
      return all.save(id, schedule, edited);
    },
    remove: ({ id, before }) => all.remove(id, before),
    setPaused: ({ id, isPaused }) => all.setPaused(id, isPaused),
    run: ({ id }) => all.run(id),
    async stop({ id }) {
      await all.stop(id);
      return success(null);
    },
    ledger: ({ id }) => success(store.ledger.all(id)),
    history: ({ id }) => success(store.runs(id)),
  };
}
