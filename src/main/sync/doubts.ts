import { defined } from "#shared/defined.ts";
import { count } from "#shared/text.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS, type UtcMs } from "#shared/time/utc.ts";
import type { TimeSeriesOutcome } from "../client/types.ts";
import type { ResponseContents, StationContents } from "../store/types.ts";

/** What the scanner of the body reports about a response, apart from its rows. */
export type ResponseSummary = Pick<
  TimeSeriesOutcome,
  "rows" | "claimedRows" | "statedRows" | "isUnfinished" | "statedRange" | "irregularities"
>;

export interface Doubt {
  readonly stationIds: readonly string[];
  /** Why the response does not settle what the service has for them, as the end of a sentence. */
  readonly why: string;
}

/** The rows that a station should have in a response, according to the catalogue. */
export interface ExpectedRows {
  readonly range: TimeRange;
  readonly stepSeconds: number;
}

/** What the catalogue and the cache know about the requested stations. */
interface Knowledge {
  expectedOf(stationId: string): ExpectedRows;
  /** Whether the cache has rows that a complete response contains too. */
  isContradicted(station: StationContents): boolean;
}

/**
 * Returns the stations whose cells the response does not settle; null if it settles all of them.
 *
 * A discarded row (of another station, out of range, without a readable time, or counted but absent) may be missing from
 * a requested cell. It cannot belong to a station without missing rows. If more rows were discarded than are missing,
 * they are something else, such as the series of another station; the field `count` is an exception. A station without
 * any row is in doubt whenever a discarded row may belong to it. If the rows of one station seem to be shifted in time,
 * those of the others may be shifted too.
 */
export function findDoubt(
  contents: ResponseContents,
  summary: ResponseSummary,
  { expectedOf, isContradicted }: Knowledge,
): Doubt | null {
  const all = contents.stations.map((s) => s.stationId);
  if (summary.isUnfinished) return { stationIds: all, why: "it says itself that it is not whole" };
  if ((summary.irregularities.unreadableValue ?? 0) > 0)
    return { stationIds: all, why: "some of its values cannot be read" };
  const doubts = [
    findShorterRange(contents, summary, expectedOf),
    findContradiction(contents, isContradicted),
    findMisplaced(contents, summary, expectedOf) ?? findCutOff(contents, summary, expectedOf),
  ].filter((doubt) => doubt !== null);
  const [first] = doubts;
  return first ? { ...first, stationIds: [...new Set(doubts.flatMap((doubt) => doubt.stationIds))] } : null;
}

function findContradiction({ stations }: ResponseContents, isContradicted: Knowledge["isContradicted"]): Doubt | null {
  const why = "it lacks observations that passed the quality filter";
  return doubtOf(stations.filter(isContradicted), why);
}

/** Rows that were discarded may be missing from a requested cell. */
function findMisplaced(
  contents: ResponseContents,
  summary: ResponseSummary,
  expectedOf: Knowledge["expectedOf"],
): Doubt | null {
  const withoutTime = summary.irregularities.unreadableTime ?? 0;
  const isShort = (summary.statedRows ?? 0) > summary.rows;
  const discarded = contents.foreignRows + withoutTime + Math.max(0, (summary.claimedRows ?? 0) - summary.rows);
  const missingOf = ({ stationId, timesMs }: StationContents): number => {
    const { range, stepSeconds } = expectedOf(stationId);
    return countMissingRows(timesMs(), range, stepSeconds);
  };
  const suspects = contents.stations.filter((s) => discarded + s.outside + s.offGrid > 0);
  const missing = new Map(suspects.map((s) => [s.stationId, missingOf(s)]));
  const totalMissing = [...missing.values()].reduce((sum, rows) => sum + rows, 0);
  const isShifted = suspects.some((s) => s.outside > 0 && s.outside <= defined(missing.get(s.stationId)));
  const doubtful = contents.stations.filter((s) => {
    if (s.offGrid > 0) return true;
    const own = missing.get(s.stationId) ?? (isShifted ? missingOf(s) : 0);
    if (own === 0) return false;
    const mayBeOwn = missing.has(s.stationId) && s.rows === 0;
    return mayBeOwn || isShort || isShifted || (discarded > 0 && discarded <= totalMissing);
  });
  const why =
    contents.foreignRows + withoutTime + doubtful.reduce((sum, s) => sum + s.outside + s.offGrid, 0) > 0
      ? "it has rows of stations or times that were not requested"
      : "it counts more rows than it has";
  return doubtOf(doubtful, why);
}

function doubtOf(stations: readonly StationContents[], why: string): Doubt | null {
  return stations.length === 0 ? null : { stationIds: stations.map((s) => s.stationId), why };
}

/**
 * Finds stations with missing rows if the response names a time range that ends before, or starts after, the requested one.
 * Some services name the times of the first and last row, which say nothing about the range.
 */
function findShorterRange(
  { stations }: ResponseContents,
  { statedRange: { startMs, endMs } }: ResponseSummary,
  expectedOf: Knowledge["expectedOf"],
): Doubt | null {
  if (startMs === null && endMs === null) return null;
  const shortened = stations.filter(({ stationId }) => {
    const { range, stepSeconds } = expectedOf(stationId);
    const stepMs = stepSeconds * 1_000;
    return (startMs ?? range.startMs) > range.startMs + stepMs || (endMs ?? range.endMs) < range.endMs - stepMs;
  });
  if (shortened.length === 0) return null;
  const ends = new Set<UtcMs | null>([null]);
  for (const station of stations) {
    const span = station.span();
    if (span) ends.add(span.firstMs).add(span.lastMs);
  }
  if (ends.has(startMs) && ends.has(endMs)) return null;
  const incomplete = shortened.filter(({ stationId, timesMs }) => {
    const { range, stepSeconds } = expectedOf(stationId);
    return countMissingRows(timesMs(), range, stepSeconds) > 0;
  });
  return doubtOf(incomplete, "it covers a shorter time range");
}

