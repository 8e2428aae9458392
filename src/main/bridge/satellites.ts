import type { Handlers } from "#shared/bridge/method.ts";
import type { satellites } from "#shared/bridge/methods/satellites.ts";
import { usageFault } from "#shared/fault.ts";
import { failure, success } from "#shared/service/error.ts";
import { durationMs } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { createPace } from "../app/reading/pace.ts";
import { readSatellites } from "../app/reading/satellites.ts";
import { type Core, withConnection } from "./core.ts";

const MAX_DAYS = 31;

export function satelliteHandlers(core: Core): Handlers<typeof satellites> {
  return {
    read: ({ connectionId, stationId, range, mode }, { signal }) => {
      if (durationMs(range) > MAX_DAYS * DAY_MS) {
        return failure(usageFault(`Satellites are read for at most ${MAX_DAYS} days at once. Choose a shorter range.`));
      }
      return withConnection(core, connectionId, async ({ cache }) =>
        success(await readSatellites(cache, stationId, range, mode, createPace(signal))),
      );
    },
  };
}
