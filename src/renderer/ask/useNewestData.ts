import { useMemo } from "react";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { useCatalogue } from "../stores/catalogue.ts";
import { useCacheSize } from "./useAsk.ts";

/** The newest time of data at the service and here: the catalogue may be older than what was received since. */
export function newestData(
  stations: readonly Pick<CatalogueStation, "dataLastUpdatedMs">[],
  receivedMs: UtcMs | null,
): UtcMs | null {
  const newest = stations.reduce((ms, s) => Math.max(ms, s.dataLastUpdatedMs ?? -Infinity), receivedMs ?? -Infinity);
  return newest === -Infinity ? null : newest;
}

/** The time of the newest data of the open connection; null if there are none. */
export function useNewestData(): UtcMs | null {
  const stations = useCatalogue((s) => s.catalogue.stations);
  const receivedMs = useCacheSize()?.newestMs ?? null;
  return useMemo(() => newestData(stations, receivedMs), [stations, receivedMs]);
}
