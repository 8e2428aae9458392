import { z } from "zod";
import { defined } from "#shared/defined.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { API_PREFIX } from "#shared/service/limits.ts";
import type { NearestQuery } from "#shared/service/query.ts";
import { type Variable, variableKind, withImpliedVariables } from "#shared/service/variables.ts";
import { formatUtc, parseUtc } from "#shared/time/utc.ts";
import { parseResponse } from "./catalogue.ts";
import { notTheServiceError, encodeQuery } from "./json.ts";
import type { ServiceResponse, Caller } from "./request.ts";
import type { StationOf } from "./scanner/parsedRow.ts";
import { scalarValue, textValue } from "./scanner/values.ts";
import { NO_STATION, stationFinder, stationIdOf } from "#shared/service/stationId.ts";
import type { NearestAnswer, NearestRow } from "#shared/service/nearest.ts";

/** Proxies and servers accept addresses of 8 kB, some of which the other parameters need. */
const MAX_URL_CHARACTERS = 6_000;

const nearestSchema = z.looseObject({
  time: z.string().catch("").default(""),
  data: z.array(z.unknown()),
  missing_station_ids: z.array(z.string()).optional().catch(undefined),
});

/**
 * GET /measurements/nearest (specification 4.5). A list of stations too long for one address is requested in parts, one
 * after the other; the time of the result is that of the first part.
 */
export async function nearest(
  caller: Caller,
  basePath: string,
  query: NearestQuery,
  signal: AbortSignal,
): Promise<Result<NearestAnswer>> {
  if (query.stationIds === "all") return part(caller, query, "all", signal);
  const answers: NearestAnswer[] = [];
  for (const ids of parts(query.stationIds, MAX_URL_CHARACTERS - basePath.length - API_PREFIX.length)) {
    const answer = await part(caller, query, ids, signal);
    if (!answer.ok) return answer;
    answers.push(answer.value);
  }
  return success({
    serverTimeMs: answers[0]?.serverTimeMs ?? null,
    timeMs: answers[0]?.timeMs ?? query.timeMs ?? Date.now(),
    rows: answers.flatMap((answer) => answer.rows),
    missingStationIds: answers.flatMap((answer) => answer.missingStationIds),
  });
}

/** Splits a list of ids so that each part fits into an address with about 300 characters of other parameters. */
function parts(ids: readonly string[], room: number): string[][] {
  const cut: string[][] = [];
  let left = 0;
  for (const id of new Set(ids)) {
    const length = encodeURIComponent(id).length + 1;
    if (length > left) {
      cut.push([]);
      left = room - 300;
    }
    defined(cut.at(-1)).push(id);
    left -= length;
  }
  return cut;
}

function part(
  caller: Caller,
  query: NearestQuery,
  ids: readonly string[] | "all",
  signal: AbortSignal,
): Promise<Result<NearestAnswer>> {
  const parameters = encodeQuery([
    ["station_ids", ids === "all" ? ids : ids.join(",")],
    ["data_vars", query.variables.join(",")],
    ["time", query.timeMs === null ? undefined : formatUtc(query.timeMs)],
    ["within_seconds", query.withinSeconds],
    ["raw", query.raw ? "true" : undefined],
  ]);
  return caller.call(
    { method: "GET", path: "/measurements/nearest", query: parameters },
    (answer) => readNearest(answer, query, ids),
    signal,
  );
}

async function readNearest(
  answer: ServiceResponse,
  query: NearestQuery,
  ids: readonly string[] | "all",
): Promise<Result<NearestAnswer>> {
  const parsed = await parseResponse(answer, nearestSchema);
  if (!parsed.ok) return parsed;
  const timeMs = parseUtc(parsed.value.time) ?? query.timeMs ?? answer.serverTimeMs;
  if (timeMs === null) return failure(notTheServiceError(answer, "an answer without time"));
  const stationOf = ids === "all" ? stationIdOf : stationFinder(ids.map((id) => ({ id })));
  const rows = parsed.value.data.flatMap((row) => nearestRow(row, query.variables, stationOf) ?? []);
  const found = new Set(rows.map((row) => row.stationId));
  const told = parsed.value.missing_station_ids?.map((id) => stationOf({ station_id: id }));
  const missing = told?.filter((id) => id !== NO_STATION) ?? (ids === "all" ? [] : ids.filter((id) => !found.has(id)));
  return success({ serverTimeMs: answer.serverTimeMs, timeMs, rows, missingStationIds: missing });
}

/** Reads one row; null if it has no readable time or station. */
function nearestRow(element: unknown, variables: Iterable<Variable>, stationOf: StationOf): NearestRow | null {
  if (typeof element !== "object" || element === null) return null;
  const row = element as Readonly<Record<string, unknown>>;
  const time = row["timestamp"];
  const timeMs = typeof time === "string" ? parseUtc(time) : null;
  const stationId = stationOf(row);
  if (timeMs === null || stationId === NO_STATION) return null;
  const name = row["display_name"];
  const values: NearestRow["values"] = {};
  for (const variable of withImpliedVariables(variables)) values[variable] = valueOf(variable, row[variable] ?? null);
  return { stationId, displayName: typeof name === "string" ? name : "", timeMs, values };
}

function valueOf(variable: Variable, value: unknown): number | string | null {
  if (variableKind(variable) === "satellite") return textValue(value, {});
  const number = scalarValue(value, {});
  return Number.isNaN(number) ? null : number;
}
