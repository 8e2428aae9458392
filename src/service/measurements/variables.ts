import type { Variable } from "#shared/service/variables.ts";

/** Each variable once, in the order in which they were asked for; `prn` comes last where it is implied (2.4 rule 3). */
export function answeredVariables(asked: readonly Variable[]): Variable[] {
  const set = new Set(asked);
  if (set.has("snr") || set.has("el") || set.has("az")) set.add("prn");
  return [...set];
}
