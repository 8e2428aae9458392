import type { DerivedAnswer, DerivedRow, DerivedSeries } from "#shared/bridge/methods/compare.ts";
import { type Lines, drawLines } from "./figures/lines.ts";
import type { Picture } from "./figures/picture.ts";
import { readingsOf } from "./figures/readings.ts";
import type { ComparedStations } from "./useCompared.ts";
import { many } from "../../ui/text.ts";
import { short } from "./format.ts";

export const QUANTITIES = ["zhd", "zwd", "iwv"] as const;
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
