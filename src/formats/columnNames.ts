import { variableInfo, type Variable } from "#shared/service/variables.ts";

/** Names of columns in tables, with the unit in the name: `ztd_mm`, `el_deg`. */
export const COLUMN_NAMES: Readonly<Record<Variable, string>> = {
  ztd: "ztd_mm",
  ztd_sigma: "ztd_sigma_mm",
  pwv: "pwv_mm",
  snr: "cn0_dbhz",
  el: "el_deg",
  az: "az_deg",
  prn: "prn",
};

/** CF standard names of the variables that have one. */
export const STANDARD_NAMES: Partial<Record<Variable, string>> = {
  pwv: "lwe_thickness_of_atmosphere_mass_content_of_water_vapor",
  az: "platform_azimuth_angle",
};

export interface ColumnMeaning {
  readonly unit: string;
  readonly meaning: string;
  /** By the conventions for climate and forecast metadata (CF). */
  readonly standard_name?: string;
}

/** What each column of a table holds, with its unit, for those who read the file without this program. */
export function columnMeanings(variables: readonly Variable[]): Record<string, ColumnMeaning> {
  return Object.fromEntries(
    variables.map((v) => {
      const { unit, label, meaning } = variableInfo(v);
      const standardName = STANDARD_NAMES[v];
      const named = standardName === undefined ? {} : { standard_name: standardName };
      return [COLUMN_NAMES[v], { unit, meaning: `${label}. ${meaning}`, ...named }];
    }),
  );
}
