import type { jobs } from "#shared/bridge/methods/jobs.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { usageFault } from "#shared/fault.ts";
import { withoutStations } from "#shared/job/job.ts";
import { failure, success } from "#shared/service/error.ts";
import { type Core, withConnection } from "./core.ts";

const ALL_FORBIDDEN = usageFault(
  "The service refused these stations the last time, so nothing was sent. If that has changed, switch on “Ask again” in " +
    "the fetch options.",
);

export function jobHandlers(core: Core): Handlers<typeof jobs> {
  const { queue } = core.app;
  return {
    estimate: ({ connectionId, spec, withForbidden = false }) =>
      withConnection(core, connectionId, (connection) =>
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
