import { useMemo } from "react";
import { silentStations, type SilentStation } from "#shared/schedule/silence.ts";
import type { Schedule } from "#shared/schedule/schedule.ts";
import type { Catalogue } from "#shared/service/catalogue.ts";
import { groupNamed, type StationGroup } from "#shared/station/group.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { useGroups } from "../../stores/groups.ts";
import { useSchedules } from "../../stores/schedules.ts";

/** Watched stations of a schedule that were silent for too long when the catalogue was requested, longest first. */
export function silentOf(
  { stations, silentMinutes }: Pick<Schedule, "stations" | "silentMinutes">,
  catalogue: Catalogue,
  groups: readonly StationGroup[],
): SilentStation[] {
  if (silentMinutes === null || catalogue.fetchedAtMs === null) return [];
  const ids = stations.kind === "list" ? stations.stationIds : (groupNamed(groups, stations.name)?.stationIds ?? []);
  return silentStations(catalogue, ids, silentMinutes * MINUTE_MS, catalogue.fetchedAtMs);
}

export function useSilentOf(schedule: Schedule): readonly SilentStation[] {
  const catalogue = useCatalogue((s) => s.catalogue);
  const groups = useGroups();
  return useMemo(() => silentOf(schedule, catalogue, groups), [schedule, catalogue, groups]);
}

/** Ids of all stations that a schedule of the open connection watches and that are silent. */
export function useSilentIds(): ReadonlySet<string> {
  const all = useSchedules();
  const connectionId = useConnectionId();
  const catalogue = useCatalogue((s) => s.catalogue);
  const groups = useGroups();
  return useMemo(() => {
    const own = (all ?? []).filter(({ schedule }) => schedule.connectionId === connectionId);
    return new Set(own.flatMap(({ schedule }) => silentOf(schedule, catalogue, groups)).map((s) => s.stationId));
  }, [all, connectionId, catalogue, groups]);
}
