import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import type { TimeSeriesQuery } from "#shared/service/query.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { serviceError } from "./errors/make.ts";
import { looksLikePage, refusalInside } from "./errors/refusal.ts";
import { aPage, notTheService, typeProblem } from "./json.ts";
import type { Answer, Caller } from "./request.ts";
import { createRowScanner, type RowScanner, type ScanFault } from "./scanner/scanner.ts";
import type { TimeSeriesCallbacks, TimeSeriesOutcome } from "./types.ts";

/** POST /measurements/query (specification 4.4), with the rows handed on as they arrive. */
export function timeSeries(
  caller: Caller,
  query: TimeSeriesQuery,
  callbacks: TimeSeriesCallbacks,
  signal: AbortSignal,
): Promise<Result<TimeSeriesOutcome>> {
  const points = callbacks.requestPoints ?? null;
  return caller.call(
    { method: "POST", path: "/measurements/query", json: bodyOf(query), points },
    (answer) => readRows(answer, query, callbacks),
    signal,
  );
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
  answer: Answer,
  query: TimeSeriesQuery,
  { onRows, onProgress, requestPoints }: TimeSeriesCallbacks,
): Promise<Result<TimeSeriesOutcome>> {
  const type = typeProblem(answer);
  if (type !== null) return failure(type);
  const scanner = createRowScanner(query.variables, onRows);
  try {
    return await readBody(answer, scanner, onProgress ?? null, requestPoints ?? null);
  } finally {
    scanner.drop();
  }
}

async function readBody(
  answer: Answer,
  scanner: RowScanner,
  onProgress: TimeSeriesCallbacks["onProgress"] | null,
  points: number | null,
): Promise<Result<TimeSeriesOutcome>> {
  let bodyBytes = 0;
  let start = "";
  for await (const piece of answer.body) {
    if (bodyBytes === 0) start = Buffer.from(piece.subarray(0, 64)).toString("latin1");
    bodyBytes += piece.length;
    if (!scanner.push(piece)) break;
    onProgress?.(bodyBytes, scanner.rows());
  }
  const fault = scanner.end();
  if (fault !== null) return failure(faultError(fault, answer, start, points));
  return success({
    serverTimeMs: answer.serverTimeMs,
    rows: scanner.rows(),
    bodyBytes,
    anomalies: scanner.anomalies,
  });
}

const BROKEN = {
  cutShort: "broke off before its end",
  damaged: "was damaged on the way",
} as const;

function faultError(fault: ScanFault, answer: Answer, start: string, points: number | null): ServiceError {
  const cause = `${fault.why}: ${fault.detail.slice(0, 300)}`;
  switch (fault.why) {
    case "refused":
      return refusalInside(fault.detail, points, answer.host);
    case "otherShape":
      return looksLikePage(start, undefined) ? aPage(answer) : notTheService(answer, cause);
    case "cutShort":
    case "damaged": {
      const message = `The answer of ${answer.host} ${BROKEN[fault.why]}. Nothing of it was kept; it is asked again.`;
      return serviceError("truncated", message, { status: 200, cause });
    }
  }
}
