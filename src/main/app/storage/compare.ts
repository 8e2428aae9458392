import type { ComparedPiece, RevisedRow, SamplePiece } from "#shared/bridge/methods/cache.ts";
import type { AppFault } from "#shared/fault.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import { serviceFault } from "../../fault.ts";
import { afterDeadline, afterTooLarge } from "../../planner/limits.ts";
import { splitRequest } from "../../planner/split.ts";
import type { EpochSecondsLookup, PlannedRequest } from "../../planner/types.ts";
import { attempt, type RequestedStations } from "../../sync/attempt.ts";
import { MAX_CATALOGUE_AGE_MS, currentCatalogue } from "../../sync/catalogue.ts";
import { withRetries } from "../../sync/withRetries.ts";
import type { Session } from "../../sync/session.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { epochLookup, requestsFor } from "./sample.ts";

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
