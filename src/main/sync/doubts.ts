import { defined } from "#shared/defined.ts";
import { count } from "#shared/text.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { TimeSeriesOutcome } from "../client/types.ts";
import type { ResponseContents, StationContents } from "../store/types.ts";

/** What the reader of the body reports about a response, apart from its rows. */
export type AnswerClaims = Pick<
  TimeSeriesOutcome,
  "rows" | "claimedRows" | "statedRows" | "isUnfinished" | "anomalies"
>;

export interface Doubt {
  readonly stationIds: readonly string[];
  /** Why the response does not settle what the service has for them, as the end of a sentence. */
  readonly why: string;
}

/** What a station should have in a response, according to the catalogue. */
export interface Expected {
  readonly range: TimeRange;
  /** Seconds between rows, according to the catalogue. */
  readonly stepSeconds: number;
}

/**
 * The stations whose cells the response does not settle; null if it settles all of them.
 *
 * A discarded row (of no requested station, out of range, without a readable time, or counted but absent) may be one
 * that a requested cell lacks. It cannot belong to a station that lacks nothing. If more rows were discarded than are
 * lacking, they are something else, such as the series of another station; the field `count` is an exception. A station
 * without any row is in doubt whenever a discarded row may be its own. If the rows of one station seem to be shifted in
 * time, those of the others may be shifted too.
 */
export function doubtIn(
  contents: ResponseContents,
  claims: AnswerClaims,
  expectedOf: (stationId: string) => Expected,
): Doubt | null {
  const all = contents.stations.map((s) => s.stationId);
  if (claims.isUnfinished) return { stationIds: all, why: "it says itself that it is not whole" };
  if ((claims.anomalies.unreadableValue ?? 0) > 0) return { stationIds: all, why: "some of its values cannot be read" };
  const timeless = claims.anomalies.unreadableTime ?? 0;
  const isShort = (claims.statedRows ?? 0) > claims.rows;
  const loose = contents.foreignRows + timeless + Math.max(0, (claims.claimedRows ?? 0) - claims.rows);
  const lackingOf = ({ stationId, timesMs }: StationContents): number => {
    const { range, stepSeconds } = expectedOf(stationId);
    return lackingRows(timesMs(), range, stepSeconds);
  };
  const suspects = contents.stations.filter((s) => loose + s.outside + s.offGrid > 0);
  const lacking = new Map(suspects.map((s) => [s.stationId, lackingOf(s)]));
  const lackingOfAll = [...lacking.values()].reduce((sum, n) => sum + n, 0);
  const isShifted = suspects.some((s) => s.outside > 0 && s.outside <= defined(lacking.get(s.stationId)));
  const doubtful = contents.stations.filter((s) => {
    if (s.offGrid > 0) return true;
    const own = lacking.get(s.stationId) ?? (isShifted ? lackingOf(s) : 0);
    if (own === 0) return false;
    const mayBeOwn = lacking.has(s.stationId) && s.rows === 0;
    return mayBeOwn || isShort || isShifted || (loose > 0 && loose <= lackingOfAll);
  });
  if (doubtful.length === 0) return cutOff(contents, claims, expectedOf);
  const why =
    contents.foreignRows + timeless + doubtful.reduce((sum, s) => sum + s.outside + s.offGrid, 0) > 0
      ? "it has rows that belong to no station or time that was asked for"
      : "it counts more rows than it has";
  return { stationIds: doubtful.map((s) => s.stationId), why };
}

/** Some services cut long responses off at a round number of rows without saying so. */
function cutOff(
  { stations }: ResponseContents,
  { rows }: AnswerClaims,
  expectedOf: (stationId: string) => Expected,
): Doubt | null {
  const isRound = rows >= 100 && (rows % 100 === 0 || Number.isInteger(Math.log2(rows)));
  const early = isRound ? stations.filter((s) => endsEarly(s, expectedOf(s.stationId))) : [];
  if (early.length === 0) return null;
  return { stationIds: early.map((s) => s.stationId), why: `it ends after exactly ${count(rows)} rows` };
}

function endsEarly({ timesMs }: StationContents, { range, stepSeconds }: Expected): boolean {
  return (timesMs().at(-1) ?? -Infinity) + stepSeconds * 1_000 < range.endMs;
}

/**
 * The number of rows that a station could have in the range but lacks, judged by its cadence, or by the usual step if
 * that is shorter.
 */
export function lackingRows(timesMs: Float64Array, range: TimeRange, stepSeconds: number): number {
  // If every second row was discarded, the others are as far apart as if none were lacking.
  const stepMs = Math.min(usualStepMs(timesMs), stepSeconds * 1_000);
  let lacking = 0;
  let lastMs: UtcMs = range.startMs - stepMs;
  for (const timeMs of timesMs) {
    lacking += Math.max(0, Math.round((timeMs - lastMs) / stepMs) - 1);
    lastMs = Math.max(lastMs, timeMs);
  }
  // After the last row, only whole steps that begin within the range.
  return lacking + Math.max(0, Math.ceil((range.endMs - lastMs) / stepMs) - 1);
}

/** The median step. */
function usualStepMs(timesMs: Float64Array): number {
  if (timesMs.length < 2) return Infinity;
  const steps = timesMs.slice(1).map((timeMs, i) => timeMs - timesMs[i]!);
  return steps.toSorted()[Math.floor(steps.length / 2)]!;
}
