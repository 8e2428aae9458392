import { addIrregularity, type IrregularityCounts, irregularityLines } from "#shared/series/rows.ts";
import type { NearestAnswer, NearestQuery, NearestRow } from "#shared/service/query.ts";
import { count, many } from "#shared/text.ts";
import { formatUtcShort, MINUTE_MS, SECOND_MS, type UtcMs } from "#shared/time/utc.ts";
import type { NearestResponse } from "../client/types.ts";

/** Difference between two clocks that is not a contradiction. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;
/** A service may round a moment to a second. */
const ROUNDING_MS = SECOND_MS;
/** Observations of the latest moment may be this far from it: it passes while the service reads. */
const NOW_TOLERANCE_MS = MINUTE_MS;

const REASONS = {
  outside: "the service sent an observation outside the window",
  timeless: "the service sent an observation without a readable time",
  lacked: "the service refused the list of stations, and its response for all stations of the key lacks this one",
  absent: "not in the response",
} as const;

/**
 * Compares a response with its query. Every requested station has one row in the window, or is missing; contradictions
 * are reported as sentences.
 *
 * @param requested ids of the requested stations: those of the query, or of the catalogue for all
 * @param serverNowMs the time at the service
 */
export function judgeNearest(
  response: NearestResponse,
  query: NearestQuery,
  requested: readonly string[],
  serverNowMs: UtcMs,
): NearestAnswer {
  const { timeMs, remark } = comparedMoment(response, query, serverNowMs);
  const irregularities: IrregularityCounts = { ...response.irregularities };
  const isInWindow = windowOfQuery(response, query, timeMs);
  const inside = response.rows.filter(isInWindow);
  addIrregularity(irregularities, "outOfRange", response.rows.length - inside.length);
  const rows = nearestRows(inside, timeMs);
  const found = new Set(rows.map((row) => row.stationId));
  const stated = new Set(response.missingStationIds);
  const outside = new Set(response.rows.map((row) => row.stationId));
  const timeless = new Set(response.timelessIds);
  const lacked = new Set(response.lackedIds);
  const reasonOf = (id: string): string | null => {
    if (outside.has(id)) return REASONS.outside;
    if (timeless.has(id)) return REASONS.timeless;
    if (lacked.has(id)) return REASONS.lacked;
    return stated.has(id) ? null : REASONS.absent;
  };
  const missing = [...new Set([...requested, ...stated, ...outside, ...timeless])].filter((id) => !found.has(id));
  const reasons = Object.fromEntries(
    missing.flatMap((id) => {
      const reason = reasonOf(id);
      return reason === null ? [] : [[id, reason]];
    }),
  );
  const absent = missing.filter((id) => reasons[id] === REASONS.absent).length;
  const contradicted = [...found].filter((id) => stated.has(id)).length;
  const remarks = [
    remark,
    incompleteness(response),
    absent > 0 ? `${stationsAre(absent)} missing from the response.` : null,
    contradicted > 0 ? `${stationsAre(contradicted)} listed as missing, but the response has a row.` : null,
    inside.length > rows.length
      ? `The response has ${many(inside.length - rows.length, "further row")} of the same stations. The nearest row is kept.`
      : null,
    remarkOn(irregularities),
  ];
  return {
    serverTimeMs: response.serverTimeMs,
    timeMs,
    rows,
    missingStationIds: missing,
    reasons,
    remarks: remarks.filter((sentence) => sentence !== null),
  };
}

function differs(a: UtcMs, b: UtcMs, toleranceMs: number): boolean {
  return Math.abs(a - b) > toleranceMs;
}

/** Returns the moment to which the rows are compared, and a sentence if the response states another one. */
function comparedMoment(
  { momentsMs: [statedMs], serverTimeMs }: NearestResponse,
  { timeMs: requestedMs }: NearestQuery,
  serverNowMs: UtcMs,
): { readonly timeMs: UtcMs; readonly remark: string | null } {
  if (requestedMs !== null) {
    const isOther = statedMs !== undefined && differs(statedMs, requestedMs, ROUNDING_MS);
    const remark = isOther
      ? `The response is for ${formatUtcShort(statedMs)}, not for the requested moment. Its observations may not be the nearest.`
      : null;
    return { timeMs: requestedMs, remark };
  }
  if (statedMs === undefined) return { timeMs: serverTimeMs ?? serverNowMs, remark: null };
  const clocks = serverTimeMs === null ? [serverNowMs] : [serverTimeMs, serverNowMs];
  if (clocks.some((clock) => !differs(statedMs, clock, CLOCK_TOLERANCE_MS))) return { timeMs: statedMs, remark: null };
  const remark = `The response is for ${formatUtcShort(statedMs)}, which is not the time of the service. Its observations may not be the latest.`;
  return { timeMs: serverNowMs, remark };
}

/** Returns whether a row is in the window of the query. Without a moment, it ends now. */
function windowOfQuery(
  { momentsMs }: NearestResponse,
  query: NearestQuery,
  timeMs: UtcMs,
): (row: { readonly timeMs: UtcMs }) => boolean {
  const withinMs = query.withinSeconds * SECOND_MS;
  if (query.timeMs !== null) return (row) => Math.abs(row.timeMs - timeMs) <= withinMs + ROUNDING_MS;
  // The parts of a long list are requested one after the other, each with its own moment.
  const isNear = (ms: UtcMs): boolean => Math.abs(ms - timeMs) <= CLOCK_TOLERANCE_MS;
  const latestMs = Math.max(timeMs, ...momentsMs.filter(isNear)) + NOW_TOLERANCE_MS;
  return (row) => row.timeMs >= timeMs - withinMs - NOW_TOLERANCE_MS && row.timeMs <= latestMs;
}

/** Returns one row per station: the nearest, the earlier one of two equally near. */
function nearestRows(rows: readonly NearestRow[], momentMs: UtcMs): readonly NearestRow[] {
  const kept = new Map<string, NearestRow>();
  for (const row of rows) {
    const other = kept.get(row.stationId);
    if (!other || isNearer(row, other, momentMs)) kept.set(row.stationId, row);
  }
  return [...kept.values()];
}

function isNearer(row: NearestRow, other: NearestRow, momentMs: UtcMs): boolean {
  const difference = Math.abs(row.timeMs - momentMs) - Math.abs(other.timeMs - momentMs);
  return difference < 0 || (difference === 0 && row.timeMs < other.timeMs);
}

function incompleteness({ absentRows, receivedRows }: NearestResponse): string | null {
  if (absentRows === 0) return null;
  return `The response is incomplete: it counts ${many(receivedRows + absentRows, "row")} and has ${count(receivedRows)}.`;
}

/** The same words as for time series. */
function remarkOn(irregularities: IrregularityCounts): string | null {
  const lines = irregularityLines(irregularities);
  return lines.length === 0 ? null : `The response is irregular: ${lines.join("; ")}.`;
}

function stationsAre(n: number): string {
  return `${many(n, "requested station")} ${n === 1 ? "is" : "are"}`;
}
