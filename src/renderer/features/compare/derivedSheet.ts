import type { DerivedAnswer } from "#shared/bridge/compare.ts";
import type { SheetTable } from "./save.ts";

/** The table with every digit, saying of each row what stood in for what was not given. */
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
