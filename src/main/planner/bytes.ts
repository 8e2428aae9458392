import type { Variable } from "#shared/service/variables.ts";

// Bytes of a JSON row as the service writes it: time, station id and display name, then each variable with its name.
// Satellites are those of about 40 in view on two bands.
const ROW_BYTES = 118;
const VARIABLE_BYTES: Record<Variable, number> = {
  ztd: 17,
  ztd_sigma: 21,
  pwv: 16,
  snr: 560,
  el: 230,
  az: 250,
  prn: 170,
};

/** Expected bytes of one JSON row with these variables: 172 for the three scalars, about 1,300 with all satellites. */
export function bytesPerRow(variables: readonly Variable[]): number {
  return variables.reduce((sum, name) => sum + VARIABLE_BYTES[name], ROW_BYTES);
}
