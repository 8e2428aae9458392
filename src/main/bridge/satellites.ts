import type { satellites } from "#shared/bridge/satellites.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { failure } from "#shared/service/error.ts";
import { usageFault } from "#shared/fault.ts";
import type { Core } from "./core.ts";

export function satelliteHandlers(_core: Core): Handlers<typeof satellites> {
  return {
    read: later,
  };
}

function later() {
  return failure(usageFault("This is not built yet."));
}
