import { isPlannedBy, type LedgerRange } from "#shared/schedule/ledger.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { leastSettled, settlementOf } from "../reading/settlement.ts";
import { markOf } from "./content.ts";
import type { StoredSchedule } from "./ledger.ts";
import { planRange, type SavedOutputs, stationsOrFault } from "./plan.ts";
import type { ScheduleStore } from "./scheduleStore.ts";

/**
 * Returns the ranges, final and too old ones among them, of which the cache has all data, and other data than their files:
 * somebody has fetched them by hand, or the service has them now. Those of which data were deleted keep their files.
 */
export function changedRanges(
  connection: OpenConnection,
  { id, schedule }: StoredSchedule,
  {
    store,
    saved,
    nowMs,
  }: { readonly store: Pick<ScheduleStore, "ledger">; readonly saved: SavedOutputs; readonly nowMs: UtcMs },
): LedgerRange[] {
  const stations = stationsOrFault(connection, schedule);
  const current = stations.ok ? stations.value : null;
  return store.ledger.all(id).filter((range) => {
    const stationIds = range.deliveredMs === null ? current : store.ledger.stationsOf(id, range);
    if (stationIds === null || !isPlannedBy(range, nowMs)) return false;
    const plan = planRange(schedule, stationIds, range, saved);
    if (!plan.ok || markOf(connection, plan.value.specs) === range.mark) return false;
    return leastSettled(plan.value.specs.map((spec) => settlementOf(connection, spec))) !== "notDownloaded";
  });
}
