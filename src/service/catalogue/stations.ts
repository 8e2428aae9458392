import { failure, success, type Result } from "#shared/service/error.ts";
import { stationsQuerySchema, uuidSchema, type BoundingBox } from "#shared/service/query.ts";
import type { Exchange } from "../exchange.ts";
import { check, collect } from "../http/parameters.ts";
import { badParameter, refusal, type Refusal } from "../http/refusal.ts";
import { sendJson } from "../http/send.ts";
import { entitledStations, isEntitled } from "../organizations.ts";
import { matches } from "./filter.ts";
import { pageOf } from "./page.ts";
import { sortedStations } from "./sort.ts";
import { stationWire } from "./wire.ts";

const NAMES = {
  lists: ["country_code", "network_id"],
  once: ["search", "bbox", "height_vertical_reference", "sort_by", "sort_order"],
  integers: ["page", "page_size"],
};

/** GET /api/v1/stations (4.1). */
export async function stations(exchange: Exchange): Promise<Refusal | null> {
  const { world, organization, nowMs } = exchange;
  const collected = collect(exchange.search, NAMES);
  if (!collected.ok) return collected.error;
  const { bbox, ...others } = collected.value;
  const box = bbox === undefined ? success(null) : readBox(String(bbox));
  if (!box.ok) return box.error;
  const checked = check(stationsQuerySchema, others);
  if (!checked.ok) return checked.error;
  const query = checked.value;
  const criteria = {
    countryCodes: query.country_code.map((code) => code.toUpperCase()),
    networkIds: query.network_id.map((id) => id.toLowerCase()),
    search: query.search ?? null,
    bbox: box.value,
    hasLocation: organization.hasLocation,
  };
  const found = entitledStations(world, organization).filter((station) => matches(station, criteria));
  const sorted = sortedStations(found, query.sort_by, query.sort_order, world, nowMs);
  const page = pageOf(sorted, query.page, query.page_size, exchange.settings.earlierForm);
  await sendJson(exchange, {
    stations: page.items.map((station) => stationWire(exchange, station, query.height_vertical_reference)),
    pagination: page.pagination,
  });
  return null;
}

/** GET /api/v1/stations/{station_id} (4.2). What the organization may not see does not exist for it. */
export async function station(exchange: Exchange): Promise<Refusal | null> {
  const { world, organization, route } = exchange;
  const collected = collect(exchange.search, { once: ["height_vertical_reference"] });
  if (!collected.ok) return collected.error;
  const checked = check(stationsQuerySchema, collected.value);
  if (!checked.ok) return checked.error;
  const id = uuidSchema.safeParse(route.stationId);
  if (!id.success) return badParameter("station_id", "must be a UUID");
  const found = world.station(id.data.toLowerCase());
  if (!found || !isEntitled(found, organization)) return refusal(404, "Station not found.");
  await sendJson(exchange, stationWire(exchange, found, checked.value.height_vertical_reference));
  return null;
}

const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i;

/** Reads `[latitude_min,longitude_min,latitude_max,longitude_max]`, degrees. */
function readBox(text: string): Result<BoundingBox, Refusal> {
  const inside = /^\s*\[(.*)\]\s*$/.exec(text)?.[1];
  if (inside === undefined) return badBox("must be a bracketed list, for example [59,24,61,26]");
  const parts = inside.split(",");
  if (parts.length !== 4 || !parts.every((part) => NUMBER.test(part))) return badBox("must be exactly 4 numbers");
  const [latitudeMin, longitudeMin, latitudeMax, longitudeMax] = parts.map(Number) as [number, number, number, number];
  if (Math.abs(latitudeMin) > 90 || Math.abs(latitudeMax) > 90) return badBox("latitudes run from -90 to 90");
  if (Math.abs(longitudeMin) > 180 || Math.abs(longitudeMax) > 180) return badBox("longitudes run from -180 to 180");
  if (latitudeMin > latitudeMax) return badBox("latitude_min is greater than latitude_max");
  return success({ latitudeMin, longitudeMin, latitudeMax, longitudeMax });
}

function badBox(problem: string) {
  return failure(badParameter("bbox", problem));
}
