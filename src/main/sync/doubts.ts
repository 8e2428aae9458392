import type { AnomalyCounts } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { AnswerContents } from "../store/types.ts";

/** What the reader of the body tells of an answer beside its rows. */
export interface AnswerClaims {
  /** Rows in the body, also those that were left out. */
  readonly rows: number;
  /** Rows that the body says to have; null where it does not say. */
  readonly claimedRows: number | null;
  /** The same by the field of the specification, which is about nothing but the body. */
  readonly statedRows: number | null;
  /** It says that there is more than it holds. */
  readonly isUnfinished: boolean;
  readonly anomalies: AnomalyCounts;
}

export interface Doubt {
  readonly stationIds: readonly string[];
  /** Why the answer leaves open what the service has of them, as the end of a sentence. */
  readonly why: string;
}

/** What a station should have in an answer, as far as the catalogue tells. */
export interface Expected {
  readonly range: TimeRange;
  /** Seconds between rows, as far as the catalogue tells. */
  readonly stepSeconds: number;
}

/**
 * The stations whose cells the answer does not settle; null where it settles all.
 *
 * A row that was left out (of no asked station, outside of the range, without a readable time, counted and not there) may
 * be one that an asked cell lacks. Where a station lacks nothing, it is none of that station's. Where more rows were left
 * out than are lacking, they are something else: another station's whole series, say; not so with the field `count`. A station without a single row is in
 * doubt whenever anything was left out that may be its own.
 */
export function doubtIn(
  contents: AnswerContents,
  claims: AnswerClaims,
  expectedOf: (stationId: string) => Expected,
): Doubt | null {
  const all = contents.stations.map((s) => s.stationId);
  if (claims.isUnfinished) return { stationIds: all, why: "it says itself that it is not whole" };
  if ((claims.anomalies.unreadableValue ?? 0) > 0) return { stationIds: all, why: "some of its values cannot be read" };
  const timeless = claims.anomalies.unreadableTime ?? 0;
  const isShort = (claims.statedRows ?? 0) > claims.rows;
  const loose = contents.foreignRows + timeless + Math.max(0, (claims.claimedRows ?? 0) - claims.rows);
  const suspects = contents.stations.filter((s) => loose + s.outside + s.offGrid > 0);
  if (suspects.length === 0) return null;
  const lacking = new Map(
    suspects.map((s) => {
      const { range, stepSeconds } = expectedOf(s.stationId);
      return [s.stationId, lackingRows(s.timesMs(), range, stepSeconds)];
    }),
  );
  const lackingOfAll = [...lacking.values()].reduce((sum, n) => sum + n, 0);
  const doubtful = suspects.filter(({ stationId, rows, outside, offGrid }) => {
    if (offGrid > 0) return true;
    const own = lacking.get(stationId)!;
    if (own === 0) return false;
    return rows === 0 || isShort || (outside > 0 && outside <= own) || (loose > 0 && loose <= lackingOfAll);
  });
  if (doubtful.length === 0) return null;
  const why =
    contents.foreignRows + timeless + doubtful.reduce((sum, s) => sum + s.outside + s.offGrid, 0) > 0
      ? "it has rows that belong to no station or time that was asked for"
      : "it counts more rows than it has";
  return { stationIds: doubtful.map((s) => s.stationId), why };
}

/** So many rows that a station could have in the range, and has not, by its cadence, or by the usual distance where that is shorter. */
export function lackingRows(timesMs: Float64Array, range: TimeRange, stepSeconds: number): number {
  // Where every second row was left out, the others are as far apart as if none were lacking.
  const stepMs = Math.min(usualStepMs(timesMs), stepSeconds * 1_000);
  let lacking = 0;
  let lastMs: UtcMs = range.startMs - stepMs;
  for (const timeMs of timesMs) {
    lacking += Math.max(0, Math.round((timeMs - lastMs) / stepMs) - 1);
    lastMs = Math.max(lastMs, timeMs);
  }
  // Behind the last row, only whole steps that begin within the range.
  return lacking + Math.max(0, Math.ceil((range.endMs - lastMs) / stepMs) - 1);
}

/** The median distance. */
function usualStepMs(timesMs: Float64Array): number {
  if (timesMs.length < 2) return Infinity;
  const steps = timesMs.slice(1).map((timeMs, i) => timeMs - timesMs[i]!);
  return steps.toSorted()[Math.floor(steps.length / 2)]!;
}
