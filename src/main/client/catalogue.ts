import type { z } from "zod";
import {
  type HeightReference,
  type Network,
  networkPageSchema,
  type Station,
  stationPageSchema,
  stationSchema,
} from "#shared/service/catalogue.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { errorSentence, readBodyReport } from "./errors/bodyReport.ts";
import { LIMITS } from "#shared/service/query.ts";
import { errorInBody, serviceError } from "./errors/refusal.ts";
import { notTheServiceError, readJson, encodeQuery } from "./json.ts";
import type { ServiceResponse, Caller } from "./request.ts";
import type { ResponseHead, Listing, Page, PageRequest, StationFilter } from "./types.ts";
import { fetchAllPages } from "./pages.ts";

/** GET /stations (specification 4.1), one page. */
export function stationsPage(
  caller: Caller,
  filter: StationFilter,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
  signal: AbortSignal,
): Promise<Result<Page<Station>>> {
  const { bbox } = filter;
  const query = encodeQuery([
    ...(filter.countryCodes ?? []).map((code) => ["country_code", code] as const),
    ...(filter.networkIds ?? []).map((id) => ["network_id", id] as const),
    ["search", filter.search],
    ["bbox", bbox && `[${[bbox.latitudeMin, bbox.longitudeMin, bbox.latitudeMax, bbox.longitudeMax].join(",")}]`],
    ["height_vertical_reference", filter.heightReference],
    ["sort_by", filter.sortBy],
    ["sort_order", filter.sortOrder],
    ["page", page],
    ["page_size", pageSize],
  ]);
  return caller.call(
    { method: "GET", path: "/stations", query },
    (answer) => readPage(answer, stationPageSchema),
    signal,
  );
}

/** Fetches every station of the filter, each once. */
export function allStations(
  caller: Caller,
  filter: StationFilter,
  signal: AbortSignal,
  request: PageRequest<Station> = (send) => send(),
): Promise<Result<Listing<Station>>> {
  return fetchAllPages("stations", (page) =>
    request(() => stationsPage(caller, filter, { page, pageSize: LIMITS.stationsPageSize.max }, signal)),
  );
}

/** GET /networks (specification 4.3), all pages. */
export function allNetworks(
  caller: Caller,
  signal: AbortSignal,
  request: PageRequest<Network> = (send) => send(),
): Promise<Result<Listing<Network>>> {
  const fetchPage = (page: number): Promise<Result<Page<Network>>> => {
    const query = encodeQuery([
      ["page", page],
      ["page_size", LIMITS.networksPageSize.max],
    ]);
    return caller.call(
      { method: "GET", path: "/networks", query },
      (answer) => readPage(answer, networkPageSchema),
      signal,
    );
  };
  return fetchAllPages("networks", (page) => request(() => fetchPage(page)), true);
}

/** GET /stations/{station_id} (specification 4.2). */
export function station(
  caller: Caller,
  id: string,
  heightReference: HeightReference,
  signal: AbortSignal,
): Promise<Result<Station & ResponseHead>> {
  // A dot segment or an empty one would lead to another endpoint.
  if (/^\.{0,2}$/.test(id)) return Promise.resolve(failure(serviceError("invalid", "A station id is needed.")));
  const path = `/stations/${encodeURIComponent(id)}`;
  const query = encodeQuery([["height_vertical_reference", heightReference]]);
  return caller.call(
    { method: "GET", path, query },
    async (answer) => {
      const parsed = await parseResponse(answer, stationSchema);
      return parsed.ok ? success({ ...parsed.value, serverTimeMs: answer.serverTimeMs }) : parsed;
    },
    signal,
  );
}

async function readPage<T>(
  answer: ServiceResponse,
  schema: z.ZodType<Omit<Page<T>, keyof ResponseHead>>,
): Promise<Result<Page<T>>> {
  const parsed = await parseResponse(answer, schema);
  return parsed.ok ? success({ ...parsed.value, serverTimeMs: answer.serverTimeMs }) : parsed;
}

/** A list with an error beside it may be incomplete. */
function errorBeside(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return null;
  return readBodyReport(body as Readonly<Record<string, unknown>>).error;
}

/** Parses a response by its schema; an error body with status 200 is the error that it reports. */
export async function parseResponse<T>(answer: ServiceResponse, schema: z.ZodType<T>): Promise<Result<T>> {
  const json = await readJson(answer);
  if (!json.ok) return json;
  const parsed = schema.safeParse(json.value);
  const trouble = parsed.success ? errorBeside(json.value) : null;
  if (trouble !== null) return failure(errorInBody(trouble, null, answer.host));
  if (parsed.success) return success(parsed.data);
  const sentence = errorSentence(json.value);
  if (sentence !== null) return failure(errorInBody(sentence, null, answer.host));
  const [issue] = parsed.error.issues;
  return failure(notTheServiceError(answer, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "another shape"}`));
}
