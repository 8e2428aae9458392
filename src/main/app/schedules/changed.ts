import type { LedgerRange } from "#shared/schedule/ledger.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { leastSettled, settlementOf } from "../reading/settlement.ts";
import { markOf } from "./content.ts";
import type { StoredSchedule } from "./ledger.ts";
import { planRange, type SavedOutputs } from "./plan.ts";
import type { ScheduleStore } from "./scheduleStore.ts";

/**
 * Returns the delivered ranges, final and too old ones among them, of which the cache has other data than their files:
 * somebody has fetched them by hand, or the service has them now. Those of which data were deleted keep their files.
 */
export function changedRanges(
  connection: OpenConnection,
  { id, schedule }: StoredSchedule,
  { store, saved }: { readonly store: Pick<ScheduleStore, "ledger">; readonly saved: SavedOutputs },
): LedgerRange[] {
  return store.ledger.all(id).filter((range) => {
    const stationIds = store.ledger.stationsOf(id, range);
    if (stationIds === null) return false;
    const plan = planRange(schedule, stationIds, range, saved);
    if (!plan.ok || markOf(connection, plan.value.specs) === range.mark) return false;
    return leastSettled(plan.value.specs.map((spec) => settlementOf(connection, spec))) !== "notDownloaded";
  });
}
