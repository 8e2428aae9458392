import type { exports } from "#shared/bridge/export.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { failure } from "#shared/service/error.ts";
import { usageFault } from "#shared/fault.ts";
import type { Core } from "./core.ts";

export function exportHandlers(_core: Core): Handlers<typeof exports> {
  return {
    foresee: later,
    start: later,
    list: later,
    cancel: later,
    remove: later,
  };
}

function later() {
  return failure(usageFault("This is not built yet."));
}
