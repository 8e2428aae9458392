import type { ComparedPiece, RevisedRow, SampleCost, SamplePiece } from "#shared/bridge/methods/cache.ts";
import type { AppFault } from "#shared/fault.ts";
import type { StationSize } from "#shared/series/cache.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { epochSeconds, stationPoints } from "#shared/service/points.ts";
import { isVariable, type Variable, withImpliedVariables } from "#shared/service/variables.ts";
import { isEmpty, type TimeRange } from "#shared/time/range.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { serviceFault } from "../../fault.ts";
import { afterDeadline, afterTooLarge, allowedPoints, knownLimit, type LearnedLimits } from "../../planner/limits.ts";
import { splitRequest } from "../../planner/split.ts";
import type { EpochSecondsLookup, PlannedRequest } from "../../planner/types.ts";
import type { CacheReader } from "../../store/types.ts";
import { attempt, type RequestedStations } from "../../sync/attempt.ts";
import { epochSource } from "../../sync/cadence.ts";
import { currentCatalogue, MAX_CATALOGUE_AGE_MS } from "../../sync/catalogue.ts";
import type { Session } from "../../sync/session.ts";
import { withRetries } from "../../sync/withRetries.ts";
import type { OpenConnection } from "../connections/connections.ts";

const NATIVE = { intervalSeconds: null, raw: false } as const;
const PIECE_MS = 6 * HOUR_MS;

/**
 * Draws random ranges of final data at the native rate, hours long, each of one variable of another station. Fewer if
 * there are not enough stations with data. Averaged and raw series are not sampled.
 *
 * @param random numbers from 0 to 1
 */
export function drawSample(cache: CacheReader, pieces: number, random: () => number): SamplePiece[] {
  const left = cache.sizes().filter((s) => s.totalBytes > 0);
  const drawn: SamplePiece[] = [];
  while (left.length > 0 && drawn.length < pieces) {
    const [station] = left.splice(Math.floor(random() * left.length), 1);
    const piece = station && pieceOf(cache, station, random);
    if (piece) drawn.push(piece);
  }
  return drawn;
}

function pieceOf(cache: CacheReader, { stationId, bytes }: StationSize, random: () => number): SamplePiece | null {
  const variables = Object.keys(bytes).filter(isVariable);
  const first = Math.floor(random() * variables.length);
  for (const variable of [...variables.slice(first), ...variables.slice(0, first)]) {
    const range = rangeWithin(cache.coverage(stationId, variable, NATIVE).final, random);
    if (range) return { stationId, variable, range };
  }
  return null;
}

/** A random part of the ranges, with the same probability for each time. */
function rangeWithin(ranges: readonly TimeRange[], random: () => number): TimeRange | null {
  const all = ranges.filter((range) => !isEmpty(range));
  const totalMs = all.reduce((sum, r) => sum + r.endMs - r.startMs, 0);
  let atMs = random() * totalMs;
  for (const { startMs, endMs } of all) {
    if (atMs < endMs - startMs) {
      const latest = Math.max(startMs, endMs - PIECE_MS);
      const from = Math.min(latest, startMs + Math.floor(atMs));
      return { startMs: from, endMs: Math.min(endMs, from + PIECE_MS) };
    }
    atMs -= endMs - startMs;
  }
  return null;
}

/** The cost of requesting the samples again, within the learned limits of the service. */
export function sampleCost(
  epochSecondsOf: EpochSecondsLookup,
  pieces: readonly SamplePiece[],
  limits: LearnedLimits,
): SampleCost {
  const requests = pieces.flatMap((piece) => requestsFor(piece, epochSecondsOf, limits));
  return {
    points: requests.reduce((sum, { points }) => sum + points, 0),
    requests: requests.length,
    mayBeMore: pieces.length > 0 && knownLimit(limits) === null,
  };
}

/** The requests for a sample, halved until each is within the service's limits. */
function requestsFor(
  { stationId, variable, range }: SamplePiece,
  epochSecondsOf: EpochSecondsLookup,
  limits: LearnedLimits,
): PlannedRequest[] {
  const mostPoints = allowedPoints(limits);
  const points = stationPoints(range, epochSecondsOf(stationId), null);
  // Includes the variables that the service implies.
  const variables = withImpliedVariables([variable]);
  return halved({ stationIds: [stationId], variables, range, ...NATIVE, points }, mostPoints, epochSecondsOf);
}