/** Some services shorten long responses without saying so, to the newest or the oldest rows. */
function findCutOff(
  { stations }: ResponseContents,
  { rows }: ResponseSummary,
  expectedOf: Knowledge["expectedOf"],
): Doubt | null {
  const isRound = rows >= 100 && (rows % 100 === 0 || Number.isInteger(Math.log2(rows)));
  const cut = isRound ? stations.filter((s) => !reachesBothEnds(s, expectedOf(s.stationId))) : [];
  if (cut.length > 0) return doubtOf(cut, `it has exactly ${count(rows)} rows, and none at one end of the range`);
  // Without decoding the times: after a station that lacks little, nothing long is left of the range.
  if (stations.some((s) => s.rows > 0 && !mayLackRest(s.rows, expectedOf(s.stationId)))) return null;
  const spans = stations.map((station) => spanOf(station, expectedOf(station.stationId)));
  const mirrored = spans.map((s) => ({
    ...s,
    startMs: -s.endMs,
    endMs: -s.startMs,
    firstMs: -s.lastMs,
    lastMs: -s.firstMs,
  }));
  const without = new Set([...withoutRest(spans), ...withoutRest(mirrored)]);
  return doubtOf([...without], "its rows end together, long before the end of the range");
}

interface Span {
  readonly station: StationContents;
  readonly startMs: UtcMs;
  readonly endMs: UtcMs;
  /** Start of the first row and end of the last one; NaN for a station without rows. */
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
  readonly stepMs: number;
}

function spanOf(station: StationContents, { range, stepSeconds }: ExpectedRows): Span {
  const span = station.span();
  const stepMs = stepSeconds * 1_000;
  return { station, ...range, firstMs: span?.firstMs ?? NaN, lastMs: (span?.lastMs ?? NaN) + stepMs, stepMs };
}

/**
 * The shortest rest of a range that may have been cut off. A part is requested again in halves, so the doubt about
 * stations that sent nothing ends where the rest becomes shorter.
 */
const SHORTEST_REST = { rows: 100, ms: HOUR_MS };
function shortestRestMs(stepMs: number): number {
  return Math.max(SHORTEST_REST.rows * stepMs, SHORTEST_REST.ms);
}

function mayLackRest(rows: number, { range, stepSeconds }: ExpectedRows): boolean {
  const stepMs = stepSeconds * 1_000;
  return durationMs(range) - rows * stepMs >= shortestRestMs(stepMs);
}

/** If a station has more steps a day than this, its rows seldom end after whole days by chance. */
const STEPS_A_DAY = 24;

/**
 * Returns the stations that should have rows in a long rest of the range, if no station has any there. Two stations must
 * end together, or one must end after whole days: a service that limits the duration or the number of rows answers like
 * this. Stations that failed together look the same.
 */
function withoutRest(spans: readonly Span[]): StationContents[] {
  const withRows = spans.filter((s) => !Number.isNaN(s.lastMs));
  const restMs = Math.max(...withRows.map((s) => s.lastMs));
  const waiting = spans.filter(({ endMs, stepMs }) => endMs - restMs >= shortestRestMs(stepMs));
  const last = withRows.filter((s) => waiting.includes(s) && s.lastMs >= restMs - s.stepMs);
  const isDuration = last.some((s) => (restMs - s.startMs) % DAY_MS === 0 && s.stepMs * STEPS_A_DAY <= DAY_MS);
  return last.length > 1 || isDuration ? waiting.map((s) => s.station) : [];
}

function reachesBothEnds(station: StationContents, { range, stepSeconds }: ExpectedRows): boolean {
  const span = station.span();
  const stepMs = stepSeconds * 1_000;
  return span !== null && span.firstMs < range.startMs + stepMs && span.lastMs + stepMs >= range.endMs;
}

/** Counts the missing rows of a station in the range, by its cadence, or by the median step if that is shorter. */
export function countMissingRows(timesMs: Float64Array, range: TimeRange, stepSeconds: number): number {
  // If every second row was discarded, the median step is twice the cadence.
  const stepMs = Math.min(medianStepMs(timesMs), stepSeconds * 1_000);
  let missing = 0;
  let lastMs: UtcMs = range.startMs - stepMs;
  for (const timeMs of timesMs) {
    missing += Math.max(0, Math.round((timeMs - lastMs) / stepMs) - 1);
    lastMs = Math.max(lastMs, timeMs);
  }
  // After the last row, only whole steps that begin within the range.
  return missing + Math.max(0, Math.ceil((range.endMs - lastMs) / stepMs) - 1);
}

/** Returns the median distance of successive times, ms; Infinity of fewer than two. */
export function medianStepMs(timesMs: Float64Array): number {
  const steps = timesMs.slice(1).map((timeMs, i) => timeMs - timesMs[i]!);
  return steps.toSorted().at(Math.floor(steps.length / 2)) ?? Infinity;
}
