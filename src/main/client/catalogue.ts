import type { z } from "zod";
import {
  type HeightReference,
  type Network,
  networkPageSchema,
  type Station,
  stationPageSchema,
  stationSchema,
} from "#shared/service/catalogue.ts";
import { errorSentence, failure, type Result, success } from "#shared/service/error.ts";
import { LIMITS } from "#shared/service/limits.ts";
import { readWords } from "./errors/inside.ts";
import { serviceError } from "./errors/make.ts";
import { refusalInside } from "./errors/refusal.ts";
import { notTheService, readJson, pairs } from "./json.ts";
import type { Answer, Caller } from "./request.ts";
import type { AnswerHead, Listing, Page, StationFilter } from "./types.ts";
import { walkPages } from "./walk.ts";

/** GET /stations (specification 4.1), one page. */
export function stationsPage(
  caller: Caller,
  filter: StationFilter,
  page: number,
  pageSize: number,
  signal: AbortSignal,
): Promise<Result<Page<Station>>> {
  const { bbox } = filter;
  const query = pairs([
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

/** Every station of the filter, once. */
export function allStations(
  caller: Caller,
  filter: StationFilter,
  signal: AbortSignal,
): Promise<Result<Listing<Station>>> {
  return walkPages("stations", (page) => stationsPage(caller, filter, page, LIMITS.stationsPageSize.max, signal));
}

/** GET /networks (specification 4.3), all pages. */
export function allNetworks(caller: Caller, signal: AbortSignal): Promise<Result<Listing<Network>>> {
  const fetchPage = (page: number): Promise<Result<Page<Network>>> => {
    const query = pairs([
      ["page", page],
      ["page_size", LIMITS.networksPageSize.max],
    ]);
    return caller.call(
      { method: "GET", path: "/networks", query },
      (answer) => readPage(answer, networkPageSchema),
      signal,
    );
  };
  return walkPages("networks", fetchPage, true);
}

/** GET /stations/{station_id} (specification 4.2). */
export function station(
  caller: Caller,
  id: string,
  heightReference: HeightReference,
  signal: AbortSignal,
): Promise<Result<Station & AnswerHead>> {
  // A dot segment or an empty one would lead to another endpoint.
  if (/^\.{0,2}$/.test(id)) return Promise.resolve(failure(serviceError("invalid", "A station id is needed.")));
  const path = `/stations/${encodeURIComponent(id)}`;
  const query = pairs([["height_vertical_reference", heightReference]]);
  return caller.call(
    { method: "GET", path, query },
    async (answer) => {
      const parsed = await readAs(answer, stationSchema);
      return parsed.ok ? success({ ...parsed.value, serverTimeMs: answer.serverTimeMs }) : parsed;
    },
    signal,
  );
}

async function readPage<T>(
  answer: Answer,
  schema: z.ZodType<Omit<Page<T>, keyof AnswerHead>>,
): Promise<Result<Page<T>>> {
  const parsed = await readAs(answer, schema);
  return parsed.ok ? success({ ...parsed.value, serverTimeMs: answer.serverTimeMs }) : parsed;
}

/** A list with an error beside it may lack what it would have without. */
function errorBeside(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return null;
  return readWords(Object.entries(body).filter(([key]) => /^errors?$/i.test(key))).trouble;
}

/** The answer in the shape asked for; an error body under status 200 is the error it tells of. */
export async function readAs<T>(answer: Answer, schema: z.ZodType<T>): Promise<Result<T>> {
  const json = await readJson(answer);
  if (!json.ok) return json;
  const parsed = schema.safeParse(json.value);
  const trouble = parsed.success ? errorBeside(json.value) : null;
  if (trouble !== null) return failure(refusalInside(trouble, null, answer.host));
  if (parsed.success) return success(parsed.data);
  const sentence = errorSentence(json.value);
  if (sentence !== null) return failure(refusalInside(sentence, null, answer.host));
  const [issue] = parsed.error.issues;
  return failure(notTheService(answer, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "another shape"}`));
}
