import { useMemo } from "react";
import type { MarkSettings } from "#shared/bridge/methods/compare.ts";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { type Choices, markSettingsOf } from "./choices.ts";
import type { PlottedStation } from "./figures/picture.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";

/** Maximum number of compared stations: the table of their pairs would become too long to read. */
export const MAX_STATIONS = 20;

export interface ComparedStations {
  readonly stations: readonly PlottedStation[];
  /** Number of selected stations. */
  readonly chosen: number;
  readonly range: TimeRange;
  readonly mode: ReadMode;
  nameOf(id: string): string;
}

/** Returns the window's selection, limited to `MAX_STATIONS`. */
export function useCompared(): ComparedStations {
  const { stationIds, slots, range, intervalSeconds, raw, resampled } = useWorkspace();
  const byId = useCatalogue((s) => s.byId);
  return useMemo(
    () => ({
      stations: stationIds
        .slice(0, MAX_STATIONS)
        .map((id) => ({ id, name: stationName(byId, id), slot: slots[id] ?? 0 })),
      chosen: stationIds.length,
      range,
      mode: { intervalSeconds, raw, resampled },
      nameOf: (id: string) => stationName(byId, id),
    }),
    [stationIds, slots, range, intervalSeconds, raw, resampled, byId],
  );
}

/** The input that all queries of this view share. */
interface Selection {
  readonly connectionId: string;
  readonly stationIds: readonly string[];
  readonly range: TimeRange;
  readonly mode: ReadMode;
  readonly marks: MarkSettings;
  readonly leavesOut: boolean;
}

export function selectionOf(
  connectionId: string,
  { stations, range, mode }: ComparedStations,
  choices: Choices,
  variable: ScalarVariable,
): Selection {
  return {
    connectionId,
    stationIds: stations.map((s) => s.id),
    range,
    mode,
    marks: markSettingsOf(choices.marks, variable),
    leavesOut: choices.leavesOut,
  };
}

/** Returns the id of the reference station: the chosen one if it is selected, else the first. */
export function referenceOf({ stations }: ComparedStations, { referenceId }: Choices): string {
  return stations.some((s) => s.id === referenceId) ? (referenceId ?? "") : (stations[0]?.id ?? "");
}
