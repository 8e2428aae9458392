import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import type { GapCause } from "#shared/series/gap.ts";

/** Steps of completeness, the best first; blue is well and orange is not, told apart by everyone. */
export const LEVELS = [
  { least: 0.99, word: "99 % and more", colour: "--series-1", strength: 0.95 },
  { least: 0.9, word: "90 to 99 %", colour: "--series-1", strength: 0.5 },
  { least: 0.5, word: "50 to 90 %", colour: "--series-2", strength: 0.45 },
  { least: 0, word: "below 50 %", colour: "--series-2", strength: 0.95 },
] as const;
export type Level = (typeof LEVELS)[number];

/** How a bin of a station is drawn. */
export interface Look {
  /** Colour of what was received, or the mark of why nothing was; null where nothing is expected. */
  readonly fill: Level | GapCause | null;
  /** Share of the expected epochs that was asked: the rest has the mark of `rest`. */
  readonly askedShare: number;
  readonly rest: GapCause;
  readonly isFinal: boolean;
}

const NOTHING_YET: Look = { fill: null, askedShare: 1, rest: "notAsked", isFinal: true };

/** @param station place of the station @param bin place of the bin in its row */
export function lookOf(found: SeriesAvailability, station: number, bin: number): Look {
  const i = station * found.bins + bin;
  const about = found.stations[station];
  const expected = found.expected[i]!;
  if (!about || expected === 0) {
    if (about && !about.hasEverSent) return { ...NOTHING_YET, fill: "nothingSent" };
    const isPast = found.firstMs + (bin + 1) * found.binMs <= found.nowMs;
    return isPast ? { ...NOTHING_YET, fill: "beforeHistory" } : NOTHING_YET;
  }
  const asked = expected - found.notAsked[i]! - found.failed[i]!;
  const rest = found.failed[i]! > 0 ? "failed" : about.isForbidden ? "noEntitlement" : "notAsked";
  const isFinal = found.notFinal[i] === 0;
  if (asked === 0) return { fill: rest, askedShare: 0, rest, isFinal };
  const received = found.received[i]!;
  const share = Math.min(1, received / asked);
  const fill = received === 0 ? causeOf(found, i) : (LEVELS.find((l) => share >= l.least) ?? LEVELS[0]);
  return { fill, askedShare: asked / expected, rest, isFinal };
}

/** Why nothing was received of what was asked, as far as it is known. */
function causeOf(found: SeriesAvailability, i: number): GapCause {
  if (found.filtered[i]! > 0) return "filteredOut";
  if (found.notFinal[i]! > 0) return "notFinal";
  return found.rawAsked[i]! > 0 ? "nothingSent" : "nothingOrFiltered";
}
