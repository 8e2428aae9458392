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

/** What each column of a table holds, with its unit, for those who read the file without this program. */
export function columnMeanings(variables: readonly Variable[]): Record<string, { unit: string; meaning: string }> {
  return Object.fromEntries(
    variables.map((v) => {
      const { unit, label, meaning } = variableInfo(v);
      return [COLUMN_NAMES[v], { unit, meaning: `${label}. ${meaning}` }];
    }),
  );
}
