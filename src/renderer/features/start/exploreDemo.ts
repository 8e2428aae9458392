import type { AppFault } from "#shared/fault.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { openConnection } from "../../stores/connection.ts";
import { jobSpecOf } from "../../stores/selection.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { orShowFault } from "../../stores/toasts.ts";

/** Stations of the demo that are close enough to share their weather and far enough apart to differ. */
const FIRST_STATIONS: readonly string[] = ["Kallio", "Torsvika", "Heinäniemi"];

/** Returns the ids of the stations to show first: the named ones, or those with the newest data. */
function firstStations(stations: readonly CatalogueStation[]): readonly string[] {
  const named = FIRST_STATIONS.flatMap((name) => stations.find((s) => s.displayName === name)?.id ?? []);
  if (named.length > 0) return named;
  const newest = stations.toSorted((a, b) => (b.dataLastUpdatedMs ?? 0) - (a.dataLastUpdatedMs ?? 0));
  return newest.slice(0, FIRST_STATIONS.length).map((s) => s.id);
}

/**
 * Opens the demo. The first time, it selects three stations and fetches a week of data.
 *
 * @returns why it cannot be opened, or null; later faults are shown as messages
 */
export async function exploreDemo(): Promise<AppFault | null> {
  const demo = await bridge.connections.demo({});
  if (!demo.ok) return demo.error;
  const connectionId = demo.value.id;
  const opened = await openConnection(connectionId);
  if (!opened || useWorkspace.getState().stationIds.length > 0) return null;
  await opened.catalogue;
  const stationIds = firstStations(useCatalogue.getState().catalogue.stations);
  // The user may have selected stations in the meantime.
  if (stationIds.length === 0 || useWorkspace.getState().stationIds.length > 0) return null;
  selectStations(stationIds);
  const spec = jobSpecOf(useWorkspace.getState());
  const cost = await bridge.jobs.estimate({ connectionId, spec });
  if (!cost.ok || cost.value.pointsToFetch > 0)
    await orShowFault(bridge.jobs.start({ connectionId, spec, keepUp: false, withForbidden: false }));
  return null;
}
