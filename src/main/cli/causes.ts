import type { GapCause } from "#shared/series/gap.ts";

/** Causes as people read it; the words of the window. */
export const CAUSE_WORDS: Readonly<Record<GapCause, string>> = {
  beforeHistory: "before history",
  noEntitlement: "no entitlement",
  failed: "failed",
  notAsked: "not asked",
  notFinal: "not final",
  filteredOut: "filtered out",
  nothingSent: "nothing sent",
  nothingOrFiltered: "none or filtered",
};
