import { type availability, MAX_CELLS } from "#shared/bridge/methods/availability.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { usageFault } from "#shared/fault.ts";
import type { Convergence } from "#shared/series/gap.ts";
import { failure, success } from "#shared/service/error.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { binsIn, readAvailability } from "../app/reading/availability.ts";
import { readConvergence } from "../app/reading/convergence.ts";
import { knownFailures } from "../app/reading/failures.ts";
import { createPace } from "../app/reading/pace.ts";
import { type Core, withConnection } from "./core.ts";

export function availabilityHandlers(core: Core): Handlers<typeof availability> {
  return {
    read: ({ connectionId, bin, ...query }, { signal }) =>
      withConnection(core, connectionId, async ({ cache, session }) => {
        const binMs = bin === "day" ? DAY_MS : HOUR_MS;
        if (query.stationIds.length * binsIn(query.range, binMs) > MAX_CELLS)
          return failure(usageFault("This is too much to show at once. Choose fewer stations or a shorter range."));
        const failures = knownFailures(core.users, connectionId, query.mode);
        const fullQuery = { ...query, binMs, nowMs: session.time().latestMs };
        return success(await readAvailability(cache, fullQuery, failures, createPace(signal)));
      }),
    convergences: ({ connectionId, stationId, gaps, intervalSeconds }, { signal }) =>
      withConnection(core, connectionId, async ({ cache }) => {
        const pace = createPace(signal);
        const found: (Convergence | null)[] = [];
        for (const gap of gaps) {
          found.push(readConvergence(cache, stationId, gap, { intervalSeconds }));
          await pace.breathe();
        }
        return success(found);
      }),
  };
}
