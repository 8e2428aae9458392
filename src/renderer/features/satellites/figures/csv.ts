import { type CsvCell, csvOf } from "#shared/file/csv.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { CONSTELLATIONS, constellationAt } from "../constellations.ts";
import { BIN_DEG, BINS, type ElevationBins } from "../data/elevationBins.ts";
import { AZIMUTHS, CELL_DEG, type HeatMap } from "../data/heatMap.ts";
import { KINDS } from "../data/inView.ts";
import { entriesAt, satelliteAt, type Sky, type SkyFilter } from "../data/sky.ts";

// What the figures show as CSV: a header with units in the names, an empty field where there is no value.

/** The satellites of one epoch, all bands. */
export function skyCsv(sky: Sky, filter: SkyFilter, epoch: number): string {
  const rows = entriesAt(sky, filter, epoch).map((i): CsvCell[] => {
    const { prn, constellation, elevationDeg, azimuthDeg, bands: values } = satelliteAt(sky, i);
    const time = formatUtc(sky.timesMs[epoch]!);
    return [time, prn, constellation.name, elevationDeg, azimuthDeg, ...values.map((band) => band.cn0DbHz)];
  });
  const bands = sky.bands.map(({ name }) => `cn0_${name}_dbhz`);
  return csvOf(["time", "prn", "constellation", "el_deg", "az_deg", ...bands], rows);
}

export function binsCsv({ groups }: ElevationBins): string {
  const rows = groups.flatMap((group) =>
    Array.from({ length: BINS }, (_, bin): CsvCell[] => [
      group.name,
      bin * BIN_DEG,
      (bin + 1) * BIN_DEG,
      group.n[bin]!,
      group.lower[bin]!,
      group.median[bin]!,
      group.upper[bin]!,
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
  return csvOf(head, rows);
}

export function heatCsv({ n, meanDbHz }: HeatMap): string {
  const rows = Array.from(n, (count, cell): CsvCell[] => {
    const azimuth = (cell % AZIMUTHS) * CELL_DEG;
    const elevation = Math.floor(cell / AZIMUTHS) * CELL_DEG;
    return [azimuth, azimuth + CELL_DEG, elevation, elevation + CELL_DEG, count, meanDbHz[cell]!];
  });
  return csvOf(["az_from_deg", "az_to_deg", "el_from_deg", "el_to_deg", "n", "cn0_mean_dbhz"], rows);
}

/** Every epoch, not the columns of a screen. */
export function inViewCsv(sky: Sky, counts: Uint16Array): string {
  const kinds = CONSTELLATIONS.flatMap((_, kind) => (sky.constellation.includes(kind) ? [kind] : []));
  const rows: CsvCell[][] = [];
  for (let epoch = 0; epoch < sky.timesMs.length; epoch++) {
    if (sky.offsets[epoch] === sky.offsets[epoch + 1]) continue;
    rows.push([formatUtc(sky.timesMs[epoch]!), ...kinds.map((kind) => counts[epoch * KINDS + kind]!)]);
  }
  return csvOf(["time", ...kinds.map((kind) => `in_view_${constellationAt(kind).name.toLowerCase()}`)], rows);
}
