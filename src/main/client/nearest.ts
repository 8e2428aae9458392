import { z } from "zod";
import { defined } from "#shared/defined.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { API_PREFIX, type NearestQuery, type NearestRow } from "#shared/service/query.ts";
import { type Variable, variableKind, withImpliedVariables } from "#shared/service/variables.ts";
import { formatUtc, parseUtc } from "#shared/time/utc.ts";
import { parseResponse } from "./catalogue.ts";
import { notTheServiceError, encodeQuery } from "./json.ts";
import type { ServiceResponse, Caller } from "./request.ts";
import type { StationOf } from "./scanner/rowReader.ts";
import { scalarValue, textValue } from "./scanner/values.ts";
import { NO_STATION, stationFinder, stationIdOf, type StationNames } from "#shared/service/stationId.ts";
import { addIrregularity, type IrregularityCounts, sumIrregularities } from "#shared/series/rows.ts";
import { readBodyReport } from "./errors/bodyReport.ts";
import type { NearestResponse } from "./types.ts";

/** Proxies and servers accept addresses of 8 kB, some of which the other parameters need. */
const MAX_URL_CHARACTERS = 6_000;

const nearestSchema = z.looseObject({
  time: z.string().catch("").default(""),
  data: z.array(z.unknown()),
  missing_station_ids: z.array(z.string()).optional().catch(undefined),
});

/**
 * GET /measurements/nearest (specification 4.5). A list of stations too long for one address is requested in parts, one
 * after the other. `sync/nearestDoubts` decides what the response proves.
 */
export async function fetchNearest(
  { caller, basePath }: { readonly caller: Caller; readonly basePath: string },
  query: NearestQuery,
  signal: AbortSignal,
  names: readonly StationNames[] = [],
): Promise<Result<NearestResponse>> {
  if (query.stationIds === "all") return part(caller, { query, ids: "all", stationOf: allFinder(names) }, signal);
  const { stationIds } = query;
  const requested = new Set(stationIds);
  const known = new Map(names.map((station) => [station.id, station]));
  const stationOf = stationFinder([...requested].map((id) => known.get(id) ?? { id }));
  const responses: NearestResponse[] = [];
  for (const ids of parts(stationIds, MAX_URL_CHARACTERS - basePath.length - API_PREFIX.length)) {
    const response = await part(caller, { query, ids, stationOf }, signal);
    if (!response.ok) return response;
    responses.push(response.value);
  }
  return success(merged(responses));
}

/** Every station is requested, so that rows of stations that are not in the catalogue yet keep their own id. */
function allFinder(names: readonly StationNames[]): StationOf {
  const find = stationFinder(names);
  return (row) => {
    const found = find(row);
    return found === NO_STATION ? stationIdOf(row) : found;
  };
}

function merged(responses: readonly NearestResponse[]): NearestResponse {
  return {
    serverTimeMs: responses[0]?.serverTimeMs ?? null,
    momentsMs: responses.flatMap((response) => response.momentsMs),
    rows: responses.flatMap((response) => response.rows),
    timelessIds: responses.flatMap((response) => response.timelessIds),
    missingStationIds: responses.flatMap((response) => response.missingStationIds),
    receivedRows: responses.reduce((sum, response) => sum + response.receivedRows, 0),
    absentRows: responses.reduce((sum, response) => sum + response.absentRows, 0),
    irregularities: sumIrregularities(responses.map((response) => response.irregularities)),
  };
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

/** A query for as many stations as fit into one address. */
interface Part {
  readonly query: NearestQuery;
  readonly ids: readonly string[] | "all";
  readonly stationOf: StationOf;
}

function part(caller: Caller, { query, ids, stationOf }: Part, signal: AbortSignal): Promise<Result<NearestResponse>> {
  const parameters = encodeQuery([
    ["station_ids", ids === "all" ? ids : ids.join(",")],
    ["data_vars", query.variables.join(",")],
    ["time", query.timeMs === null ? undefined : formatUtc(query.timeMs)],
    ["within_seconds", query.withinSeconds],
    ["raw", query.raw ? "true" : undefined],
  ]);
  return caller.call(
    { method: "GET", path: "/measurements/nearest", query: parameters },
    (answer) => readNearest(answer, query, stationOf),
    signal,
  );
}

async function readNearest(
  answer: ServiceResponse,
  query: NearestQuery,
  stationOf: StationOf,
): Promise<Result<NearestResponse>> {
  const parsed = await parseResponse(answer, nearestSchema);
  if (!parsed.ok) return parsed;
  const { time, data, missing_station_ids: told = [] } = parsed.value;
  const momentMs = parseUtc(time);
  if (momentMs === null && query.timeMs === null && answer.serverTimeMs === null)
    return failure(notTheServiceError(answer, "an answer without time"));
  const irregularities: IrregularityCounts = {};
  const rows: NearestRow[] = [];
  const timelessIds: string[] = [];
  for (const element of data) {
    const row: WireRow = isObject(element) ? element : {};
    const stationId = stationOf(row);
    const timeMs = typeof row["timestamp"] === "string" ? parseUtc(row["timestamp"]) : null;
    if (timeMs === null) {
      addIrregularity(irregularities, "unreadableTime");
      if (stationId !== NO_STATION) timelessIds.push(stationId);
    } else if (stationId === NO_STATION) addIrregularity(irregularities, "foreignStation");
    else rows.push({ ...nearestRow(row, query.variables, irregularities), stationId, timeMs });
  }
  const countedRows = readBodyReport(parsed.value).count ?? data.length;
  // A larger count is reported as missing rows.
  if (countedRows < data.length) addIrregularity(irregularities, "countDisagrees");
  return success({
    serverTimeMs: answer.serverTimeMs,
    momentsMs: momentMs === null ? [] : [momentMs],
    rows,
    timelessIds,
    missingStationIds: told.map((id) => stationOf({ station_id: id })).filter((id) => id !== NO_STATION),
    receivedRows: data.length,
    absentRows: Math.max(0, countedRows - data.length),
    irregularities,
  });
}

function nearestRow(
  row: WireRow,
  variables: Iterable<Variable>,
  irregularities: IrregularityCounts,
): Pick<NearestRow, "displayName" | "values"> {
  const name = row["display_name"];
  const values: NearestRow["values"] = {};
  for (const variable of withImpliedVariables(variables))
    values[variable] = valueOf(variable, row[variable] ?? null, irregularities);
  return { displayName: typeof name === "string" ? name : "", values };
}

type WireRow = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is WireRow {
  return typeof value === "object" && value !== null;
}

function valueOf(variable: Variable, value: unknown, irregularities: IrregularityCounts): number | string | null {
  if (variableKind(variable) === "satellite") return textValue(value, irregularities);
  const number = scalarValue(value, irregularities);
  return Number.isNaN(number) ? null : number;
}
