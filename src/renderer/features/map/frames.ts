import type { Snapshots } from "#shared/bridge/methods/snapshot.ts";
import type { NearestAnswer, NearestRow } from "#shared/service/query.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";

interface Reading {
  readonly timeMs: UtcMs;
  readonly value: number;
  /** "service": not cached, and lost when the window closes. */
  readonly from: "cache" | "service";
}

/** Values of all stations at one moment. */
export interface Frame {
  readonly momentMs: UtcMs;
  /** Returns null if the station has no value close enough. */
  read(stationId: string, variable: Variable): Reading | null;
}

/** Returns a frame for each moment of an answer. */
export function readFrames({ momentsMs, stationIds, variables }: Snapshots): Frame[] {
  const indexOf = new Map(stationIds.map((id, i) => [id, i]));
  return momentsMs.map((momentMs, m) => ({
    momentMs,
    read(stationId, variable) {
      const [station, nearest] = [indexOf.get(stationId), variables[variable]];
      if (station === undefined || !nearest) return null;
      const at = m * stationIds.length + station;
      const [timeMs = Number.NaN, value = Number.NaN] = [nearest.timesMs[at], nearest.values[at]];
      return Number.isNaN(timeMs) ? null : { timeMs, value, from: "cache" };
    },
  }));
}

/**
 * Combines answers of the service, each with other variables, into a frame.
 *
 * @param wanted stations to include; null: all
 */
export function serviceFrame(
  momentMs: UtcMs,
  answers: readonly NearestAnswer[],
  wanted: ReadonlySet<string> | null = null,
): Frame {
  const isWanted = (row: NearestRow): boolean => wanted?.has(row.stationId) ?? true;
  const rows = answers.map((answer) => new Map(answer.rows.filter(isWanted).map((row) => [row.stationId, row])));
  return {
    momentMs,
    read(stationId, variable) {
      for (const byStation of rows) {
        const row = byStation.get(stationId);
        const value = row?.values[variable];
        if (row && typeof value === "number" && !Number.isNaN(value))
          return { timeMs: row.timeMs, value, from: "service" };
      }
      return null;
    },
  };
}

/** Returns the values of `first`, and of `second` where `first` has none. */
export function mergeFrames(first: Frame, second: Frame): Frame {
  return {
    momentMs: first.momentMs,
    read: (stationId, variable) => first.read(stationId, variable) ?? second.read(stationId, variable),
  };
}
