import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";

/** Counts of some bins of one station, added up. */
export interface Counts {
  readonly expected: number;
  readonly received: number;
  readonly filtered: number;
  readonly missing: number;
  readonly failed: number;
  readonly notAsked: number;
}

export interface StationLine {
  readonly stationId: string;
  readonly name: string;
  /** Place in the answer. */
  readonly place: number;
  readonly counts: Counts;
  /** Received of asked, 0 to 1; null where nothing was asked. */
  readonly complete: number | null;
  /** Asked of expected; null where nothing is expected. */
  readonly asked: number | null;
  /** Age of the newest data at the service; null where the catalogue does not tell. */
  readonly latencySeconds: number | null;
}

const NAMES = ["expected", "received", "filtered", "missing", "failed", "notAsked"] as const;

export function countsOf(found: SeriesAvailability, station: number, from = 0, to = found.bins): Counts {
  const sums = { expected: 0, received: 0, filtered: 0, missing: 0, failed: 0, notAsked: 0 };
  for (const name of NAMES) {
    const values = found[name];
    for (let i = station * found.bins + from; i < station * found.bins + to; i++) sums[name] += values[i]!;
  }
  return sums;
}

/** Received of what was asked; null where nothing was. */
export function completeness({ expected, received, failed, notAsked }: Counts): number | null {
  const asked = expected - notAsked - failed;
  return asked > 0 ? Math.min(1, received / asked) : null;
}

export function linesOf(found: SeriesAvailability, byId: ReadonlyMap<string, KnownStation>): StationLine[] {
  return found.stations.map(({ stationId }, place) => {
    const station = byId.get(stationId);
    const counts = countsOf(found, place);
    const updatedMs = station?.dataLastUpdatedMs ?? null;
    return {
      stationId,
      name: station ? stationLabel(station) : stationId,
      place,
      counts,
      complete: completeness(counts),
      asked: counts.expected > 0 ? (counts.expected - counts.notAsked - counts.failed) / counts.expected : null,
      latencySeconds: updatedMs === null ? null : Math.max(0, (found.nowMs - updatedMs) / 1_000),
    };
  });
}

export const COLUMNS = ["name", "complete", "asked", "latency"] as const;
export type Column = (typeof COLUMNS)[number];
export interface Sort {
  readonly column: Column;
  readonly isDescending: boolean;
}

export function readSort(kept: unknown): Sort {
  const { column, isDescending } = (typeof kept === "object" && kept !== null ? kept : {}) as Partial<Sort>;
  const known = COLUMNS.find((c) => c === column);
  return known ? { column: known, isDescending: isDescending === true } : { column: "name", isDescending: false };
}

const KEYS: Readonly<Record<Exclude<Column, "name">, (line: StationLine) => number | null>> = {
  complete: (line) => line.complete,
  asked: (line) => line.asked,
  latency: (line) => line.latencySeconds,
};

/** What has no value stands last, whichever way it is sorted; ties by name. */
export function sortLines(lines: readonly StationLine[], { column, isDescending }: Sort): StationLine[] {
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
