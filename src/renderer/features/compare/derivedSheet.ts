import { columnAt } from "#shared/series/rows.ts";
import type { DerivedAnswer } from "#shared/bridge/methods/compare.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import { formatUtc } from "#shared/time/utc.ts";
import type { CsvCell } from "#shared/file/csv.ts";
import { QUANTITIES } from "./derivedPictures.ts";
import type { SheetTable } from "./save.ts";

/** The table at full precision; each row tells which inputs were given and which were assumed. */
export function derivedTable({ rows }: DerivedAnswer, nameOf: (id: string) => string): SheetTable {
  return {
    id: "derived",
    label: "Derived quantities",
    head: [
      "station_id",
      "name",
      "n",
      "rejected",
      "orthometric_height_m",
      "pressure_from",
      "temperature_from",
      "latitude_from",
      "pressure_hpa",
      "pressure_sigma_hpa",
      "tm_k",
      "tm_sigma_k",
      "ztd_mean_mm",
      "ztd_formal_sigma_mm",
      "zhd_derived_mm",
      "zhd_sigma_mm",
      "zwd_derived_mm",
      "zwd_sigma_mm",
      "iwv_derived_kg_m2",
      "iwv_sigma_kg_m2",
      "service_pwv_mean_mm",
    ],
    rows: () =>
      rows.map((row) => [
        row.stationId,
        nameOf(row.stationId),
        row.n,
        row.rejected,
        row.orthometricHeight,
        row.isPressureGiven ? "given" : "standard atmosphere",
        row.isTemperatureGiven ? "given" : "standard atmosphere",
        row.isLatitudeKnown ? "catalogue" : "45 degrees",
        ...[row.pressureHpa, row.meanTemperatureK, row.ztdMm, row.zhdMm, row.zwdMm, row.iwvFromDelay].flatMap(
          ({ value, sigma }) => [value, sigma],
        ),
        row.iwvFromPwv,
      ]),
  };
}

const UNITS = { zhd: "mm", zwd: "mm", iwv: "kg_m2" } as const;

/**
 * The drawn series of each station: rows, or columns of time with mean and limits, timed at the start of the column. Each
 * row contains the pressure and temperature in use.
 */
export function derivedSeriesTable({ rows, series }: DerivedAnswer): SheetTable {
  return {
    id: "series",
    label: "Derived series as drawn",
    head: [
      "station_id",
      "time",
      "n",
      ...QUANTITIES.flatMap((quantity) =>
        ["derived", "sigma", "min", "max"].map((what) => `${quantity}_${what}_${UNITS[quantity]}`),
      ),
      "pressure_hpa",
      "pressure_from",
      "tm_k",
      "temperature_from",
    ],
    rows: () =>
      series.flatMap(({ stationId, zhd, zwd, iwv }) => {
        const row = rows.find((r) => r.stationId === stationId);
        const air: CsvCell[] = [
          row?.pressureHpa.value ?? null,
          row?.isPressureGiven ? "given" : "standard atmosphere",
          row?.meanTemperatureK.value ?? null,
          row?.isTemperatureGiven ? "given" : "standard atmosphere",
        ];
        const points = QUANTITIES.map((quantity) => pointsOf({ zhd, zwd, iwv }[quantity]));
        const [first = []] = points;
        return first.flatMap(({ timeMs, n }, i): CsvCell[][] =>
          n === 0
            ? []
            : [[stationId, formatUtc(timeMs), n, ...points.flatMap((series) => series[i]?.fields ?? []), ...air]],
        );
      }),
  };
}

interface Point {
  readonly timeMs: number;
  readonly n: number;
  /** Value, standard uncertainty, minimum and maximum. */
  readonly fields: readonly number[];
}

function pointsOf(window: SeriesWindow): Point[] {
  if (window.kind === "rows") {
    const { ztd, ztd_sigma: sigma } = window.values;
    if (!ztd) return [];
    return Array.from(window.timesMs, (timeMs, i) => {
      const value = ztd[i] ?? Number.NaN;
      return { timeMs, n: Number.isNaN(value) ? 0 : 1, fields: [value, sigma?.[i] ?? Number.NaN, value, value] };
    });
  }
  const { ztd, ztd_sigma: sigma } = window.variables;
  if (!ztd) return [];
  const { startMs, endMs } = window.range;
  const columnMs = (endMs - startMs) / window.columns;
  return Array.from({ length: window.columns }, (_, i) => {
    const { count, min, max, mean } = columnAt(ztd, i);
    const timeMs = Math.round(startMs + i * columnMs);
    return { timeMs, n: count, fields: [mean, sigma?.mean[i] ?? Number.NaN, min, max] };
  });
}
