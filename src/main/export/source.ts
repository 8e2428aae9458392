import type { FileProvenance, FileStation, SeriesFileSource } from "#formats/source.ts";
import type { HeightReference } from "#shared/service/catalogue.ts";
import type { SeriesRows, SeriesSelection } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { resample } from "../analysis/resample.ts";
import type { CacheReader, CatalogueStation } from "../store/types.ts";
import type { ExportRequest } from "./types.ts";

type Selection = Pick<ExportRequest, "intervalSeconds" | "raw" | "range" | "resampled">;

/** Rows of one station of the cache, averaged on the way where the selection says so. */
export function readBlocks(
  cache: CacheReader,
  selection: Selection,
  stationId: string,
  variables: readonly Variable[],
): Iterable<SeriesRows> {
  const { range, raw, intervalSeconds } = selection;
  const stored = (mode: number | null): Iterable<SeriesRows> => {
    const asked: SeriesSelection = { stationId, variables, range, raw, intervalSeconds: mode };
    return cache.blocks(asked);
  };
  return selection.resampled && intervalSeconds !== null
    ? resample(stored(null), { variables, range, intervalSeconds })
    : stored(intervalSeconds);
}

/** A selection of the cache as the content of a file. Stations in the order of the request. */
export function cacheSource(
  cache: CacheReader,
  request: ExportRequest,
  stations: readonly CatalogueStation[],
  variables: readonly Variable[],
  provenance: FileProvenance,
): SeriesFileSource {
  return {
    stations: stations.map((s) => fileStation(s, request.heightReference)),
    variables,
    range: request.range,
    intervalSeconds: request.intervalSeconds,
    raw: request.raw,
    provenance,
    blocks: (index) => readBlocks(cache, request, stations[index]!.id, variables),
  };
}

function fileStation(station: CatalogueStation, heightReference: HeightReference): FileStation {
  const { id, displayName, networkCode, countryCode, locationAlias, sourceType, latitudeDeg, longitudeDeg } = station;
  const height = heightReference === "EGM2008" ? station.orthometricHeight : station.ellipsoidalHeight;
  return {
    id,
    displayName,
    networkCode,
    countryCode,
    locationAlias,
    sourceType,
    latitudeDeg,
    longitudeDeg,
    height,
    heightReference,
  };
}
