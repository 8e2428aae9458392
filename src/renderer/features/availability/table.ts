import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { completeness, percent } from "#shared/series/statistics.ts";
import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";
import { readSort, type Sort } from "../../ui/SortHeading.tsx";
import { count, duration } from "../../ui/text.ts";

/** Completeness of the cached series, or days with data at the service. */
export type Layer = "here" | "service";

/** Sums of counts over bins of one station, in epochs. */
interface Counts {
  readonly expected: number;
  readonly received: number;
  readonly filtered: number;
  readonly missing: number;
  readonly failed: number;
  readonly notRequested: number;
}

export interface StationLine {
  readonly stationId: string;
  readonly name: string;
  /** Index of the station in the response. */
  readonly index: number;
  readonly counts: Counts;
  /** 0 to 1; null if nothing was requested. */
  readonly complete: number | null;
  /** Requested as a share of expected, 0 to 1; null if nothing is expected. */
  readonly asked: number | null;
  /** Age of the newest data at the service; null if the catalogue does not contain it. */
  readonly latencySeconds: number | null;
}

const NAMES = ["expected", "received", "filtered", "missing", "failed", "notRequested"] as const;

/** Sums the counts of a station over the bins from `from` up to, not including, `to`. */
export function sumCounts(availability: SeriesAvailability, station: number, from = 0, to = availability.bins): Counts {
  const sums = { expected: 0, received: 0, filtered: 0, missing: 0, failed: 0, notRequested: 0 };
  const firstBin = station * availability.bins;
  for (const name of NAMES) {
    for (const n of availability[name].subarray(firstBin + from, firstBin + to)) sums[name] += n;
  }
  return sums;
}

/** Returns the completeness of these counts; null if nothing was requested. */
export function completenessOf(counts: Counts): number | null {
  return completeness(counts.received, answered(counts));
}

/** Returns the expected epochs that were requested and answered. */
function answered({ expected, notRequested, failed }: Counts): number {
  return expected - notRequested - failed;
}

/** Returns a line of the table for each station of the response. */
export function stationLines(availability: SeriesAvailability, byId: ReadonlyMap<string, KnownStation>): StationLine[] {
  return availability.stations.map(({ stationId }, index) => {
    const station = byId.get(stationId);
    const counts = sumCounts(availability, index);
    const updatedMs = station?.dataLastUpdatedMs ?? null;
    return {
      stationId,
      name: station ? stationLabel(station) : stationId,
      index,
      counts,
      complete: completenessOf(counts),
      asked: counts.expected > 0 ? answered(counts) / counts.expected : null,
      latencySeconds: updatedMs === null ? null : Math.max(0, (availability.nowMs - updatedMs) / 1_000),
    };
  });
}

const COLUMNS = ["name", "complete", "asked", "latency"] as const;
export type Column = (typeof COLUMNS)[number];
export type LineSort = Sort<Column>;

export function readLineSort(kept: unknown): LineSort {
  return readSort(kept, COLUMNS, { column: "name", isDescending: false });
}

const KEYS: Readonly<Record<Exclude<Column, "name">, (line: StationLine) => number | null>> = {
  complete: (line) => line.complete,
  asked: (line) => line.asked,
  latency: (line) => line.latencySeconds,
};

/** Sorts lines; those without a value come last in either direction, ties are sorted by name. */
export function sortLines(lines: readonly StationLine[], { column, isDescending }: LineSort): StationLine[] {
  const byName = (a: StationLine, b: StationLine): number => a.name.localeCompare(b.name, "en", { numeric: true });
  const sign = isDescending ? -1 : 1;
  if (column === "name") return lines.toSorted((a, b) => sign * byName(a, b));
  const key = KEYS[column];
  return lines.toSorted((a, b) => {
    const x = key(a);
    const y = key(b);
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byName(a, b);
    return sign * (x - y) || byName(a, b);
  });
}

/** Formats like `duration`; "—" if unknown. */
export function latency(seconds: number | null): string {
  return seconds === null ? "—" : duration(seconds);
}

export function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Describes the counts of a day or an hour that are above 0. */
function countWords(counts: Counts): string {
  const parts = [
    [counts.filtered, "filtered out"],
    [counts.missing, "missing"],
    [counts.failed, "failed"],
    [counts.notRequested, "not downloaded"],
  ] as const;
  const share = completenessOf(counts);
  return [
    ...(share === null ? [] : [`${percent(share)} of requested data`]),
    `${count(counts.received)} of ${count(counts.expected)} expected`,
    ...parts.filter(([n]) => n > 0).map(([n, word]) => `${count(n)} ${word}`),
  ].join(" · ");
}

/** Describes what the service has of a day. */
function serviceWords({ received, notRequested, failed }: Counts, isFinal: boolean): string {
  if (received > 0) return "The service has data.";
  if (failed > 0) return "The service could not be asked.";
  if (notRequested > 0) return "Unknown: the service was not asked about this day.";
  return isFinal ? "The service has no data." : "The service had no data, once: they may still come.";
}

/** Describes one day of one station. */
export function cellWords(
  availability: SeriesAvailability,
  station: number,
  day: number,
  layer: Layer = "here",
): string {
  const about = availability.stations[station];
  const counts = sumCounts(availability, station, day, day + 1);
  const isFinal = availability.notFinal[station * availability.bins + day] === 0;
  if (layer === "service" && counts.expected > 0) return serviceWords(counts, isFinal);
  if (counts.expected > 0 || counts.received > 0) return `${countWords(counts)}${isFinal ? "" : " · may still change"}`;
  return about?.hasEverSent === false
    ? "This station has never sent any measurement."
    : "Nothing is expected: before the first observation, or not yet measured.";
}
