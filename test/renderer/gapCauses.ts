import type { GapCause } from "#shared/series/gap.ts";

// A record, so that a new cause that is missing here is an error of types.
const ALL: Readonly<Record<GapCause, true>> = {
  beforeHistory: true,
  noEntitlement: true,
  failed: true,
  notAsked: true,
  notFinal: true,
  filteredOut: true,
  nothingSent: true,
  nothingOrFiltered: true,
};

export const GAP_CAUSES = Object.keys(ALL) as GapCause[];