function halved(request: PlannedRequest, mostPoints: number, epochSecondsOf: EpochSecondsLookup): PlannedRequest[] {
  const halves = request.points > mostPoints ? splitRequest(request, epochSecondsOf) : null;
  return halves ? halves.flatMap((half) => halved(half, mostPoints, epochSecondsOf)) : [request];
}

/** Seconds between the observations of stations, from the catalogue or received data. */
export function epochLookup(cache: CacheReader): EpochSecondsLookup {
  return (id) => epochSeconds(epochSource(cache, cache.station(id)));
}

const MAX_EXAMPLES = 5;

/**
 * Requests samples of the cache again and compares them with the new responses, which replace the stored data as usual.
 * Samples that are no longer cached as final are left out.
 *
 * @throws StoreError
 */
export async function compareWithService(
  { session, cache }: OpenConnection,
  pieces: readonly SamplePiece[],
  signal: AbortSignal,
): Promise<Result<ComparedPiece[], AppFault>> {
  // Refreshed first, because it determines which data is final.
  const catalogue = await currentCatalogue(session, MAX_CATALOGUE_AGE_MS, signal);
  if (!catalogue.ok) return failure(serviceFault(catalogue.error));
  const stations = new Map(catalogue.value.stations.map((s) => [s.id, s]));
  const epochSecondsOf = epochLookup(cache);
  const compared: ComparedPiece[] = [];
  for (const piece of pieces) {
    const { stationId, range } = piece;
    const mode = { intervalSeconds: null, raw: false };
    // Deleted meanwhile: all of it would look new.
    const { final } = cache.coverage(stationId, piece.variable, mode);
    if (!final.some((r) => r.startMs <= range.startMs && r.endMs >= range.endMs)) continue;
    const selection = { stationId, variables: [piece.variable], range, ...mode };
    const before = cache.rows(selection);
    for (const request of requestsFor(piece, epochSecondsOf, session.limits())) {
      const answered = await requestAgain(session, request, stations, epochSecondsOf, signal);
      if (!answered.ok) return failure(serviceFault(answered.error));
    }
    compared.push({ ...piece, ...compareValues(before, cache.rows(selection), piece.variable) });
  }
  return success(compared);
}

/** Requests a sample or a part of it, in halves if it exceeds the service's limits. */
async function requestAgain(
  session: Session,
  request: PlannedRequest,
  stations: RequestedStations,
  epochSecondsOf: EpochSecondsLookup,
  signal: AbortSignal,
): Promise<Result<null>> {
  const answer = await withRetries(session, () => attempt(session, request, stations, () => {}, signal), signal);
  if (answer.ok) return success(null);
  const { error } = answer;
  if (error.kind === "tooLarge") session.learn(afterTooLarge(session.limits(), request.points, error.limitPoints));
  else if (error.kind === "deadline") session.learn(afterDeadline(session.limits(), request.points));
  else return answer;
  const halves = splitRequest(request, epochSecondsOf);
  for (const half of halves ?? []) {
    const answered = await requestAgain(session, half, stations, epochSecondsOf, signal);
    if (!answered.ok) return answered;
  }
  return halves ? success(null) : answer;
}

/** Counts the equal and the different values of one variable, with the first differences as examples. */
function compareValues(
  before: SeriesRows,
  after: SeriesRows,
  variable: Variable,
): Omit<ComparedPiece, keyof SamplePiece> {
  const old = cellsOf(before, variable);
  const fresh = cellsOf(after, variable);
  const counts = { same: 0, revised: 0, deleted: 0, added: 0 };
  const examples: RevisedRow[] = [];
  for (const timeMs of new Set([...old.keys(), ...fresh.keys()])) {
    const [was, is] = [old.get(timeMs), fresh.get(timeMs)];
    const kind = was === undefined ? "added" : is === undefined ? "deleted" : Object.is(was, is) ? "same" : "revised";
    counts[kind]++;
    if (kind !== "same" && examples.length < MAX_EXAMPLES)
      examples.push({ timeMs, before: was ?? null, after: is ?? null, kind });
  }
  return { ...counts, examples };
}

/**
 * Values by time, without rows that have no value: their presence depends on which variables were requested together.
 */
function cellsOf({ timesMs, columns }: SeriesRows, variable: Variable): ReadonlyMap<number, number | string> {
  const cells = new Map<number, number | string>();
  const values = columns[variable]?.values;
  timesMs.forEach((timeMs, i) => {
    const value = values?.[i] ?? null;
    if (value !== null && !Number.isNaN(value)) cells.set(timeMs, value);
  });
  return cells;
}
