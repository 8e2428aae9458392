import type { settings } from "#shared/bridge/settings.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { failure } from "#shared/service/error.ts";
import { usageFault } from "#shared/fault.ts";
import type { Core } from "./core.ts";

export function settingsHandlers(_core: Core): Handlers<typeof settings> {
  return {
    read: later,
    write: later,
    readWorkspace: later,
    writeWorkspace: later,
  };
}

function later() {
  return failure(usageFault("This is not built yet."));
}
