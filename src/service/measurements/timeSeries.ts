import { failure, success, type Result } from "#shared/service/error.ts";
import { MEDIA_JSON, MEDIA_NETCDF, type TimeSeriesQuery, timeSeriesQuerySchema } from "#shared/service/query.ts";
import type { Exchange } from "../exchange.ts";
import { negotiate } from "../http/accept.ts";
import { readJsonBody } from "../http/body.ts";
import { check, checkFields } from "../http/parameters.ts";
import { refusal, type Refusal } from "../http/refusal.ts";
import { answerJson } from "./json.ts";
import { answerNetcdf } from "./netcdf.ts";
import { answeredVariables, pointsOf, refuseSize, requestedStations } from "./rows.ts";

/**
 * POST /api/v1/measurements/query (4.4): checks everything that can be checked before the query runs, then responds in
 * the form that `Accept` prefers; NetCDF wins a tie, being the documented default. If neither is acceptable the response
 * is 400, because 406 is not among the statuses of section 7.
 */
export async function timeSeries(exchange: Exchange): Promise<Refusal | null> {
  const startedAt = performance.now();
  const body = await readJsonBody(exchange.request, exchange.settings.bodyTimeoutMs);
  if (!body.ok) return body.error;
  const media = negotiate(exchange.request.headers.accept, [MEDIA_NETCDF, MEDIA_JSON]);
  if (media === null)
    return refusal(400, `Invalid Accept: the service returns only ${MEDIA_JSON} and ${MEDIA_NETCDF}.`);
  const query = readQuery(body.value);
  if (!query.ok) return query.error;
  exchange.record.query = query.value;
  const stations = requestedStations(exchange, query.value.stationIds);
  if (!stations.ok) return stations.error;
  const points = pointsOf(query.value, stations.value);
  exchange.record.points = points;
  const admitted = { query: query.value, stations: stations.value, points, startedAt };
  const refused = refuseSize(exchange, points);
  if (refused) return refused;
  return media === MEDIA_JSON ? answerJson(exchange, admitted) : answerNetcdf(exchange, admitted);
}

const FIELDS = Object.keys(timeSeriesQuerySchema.shape);

function readQuery(body: unknown): Result<TimeSeriesQuery, Refusal> {
  const unknown = checkFields(body, FIELDS);
  if (unknown) return failure(unknown);
  const checked = check(timeSeriesQuerySchema, body);
  if (!checked.ok) return checked;
  const wire = checked.value;
  return success({
    stationIds: [...new Set(wire.station_ids.map((id) => id.toLowerCase()))],
    variables: answeredVariables(wire.data_vars),
    startMs: wire.start_time,
    endMs: wire.end_time,
    intervalSeconds: wire.interval_seconds ?? null,
    raw: wire.raw,
  });
}
