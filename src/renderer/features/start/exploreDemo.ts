import type { AppFault } from "#shared/fault.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { openConnection } from "../../stores/connection.ts";
import { jobSpecOf } from "../../stores/selection.ts";
import { showFault } from "../../stores/toasts.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";

/** Stations of the demo with much to see: close enough to share their weather, far enough to differ. */
const SHOWN_FIRST: readonly string[] = ["Kallio", "Torsvika", "Heinäniemi"];

/** The stations that a first look is at: the named ones, or whichever have the newest data. */
export function firstStations(stations: readonly CatalogueStation[]): readonly string[] {
  const named = SHOWN_FIRST.flatMap((name) => stations.find((s) => s.displayName === name)?.id ?? []);
  if (named.length > 0) return named;
  const newest = stations.toSorted((a, b) => (b.dataLastUpdatedMs ?? 0) - (a.dataLastUpdatedMs ?? 0));
  return newest.slice(0, SHOWN_FIRST.length).map((s) => s.id);
}

/**
 * Opens the demo. The first time it is useful at once: a week of three stations is chosen and fetched.
 *
 * @returns why it cannot be opened; what goes wrong later is told where it happens
 */
export async function exploreDemo(): Promise<AppFault | null> {
  const demo = await bridge.connections.demo({});
  if (!demo.ok) return demo.error;
  const connectionId = demo.value.id;
  const opened = await openConnection(connectionId);
  if (!opened || useWorkspace.getState().stationIds.length > 0) return null;
  await opened.catalogue;
  const stationIds = firstStations(useCatalogue.getState().catalogue.stations);
  // Someone who was quicker keeps what they chose.
  if (stationIds.length === 0 || useWorkspace.getState().stationIds.length > 0) return null;
  selectStations(stationIds);
  await fetchChosen(connectionId);
  return null;
}

async function fetchChosen(connectionId: string): Promise<void> {
  const spec = jobSpecOf(useWorkspace.getState());
  const cost = await bridge.jobs.estimate({ connectionId, spec });
  if (cost.ok && cost.value.pointsToFetch === 0) return;
  const job = await bridge.jobs.start({ connectionId, spec, keepUp: false });
  if (!job.ok) showFault(job.error);
}
