import type { Handlers } from "#shared/bridge/method.ts";
import { type availability, MAX_CELLS } from "#shared/bridge/methods/availability.ts";
import { usageFailure } from "#shared/fault.ts";
import type { Convergence } from "#shared/series/gap.ts";
import { success } from "#shared/service/error.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { binsIn, readAvailability } from "../app/reading/availability.ts";
import { readConvergence } from "../app/reading/statistics.ts";
import { type Core, onConnection } from "./core.ts";

export function availabilityHandlers(core: Core): Handlers<typeof availability> {
  const on = onConnection(core);
  return {
    read: on(async ({ cache, session }, { connectionId, bin, ...query }, { pace }) => {
      const binMs = bin === "day" ? DAY_MS : HOUR_MS;
      if (query.stationIds.length * binsIn(query.range, binMs) > MAX_CELLS)
        return usageFailure("This is too much to show at once. Choose fewer stations or a shorter range.");
      const failures = core.app.failures(connectionId, query.mode);
      const fullQuery = { ...query, binMs, nowMs: session.time().latestMs };
      return success(await readAvailability(cache, fullQuery, failures, pace));
    }),
    convergences: on(async ({ cache }, { stationId, gaps, intervalSeconds }, { pace }) => {
      const found: (Convergence | null)[] = [];
      for (const gap of gaps) {
        found.push(readConvergence(cache, stationId, gap, { intervalSeconds }));
        await pace.yieldIfDue();
      }
      return success(found);
    }),
  };
}
