import { type CsvCell, csvTable } from "#shared/file/csv.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { CONSTELLATIONS, constellationAt } from "../constellations.ts";
import { BIN_DEG, BINS, type ElevationBins } from "../data/elevationBins.ts";
import { AZIMUTHS, CELL_DEG, type HeatMap } from "../data/heatMap.ts";
import { KINDS } from "../data/inView.ts";
import { entriesAt, satelliteAt, type Sky, type SkyFilter } from "../data/sky.ts";

// The data of the figures as CSV: units are in the column names, missing values are empty.

/** The satellites of one epoch, all bands. */
export function skyCsv(sky: Sky, filter: SkyFilter, epoch: number): string {
  const timeMs = sky.timesMs[epoch];
  const time = timeMs === undefined ? "" : formatUtc(timeMs);
  const rows = entriesAt(sky, filter, epoch).map((i): CsvCell[] => {
    const { prn, constellation, elevationDeg, azimuthDeg, bands: values } = satelliteAt(sky, i);
    return [time, prn, constellation.name, elevationDeg, azimuthDeg, ...values.map((band) => band.cn0DbHz)];
  });
  const bands = sky.bands.map(({ name }) => `cn0_${name}_dbhz`);
  return csvTable(["time", "prn", "constellation", "el_deg", "az_deg", ...bands], rows);
}

export function binsCsv({ groups }: ElevationBins): string {
  const rows = groups.flatMap((group) =>
    Array.from({ length: BINS }, (_, bin): CsvCell[] => [
      group.name,
      bin * BIN_DEG,
      (bin + 1) * BIN_DEG,
      group.n[bin] ?? 0,
      group.lower[bin] ?? Number.NaN,
      group.median[bin] ?? Number.NaN,
      group.upper[bin] ?? Number.NaN,
    ]),
  );
  const head = [
    "group",
    "el_from_deg",
    "el_to_deg",
    "n",
    "cn0_lower_quartile_dbhz",
    "cn0_median_dbhz",
    "cn0_upper_quartile_dbhz",
  ];
  return csvTable(head, rows);
}

export function heatCsv({ n, meanDbHz }: HeatMap): string {
  const rows = Array.from(n, (count, cell): CsvCell[] => {
    const azimuth = (cell % AZIMUTHS) * CELL_DEG;
    const elevation = Math.floor(cell / AZIMUTHS) * CELL_DEG;
    return [azimuth, azimuth + CELL_DEG, elevation, elevation + CELL_DEG, count, meanDbHz[cell] ?? Number.NaN];
  });
  return csvTable(["az_from_deg", "az_to_deg", "el_from_deg", "el_to_deg", "n", "cn0_mean_dbhz"], rows);
}

/** One row for each epoch with satellites. */
export function inViewCsv(sky: Sky, counts: Uint16Array): string {
  const kinds = CONSTELLATIONS.flatMap((_, kind) => (sky.constellation.includes(kind) ? [kind] : []));
  const rows: CsvCell[][] = [];
  for (const [epoch, timeMs] of sky.timesMs.entries()) {
    if (sky.offsets[epoch] === sky.offsets[epoch + 1]) continue;
    rows.push([formatUtc(timeMs), ...kinds.map((kind) => counts[epoch * KINDS + kind] ?? 0)]);
  }
  return csvTable(["time", ...kinds.map((kind) => `in_view_${constellationAt(kind).name.toLowerCase()}`)], rows);
}
