import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { completeness, percent } from "#shared/series/statistics.ts";
import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";
import { type Column, type Sort, sortRows, sortSchema } from "../../ui/grid/columns.ts";
import { count, duration } from "../../ui/text.ts";
import { pane } from "../../stores/pane.ts";

/** Completeness of the cached series, or days with data at the service. */
export type Layer = "here" | "service";

const NAMES = ["expected", "received", "filtered", "missing", "failed", "notRequested"] as const;

/** Sums of counts over bins of one station, in epochs. */
type Counts = Readonly<Record<(typeof NAMES)[number], number>>;

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

/** The columns beside the days. */
export const LINE_COLUMNS: readonly Column<StationLine>[] = [
  {
    id: "name",
    title: "Station",
    meaning: "Name of the station at the service",
    width: 160,
    share: 1,
    isName: true,
    isHeading: true,
    key: (line) => line.name,
    text: (line) => line.name,
  },
  {
    id: "complete",
    title: "Complete",
    meaning: "Values received, as a share of the epochs in the requested time, over whole UTC days",
    width: 84,
    align: "end",
    key: (line) => line.complete,
    text: (line) => percent(line.complete),
  },
  {
    id: "asked",
    title: "Requested",
    meaning: "Time requested, as a share of the time with possible data",
    width: 80,
    hideRank: 0,
    align: "end",
    key: (line) => line.asked,
    text: (line) => percent(line.asked),
  },
  {
    id: "latency",
    title: "Newest data",
    meaning: "Age of the newest data at the service",
    width: 120,
    hideRank: 1,
    align: "end",
    key: (line) => line.latencySeconds,
    text: (line) => (line.latencySeconds === null ? null : `${duration(line.latencySeconds)} ago`),
  },
];

export const LINE_SORT = pane("availability.sort", sortSchema(LINE_COLUMNS, { column: "name", isDescending: false }));

/** Sorts lines; those without a value come last in either direction, ties are sorted by name. */
export function sortLines(lines: readonly StationLine[], sort: Sort): StationLine[] {
  return sortRows(lines, LINE_COLUMNS, sort, ["name"]);
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
  return isFinal
    ? "The service has no data."
    : "The service had no data when it was last asked. Data may still arrive.";
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
  const isFinal = availability.mayStillArrive[station * availability.bins + day] === 0;
  if (layer === "service" && counts.expected > 0) return serviceWords(counts, isFinal);
  if (counts.expected > 0 || counts.received > 0)
    return `${countWords(counts)}${isFinal ? "" : " · some may still arrive"}`;
  return about?.hasEverSent === false
    ? "This station has never sent any measurement."
    : "Nothing is expected: before the first observation, or not yet measured.";
}
