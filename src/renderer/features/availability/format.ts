import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { percent } from "#shared/series/completeness.ts";
import { count, duration } from "../../ui/text.ts";
import { completenessOf, type Counts, sumCounts } from "./table.ts";

/** Formats like `duration`; "—" if unknown. */
export function latency(seconds: number | null): string {
  return seconds === null ? "—" : duration(seconds);
}

export function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Describes the counts of a day or an hour, without those that are 0. */
function countWords(counts: Counts): string {
  const parts = [
    [counts.filtered, "filtered out"],
    [counts.missing, "missing"],
    [counts.failed, "failed"],
    [counts.notAsked, "not downloaded"],
  ] as const;
  const share = completenessOf(counts);
  return [
    ...(share === null ? [] : [`${percent(share)} of requested data`]),
    `${count(counts.received)} of ${count(counts.expected)} expected`,
    ...parts.filter(([n]) => n > 0).map(([n, word]) => `${count(n)} ${word}`),
  ].join(" · ");
}

/** Describes one day of one station. */
export function cellWords(availability: SeriesAvailability, station: number, day: number): string {
  const about = availability.stations[station];
  const counts = sumCounts(availability, station, day, day + 1);
  const isFinal = availability.notFinal[station * availability.bins + day] === 0;
  if (counts.expected > 0 || counts.received > 0) return `${countWords(counts)}${isFinal ? "" : " · may still change"}`;
  return about?.hasEverSent === false
    ? "This station has never sent any measurement."
    : "Nothing is expected: before the first observation, or not yet measured.";
}
