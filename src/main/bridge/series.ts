import type { series } from "#shared/bridge/series.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { failure } from "#shared/service/error.ts";
import { usageFault } from "#shared/fault.ts";
import type { Core } from "./core.ts";

export function seriesHandlers(_core: Core): Handlers<typeof series> {
  return {
    window: later,
    gaps: later,
    statistics: later,
    page: later,
  };
}

function later() {
  return failure(usageFault("This is not built yet."));
}
