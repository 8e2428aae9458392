import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { completeness, roundedShare } from "#shared/series/statistics.ts";
import type { GapCause } from "#shared/series/gap.ts";

/** Levels of completeness, the best first. Blue and orange can be distinguished with any colour vision. */
export const LEVELS = [
  { min: 0.99, label: "99 % and more", colour: "--series-1", opacity: 0.95 },
  { min: 0.9, label: "90 to 99 %", colour: "--series-1", opacity: 0.5 },
  { min: 0.5, label: "50 to 90 %", colour: "--series-2", opacity: 0.45 },
  { min: 0, label: "below 50 %", colour: "--series-2", opacity: 0.95 },
] as const;
export type Level = (typeof LEVELS)[number];

/** How a bin of a station is drawn. */
export interface BinStyle {
  /** Completeness level, or the cause if nothing was received; null if nothing is expected. */
  readonly fill: Level | GapCause | null;
  /** Share of the expected epochs that was requested. */
  readonly requestedShare: number;
  /** Cause that the rest of the epochs is marked with. */
  readonly restCause: GapCause;
  readonly isFinal: boolean;
}

const NOTHING_EXPECTED: BinStyle = { fill: null, requestedShare: 1, restCause: "notRequested", isFinal: true };

/** Returns how a bin is drawn. @param station index of the station @param bin index of the bin within its row */
export function binStyle(availability: SeriesAvailability, station: number, bin: number): BinStyle {
  const i = station * availability.bins + bin;
  const about = availability.stations[station];
  const expected = availability.expected[i]!;
  if (!about || expected === 0) {
    if (about && !about.hasEverSent) return { ...NOTHING_EXPECTED, fill: "nothingSent" };
    const isPast = availability.firstMs + (bin + 1) * availability.binMs <= availability.nowMs;
    return isPast ? { ...NOTHING_EXPECTED, fill: "beforeHistory" } : NOTHING_EXPECTED;
  }
  const asked = expected - availability.notRequested[i]! - availability.failed[i]!;
  const restCause = availability.failed[i]! > 0 ? "failed" : about.isForbidden ? "noAccess" : "notRequested";
  const isFinal = availability.mayStillArrive[i] === 0;
  if (asked === 0) return { fill: restCause, requestedShare: 0, restCause, isFinal };
  const received = availability.received[i]!;
  // The levels apply to the share as it is written, so that “99.0 %” is never drawn as less than 99 %.
  const share = roundedShare(completeness(received, asked) ?? 0);
  const fill = received === 0 ? causeOf(availability, i) : (LEVELS.find((l) => share >= l.min) ?? LEVELS[0]);
  return { fill, requestedShare: asked / expected, restCause, isFinal };
}

/** Returns the cause of most of the time in a requested bin without rows, as far as it is known. */
function causeOf({ filtered, mayStillArrive, missing, rawAsked }: SeriesAvailability, i: number): GapCause {
  const rest = missing[i]! - mayStillArrive[i]!;
  if (rest > Math.max(filtered[i]!, mayStillArrive[i]!)) return rawAsked[i]! > 0 ? "nothingSent" : "nothingOrFiltered";
  return filtered[i]! >= mayStillArrive[i]! ? "filteredOut" : "mayStillArrive";
}
