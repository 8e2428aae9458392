import type { DerivedAnswer, DerivedRow, DerivedSeries } from "#shared/bridge/methods/compare.ts";
import type { CsvCell, CsvColumns } from "#shared/file/csv.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { many } from "../../ui/text.ts";
import { drawLines, type Lines, readingsOf } from "./figures/lines.ts";
import type { Picture } from "./figures/picture.ts";
import { short } from "./format.ts";
import { drawnPoints, itemTable, type SheetTable } from "./save.ts";
import type { ComparedStations } from "./useCompared.ts";

const QUANTITIES = ["zhd", "zwd", "iwv"] as const;
type Quantity = (typeof QUANTITIES)[number];

const QUANTITY_WORDS: Readonly<Record<Quantity, { name: string; long: string; unit: string }>> = {
  zhd: { name: "ZHD", long: "Hydrostatic delay", unit: "mm" },
  zwd: { name: "ZWD", long: "Wet delay", unit: "mm" },
  iwv: { name: "IWV", long: "Integrated water vapour", unit: "kg m⁻²" },
};

/** One figure for each derived quantity, with its formula and the source of the pressure. */
export function derivedPictures(answer: DerivedAnswer, compared: ComparedStations): Picture[] {
  return QUANTITIES.map((quantity) => pictureOf(quantity, answer, compared));
}

function pictureOf(quantity: Quantity, answer: DerivedAnswer, compared: ComparedStations): Picture {
  const { name, long, unit } = QUANTITY_WORDS[quantity];
  const { rows, series, formulas } = answer;
  const derived = rows.filter((row) => series.some((s) => s.stationId === row.stationId));
  const lines: Lines = {
    windows: series.map((s: DerivedSeries) => s[quantity]),
    variable: "ztd",
    sigmaOf: "ztd_sigma",
    stations: compared.stations,
    range: compared.range,
    label: `${name} derived here, ${unit}`,
    stepSeconds: new Map(series.map((s) => [s.stationId, s.stepSeconds])),
    meanSeconds: new Map(series.map((s) => [s.stationId, compared.mode.intervalSeconds ?? 0])),
    empty: "Nothing can be derived: the height above the geoid is unknown",
  };
  const formula = formulas.find((f) => f.name === name)?.formula ?? "";
  return {
    id: quantity,
    title: `${long} (${name}), derived here`,
    note: `${formula}. ${sourcesText(derived)}. Band: ± one standard deviation.`,
    summary: derived
      .map((row) => `${compared.nameOf(row.stationId)}: mean ${meanOf(row, quantity)} ${unit}`)
      .join("; "),
    draw: drawLines(lines),
    readings: readingsOf(lines, { unit, write: short }),
  };
}

function meanOf(row: DerivedRow, quantity: Quantity): string {
  return short({ zhd: row.zhdMm, zwd: row.zwdMm, iwv: row.iwvFromDelay }[quantity].value);
}

/** "Pressure given for 1 station, standard atmosphere (not measured) for 2" */
function sourcesText(rows: readonly DerivedRow[]): string {
  const given = rows.filter((row) => row.isPressureGiven).length;
  const standard = rows.length - given;
  if (standard === 0) return `Pressure given for ${many(given, "station")}`;
  if (given === 0) return `Pressure of the standard atmosphere (not measured) for ${many(standard, "station")}`;
  return `Pressure given for ${many(given, "station")}, standard atmosphere (not measured) for ${standard}`;
}

/** Footnotes of a saved figure: pressure and temperature of each station, and the formulas. */
export function derivedFootnotes({ rows, formulas }: DerivedAnswer, { nameOf }: ComparedStations): string[] {
  const airs = rows.map((row) => {
    if (row.orthometricHeight === null)
      return `${nameOf(row.stationId)}: height above the geoid unknown, nothing derived`;
    const pressure = `P ${short(row.pressureHpa.value)} ± ${short(row.pressureHpa.sigma)} hPa ${row.isPressureGiven ? "given" : "of the standard atmosphere, not measured"}`;
    const temperature = `Tm ${short(row.meanTemperatureK.value)} ± ${short(row.meanTemperatureK.sigma)} K ${row.isTemperatureGiven ? "of the temperature given" : "of the standard atmosphere, not measured"}`;
    return `${nameOf(row.stationId)}: ${pressure}, ${temperature}`;
  });
  return [...airs, ...formulas.map(({ name, formula }) => `${name}: ${formula}`)];
}

function sourceOf(isGiven: boolean | undefined): string {
  return isGiven ? "given" : "standard atmosphere";
}

/** The table at full precision; each row tells which inputs were given and which were assumed. */
export function derivedTable({ rows }: DerivedAnswer, nameOf: (id: string) => string): SheetTable {
  const columns: CsvColumns<DerivedRow> = {
    station_id: (row) => row.stationId,
    name: (row) => nameOf(row.stationId),
    n: (row) => row.n,
    rejected: (row) => row.rejected,
    orthometric_height_m: (row) => row.orthometricHeight,
    pressure_from: (row) => sourceOf(row.isPressureGiven),
    temperature_from: (row) => sourceOf(row.isTemperatureGiven),
    latitude_from: (row) => (row.isLatitudeKnown ? "catalogue" : "45 degrees"),
    pressure_hpa: (row) => row.pressureHpa.value,
    pressure_sigma_hpa: (row) => row.pressureHpa.sigma,
    tm_k: (row) => row.meanTemperatureK.value,
    tm_sigma_k: (row) => row.meanTemperatureK.sigma,
    ztd_mean_mm: (row) => row.ztdMm.value,
    ztd_formal_sigma_mm: (row) => row.ztdMm.sigma,
    zhd_derived_mm: (row) => row.zhdMm.value,
    zhd_sigma_mm: (row) => row.zhdMm.sigma,
    zwd_derived_mm: (row) => row.zwdMm.value,
    zwd_sigma_mm: (row) => row.zwdMm.sigma,
    iwv_derived_kg_m2: (row) => row.iwvFromDelay.value,
    iwv_sigma_kg_m2: (row) => row.iwvFromDelay.sigma,
    service_pwv_mean_mm: (row) => row.iwvFromPwv,
  };
  return itemTable({ id: "derived", label: "Derived quantities" }, columns, rows);
}

const UNITS = { zhd: "mm", zwd: "mm", iwv: "kg_m2" } as const;

/**
 * The drawn series of each station: rows, or columns of time with mean and bounds, timed at the start of the column. Each
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
          sourceOf(row?.isPressureGiven),
          row?.meanTemperatureK.value ?? null,
          sourceOf(row?.isTemperatureGiven),
        ];
        const points = QUANTITIES.map((quantity) => drawnPoints({ zhd, zwd, iwv }[quantity], "ztd", "ztd_sigma"));
        const [first = []] = points;
        return first.flatMap(({ timeMs, n }, i): CsvCell[][] => {
          if (n === 0) return [];
          const values = points.flatMap((series) =>
            series.slice(i, i + 1).flatMap(({ mean, sigma, min, max }) => [mean, sigma, min, max]),
          );
          return [[stationId, formatUtc(timeMs), n, ...values, ...air]];
        });
      }),
  };
}
