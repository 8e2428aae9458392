import { hull, rangeSet } from "#shared/time/rangeset.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { jobSpecOf } from "../../stores/selection.ts";
import { showFault, showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";

/** As many as the core answers for at once. */
const MOST_STATIONS = 500;

/** From the first to the last moment that is cached of the chosen stations and variables; null where nothing is. */
export async function cachedRange(connectionId: string): Promise<TimeRange | null> {
  const { stationIds, variables, intervalSeconds, raw } = jobSpecOf(useWorkspace.getState());
  const { byId } = useCatalogue.getState();
  const starts = stationIds.map((id) => byId.get(id)?.historicDataFromMs ?? Date.UTC(1990, 0, 1));
  const answer = await bridge.catalogue.strips({
    connectionId,
    stationIds: stationIds.slice(0, MOST_STATIONS),
    variables,
    mode: { intervalSeconds, raw },
    range: { startMs: Math.min(...starts), endMs: Date.now() + 86_400_000 },
  });
  if (!answer.ok) {
    showFault(answer.error);
    return null;
  }
  const found = hull(rangeSet(answer.value.flatMap((strip) => [...strip.final, ...strip.provisional])));
  if (!found) showToast("No data of the selected stations are cached yet.");
  return found;
}
