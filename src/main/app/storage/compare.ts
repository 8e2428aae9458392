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

const MOST_EXAMPLES = 5;

/**
 * Asks pieces of the cache again and tells what the service says otherwise now. Its answer takes the place of what was
 * stored, in the way of every other answer. Pieces that are not cached as final any more are left out.
 *
 * @throws StoreError
 */
export async function compareWithService(
  { session, cache }: OpenConnection,
  pieces: readonly SamplePiece[],
  signal: AbortSignal,
): Promise<Result<ComparedPiece[], AppFault>> {
  // What is final is judged by what the stations had sent before they are asked.
  const catalogue = await currentCatalogue(session, MAX_CATALOGUE_AGE_MS, signal);
  if (!catalogue.ok) return failure(serviceFault(catalogue.error));
  const stations = new Map(catalogue.value.stations.map((s) => [s.id, s]));
  const epochSecondsOf = epochLookup(cache);
  const compared: ComparedPiece[] = [];
  for (const piece of pieces) {
    const { stationId, range } = piece;
    const mode = { intervalSeconds: null, raw: false };
    // Forgotten meanwhile: all of it would look new.
    const { final } = cache.coverage(stationId, piece.variable, mode);
    if (!final.some((r) => r.startMs <= range.startMs && r.endMs >= range.endMs)) continue;
    const selection = { stationId, variables: [piece.variable], range, ...mode };
    const before = cache.rows(selection);
    for (const request of requestsFor(piece, epochSecondsOf, session.limits())) {
      const asked = await ask(session, request, stations, epochSecondsOf, signal);
      if (!asked.ok) return failure(serviceFault(asked.error));
    }
    compared.push({ ...piece, ...differences(before, cache.rows(selection), piece.variable) });
  }
  return success(compared);
}

/** Asks for a piece or a part of one, in halves where the service gives out less at a time than it was known to. */
async function ask(
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
    const asked = await ask(session, half, stations, epochSecondsOf, signal);
    if (!asked.ok) return asked;
  }
  return halves ? success(null) : answer;
}

/** How many values of one variable are the same in both, and how many are not; the first of those as examples. */
export function differences(
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
    if (kind !== "same" && examples.length < MOST_EXAMPLES)
      examples.push({ timeMs, before: was ?? null, after: is ?? null, kind });
  }
  return { ...counts, examples };
}

/**
 * Values by time. A row without a value counts as none: whether it is there depends on which variables were asked
 * together.
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
