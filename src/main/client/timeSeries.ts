import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import type { TimeSeriesQuery } from "#shared/service/query.ts";
import { addIrregularity } from "#shared/series/rows.ts";
import { formatUtc, type UtcMs } from "#shared/time/utc.ts";
import { stationFinder } from "#shared/service/stationId.ts";
import { errorInBody, limitErrorInBody, looksLikePage, serviceError, ServiceFailure } from "./errors/refusal.ts";
import { webPageError, truncatedError, notTheServiceError, typeProblem } from "./json.ts";
import type { ServiceResponse, Caller } from "./request.ts";
import { createRowScanner, type RowScanner, type ScanFault } from "./scanner/scanner.ts";
import type { TimeSeriesCallbacks, TimeSeriesOutcome } from "./types.ts";

/** POST /measurements/query (specification 4.4), with the rows passed on as they arrive. */
export function timeSeries(
  caller: Caller,
  query: TimeSeriesQuery,
  callbacks: TimeSeriesCallbacks,
  signal: AbortSignal,
): Promise<Result<TimeSeriesOutcome>> {
  const points = callbacks.requestPoints ?? null;
  return caller.call(
    { method: "POST", path: "/measurements/query", json: bodyOf(query), points, otherwise: withoutData },
    (answer) => readRows(answer, query, callbacks),
    signal,
  );
}

/** A sentence that reports that there are no data, and nothing else. */
const NO_DATA =
  /\b(?:no|without)\s+(?:\w+\s+){0,2}?(?:data|observations?|measurements?|rows?|values?)\b|\b(?:data|observations?|measurements?)\s+(?:(?:is|are|was|were)\s+)?not\s+(?:found|available)\b/i;

/** Some services respond "not found" for a range without data; not to be confused with an unknown station or address. */
function withoutData(status: number, said: string, serverTimeMs: UtcMs | null): TimeSeriesOutcome | null {
  const isEmpty = status === 204 || (status === 404 && NO_DATA.test(said));
  return isEmpty ? { serverTimeMs, rows: 0, bodyBytes: 0, isPartial: false, irregularities: {} } : null;
}

function bodyOf(query: TimeSeriesQuery): Record<string, unknown> {
  return {
    start_time: formatUtc(query.startMs),
    end_time: formatUtc(query.endMs),
    station_ids: query.stationIds,
    data_vars: query.variables,
    ...(query.intervalSeconds === null ? {} : { interval_seconds: query.intervalSeconds }),
    ...(query.raw ? { raw: true } : {}),
  };
}

async function readRows(
  answer: ServiceResponse,
  query: TimeSeriesQuery,
  { onRows, onProgress, requestPoints, usualBytes, names }: TimeSeriesCallbacks,
): Promise<Result<TimeSeriesOutcome>> {
  const type = typeProblem(answer);
  if (type !== null) return failure(type);
  const asked = names ?? query.stationIds.map((id) => ({ id }));
  const scanner = createRowScanner(query.variables, onRows, stationFinder(asked));
  try {
    return await readBody(endingBody(answer, usualBytes ?? null), answer, scanner, {
      onProgress,
      points: requestPoints ?? null,
    });
  } finally {
    scanner.release();
  }
}

/** Maximum length of a body, as a multiple of the expected one: a station that observes every second sends thirty times as much. */
const MAX_FACTOR = 40;
const FREE_BYTES = 8_000_000;
const LATE_FACTOR = 2;
const LATE_BYTES = 1_000_000;

/** Yields a body, and throws if it seems endless: far longer than expected, or longer and continuing for minutes. */
async function* endingBody(
  { body, host, lateMs }: ServiceResponse,
  usualBytes: number | null,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let lateSinceMs: number | null = null;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (usualBytes !== null) {
      if (bytes > LATE_BYTES + LATE_FACTOR * usualBytes) lateSinceMs ??= performance.now();
      const isLate = lateSinceMs !== null && performance.now() - lateSinceMs > lateMs;
      if (isLate || bytes > FREE_BYTES + MAX_FACTOR * usualBytes)
        throw new ServiceFailure(endless(host, bytes, usualBytes));
    }
    yield chunk;
  }
}

function endless(host: string, bytes: number, usualBytes: number): ServiceError {
  const message = `The answer of ${host} has no end and was discarded.`;
  const cause = `${bytes} bytes, where about ${Math.round(usualBytes)} were expected`;
  return serviceError("truncated", message, { status: 200, cause });
}

async function readBody(
  body: AsyncIterable<Uint8Array>,
  answer: ServiceResponse,
  scanner: RowScanner,
  { onProgress, points }: { readonly onProgress: TimeSeriesCallbacks["onProgress"]; readonly points: number | null },
): Promise<Result<TimeSeriesOutcome>> {
  let bodyBytes = 0;
  let start = "";
  for await (const chunk of body) {
    if (bodyBytes === 0) start = Buffer.from(chunk.subarray(0, 64)).toString("latin1");
    bodyBytes += chunk.length;
    if (!scanner.push(chunk)) break;
    onProgress?.(bodyBytes, scanner.rows());
  }
  const fault = scanner.end();
  if (fault !== null) return failure(faultError(fault, answer, start, points));
  const { count, error } = scanner.report();
  const rows = scanner.rows();
  const tooLarge = rows === 0 && error !== null ? limitErrorInBody(error, points, answer.host) : null;
  if (tooLarge !== null) return failure(tooLarge);
  const isCopy = Number(answer.headers["age"] ?? 0) > 0;
  const irregularities = { ...scanner.irregularities };
  if (error !== null) addIrregularity(irregularities, "reportedError");
  if (isCopy) addIrregularity(irregularities, "olderCopy");
  // A proxy's copy of an earlier response does not count as a second response.
  const isPartial = error !== null || (count ?? 0) > rows || isCopy;
  return success({ serverTimeMs: answer.serverTimeMs, rows, bodyBytes, isPartial, irregularities });
}

/** A body that is JSON, but neither an object nor a list. */
const JSON_WORD = /^\s*(?:null|true|false|-?\d|")/;

function unusable(cause: string): ServiceError {
  const message = "The service's answer cannot be used: it has no readable data.";
  return serviceError("unusable", message, { status: 200, cause });
}

const BROKEN = {
  cutShort: "broke off before its end",
  damaged: "was damaged on the way",
} as const;

function faultError(fault: ScanFault, answer: ServiceResponse, start: string, points: number | null): ServiceError {
  const cause = `${fault.why}: ${fault.detail.slice(0, 300)}`;
  switch (fault.why) {
    case "refused":
      return errorInBody(fault.detail, points, answer.host);
    case "otherShape":
      if (looksLikePage(start, undefined)) return webPageError(answer);
      return JSON_WORD.test(start) ? unusable(cause) : notTheServiceError(answer, cause);
    case "unusable":
      return unusable(cause);
    case "cutShort":
    case "damaged":
      return truncatedError(answer, BROKEN[fault.why], cause);
  }
}
