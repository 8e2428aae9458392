import type { jobs } from "#shared/bridge/jobs.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { failure } from "#shared/service/error.ts";
import { usageFault } from "#shared/fault.ts";
import type { Core } from "./core.ts";

export function jobHandlers(_core: Core): Handlers<typeof jobs> {
  return {
    estimate: later,
    start: later,
    list: later,
    pause: later,
    resume: later,
    cancel: later,
    setKeepUp: later,
    remove: later,
    verdicts: later,
  };
}

function later() {
  return failure(usageFault("This is not built yet."));
}
