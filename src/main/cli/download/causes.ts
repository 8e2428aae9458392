import type { GapCause } from "#shared/series/gap.ts";

/** Gap causes, worded as in the window. */
export const CAUSE_WORDS: Readonly<Record<GapCause, string>> = {
  beforeHistory: "before history",
  noEntitlement: "no entitlement",
  failed: "failed",
  notAsked: "not downloaded",
  notFinal: "may still change",
  filteredOut: "filtered out",
  nothingSent: "nothing sent",
  nothingOrFiltered: "missing (cause unknown)",
};
