import type { jobs } from "#shared/bridge/jobs.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { success } from "#shared/service/error.ts";
import { type Core, withConnection } from "./core.ts";

export function jobHandlers(core: Core): Handlers<typeof jobs> {
  const { queue } = core.app;
  return {
    estimate: ({ connectionId, spec }) =>
      withConnection(core, connectionId, (connection) => success(core.app.jobs.estimate(connection, spec))),
    start: ({ connectionId, spec, keepUp }) => queue.start(connectionId, spec, keepUp),
    list: () => success(queue.list()),
    pause: ({ jobId }) => queue.pause(jobId),
    resume: ({ jobId }) => queue.resume(jobId),
    cancel: ({ jobId }) => queue.cancel(jobId),
    setKeepUp: ({ jobId, keepUp }) => queue.setKeepUp(jobId, keepUp),
    remove: ({ jobId }) => queue.remove(jobId),
    verdicts: ({ jobId }) => queue.verdicts(jobId),
  };
}
