import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { count, duration } from "../../ui/text.ts";
import { completeness, type Counts, countsOf } from "./table.ts";

/** "98.2 %"; what is not whole is never rounded up to it. */
export function percent(share: number | null): string {
  if (share === null) return "—";
  if (share >= 1) return "100 %";
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}

/** Like `duration`; "—" where it is not known. */
export function latency(seconds: number | null): string {
  return seconds === null ? "—" : duration(seconds);
}

export function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The counts of a day or an hour in words: what is 0 is left out. */
export function countWords(counts: Counts): string {
  const parts = [
    [counts.filtered, "filtered out"],
    [counts.missing, "missing"],
    [counts.failed, "failed"],
    [counts.notAsked, "not downloaded"],
  ] as const;
  const share = completeness(counts);
  return [
    ...(share === null ? [] : [`${percent(share)} of what was requested`]),
    `${count(counts.received)} of ${count(counts.expected)} expected`,
    ...parts.filter(([n]) => n > 0).map(([n, word]) => `${count(n)} ${word}`),
  ].join(" · ");
}

/** Of one day of one station, as a sentence. */
export function cellWords(found: SeriesAvailability, place: number, day: number): string {
  const about = found.stations[place];
  const counts = countsOf(found, place, day, day + 1);
  const isFinal = found.notFinal[place * found.bins + day] === 0;
  if (counts.expected > 0 || counts.received > 0) return `${countWords(counts)}${isFinal ? "" : " · may still change"}`;
  return about?.hasEverSent === false
    ? "This station has never sent any measurement."
    : "Nothing is expected: before the first observation, or not yet measured.";
}
