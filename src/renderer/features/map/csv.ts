import { type CsvCell, csvTable } from "#shared/file/csv.ts";
import type { Absence } from "#shared/series/gap.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import { formatUtc } from "#shared/time/utc.ts";
import type { Frame } from "./frames.ts";
import { REDUCED, valuesOf } from "./scale.ts";

/**
 * Returns a CSV with a line for each station: values in mm with time (UTC), age in seconds and source, or the cause of the
 * missing value.
 *
 * @param hasAnomaly whether the height-reduced anomaly of ZTD, as the map shows it, follows the values
 */
export function snapshotCsv(
  stations: readonly CatalogueStation[],
  frame: Frame,
  variables: readonly Variable[],
  causes: Partial<Record<Variable, ReadonlyMap<string, Absence>>>,
  hasAnomaly = false,
): string {
  const anomalies = hasAnomaly ? valuesOf(REDUCED, stations, frame) : null;
  const head = [
    "station_id",
    "name",
    "network",
    "latitude_deg",
    "longitude_deg",
    "ellipsoidal_height_m",
    "moment",
    ...variables.flatMap((v) => [`${v}_mm`, `${v}_time`, `${v}_age_s`, `${v}_from`, `${v}_missing_because`]),
    ...(anomalies ? ["ztd_height_reduced_anomaly_mm"] : []),
  ];
  const lines = stations.map((s, i): CsvCell[] => {
    const readings = variables.map((v) => ({ reading: frame.read(s.id, v), cause: causes[v]?.get(s.id)?.cause ?? "" }));
    return [
      s.id,
      s.displayName,
      s.networkCode,
      s.latitudeDeg,
      s.longitudeDeg,
      s.ellipsoidalHeight,
      formatUtc(frame.momentMs),
      ...readings.flatMap(({ reading: r, cause }) =>
        r ? [r.value, formatUtc(r.timeMs), (frame.momentMs - r.timeMs) / 1_000, r.from, ""] : ["", "", "", "", cause],
      ),
      ...(anomalies ? [anomalyCell(anomalies[i])] : []),
    ];
  });
  return csvTable(head, lines);
}

function anomalyCell(value = Number.NaN): CsvCell {
  return Number.isNaN(value) ? "" : Math.round(value * 1_000) / 1_000;
}
