import { useMemo } from "react";
import type { MarkSettings } from "#shared/bridge/methods/compare.ts";
import type { ReadMode } from "#shared/bridge/methods/words.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { type Choices, type Compared, markSettingsOf } from "./choices.ts";
import type { Drawn } from "./figures/picture.ts";

/** Pairs of more stations are a table that no one reads. */
export const MOST_STATIONS = 20;

export interface ComparedStations {
  readonly stations: readonly Drawn[];
  /** How many are chosen. */
  readonly chosen: number;
  readonly range: TimeRange;
  readonly mode: ReadMode;
  nameOf(id: string): string;
}

/** The one selection, as far as it is compared. */
export function useCompared(): ComparedStations {
  const { stationIds, slots, range, intervalSeconds, raw, resampled } = useWorkspace();
  const byId = useCatalogue((s) => s.byId);
  return useMemo(
    () => ({
      stations: stationIds
        .slice(0, MOST_STATIONS)
        .map((id) => ({ id, name: stationName(byId, id), slot: slots[id] ?? 0 })),
      chosen: stationIds.length,
      range,
      mode: { intervalSeconds, raw, resampled },
      nameOf: (id: string) => stationName(byId, id),
    }),
    [stationIds, slots, range, intervalSeconds, raw, resampled, byId],
  );
}

/** What every question of this view says. */
export interface Selection {
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
  variable: Compared,
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

/** The station that all others are set against: the chosen one while it is there, else the first. */
export function referenceOf({ stations }: ComparedStations, { referenceId }: Choices): string {
  return stations.some((s) => s.id === referenceId) ? (referenceId ?? "") : (stations[0]?.id ?? "");
}
