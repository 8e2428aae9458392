import { z } from "zod";
import type { SortOrder, StationSortKey } from "#shared/service/catalogue.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { type BoundingBox, LIMITS, stationsQuerySchema, uuidSchema } from "#shared/service/query.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Exchange } from "../exchange.ts";
import { check, collect } from "../http/parameters.ts";
import { badParameter, refusal, type Refusal } from "../http/refusal.ts";
import { sendJson } from "../http/send.ts";
import { entitledStations, isEntitled } from "../organizations.ts";
import type { World, WorldStation } from "../world/types.ts";
import { networkWire, obfuscatedPosition, listPage, stationWire } from "./wire.ts";

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
  const sorted = sortedStations(found, query, world, nowMs);
  const page = listPage(sorted, query.page, query.page_size, exchange.settings.earlierForm);
  await sendJson(exchange, {
    stations: page.items.map((station) => stationWire(exchange, station, query.height_vertical_reference)),
    pagination: page.pagination,
  });
  return null;
}

/** GET /api/v1/stations/{station_id} (4.2). Stations without entitlement do not exist for the organization. */
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

/** Sorts by one of the four keys of 4.1. Stations without a value are last in both orders; ties are sorted by id. */
function sortedStations(
  stations: readonly WorldStation[],
  { sort_by: key, sort_order: order }: { readonly sort_by: StationSortKey; readonly sort_order: SortOrder },
  world: World,
  nowMs: UtcMs,
): WorldStation[] {
  const sign = order === "asc" ? 1 : -1;
  return stations
    .map((station) => ({ station, value: valueOf(station, key, world, nowMs) }))
    .toSorted((a, b) => {
      if (a.value === null || b.value === null) {
        if (a.value !== b.value) return a.value === null ? 1 : -1;
      } else if (a.value !== b.value) {
        return a.value < b.value ? -sign : sign;
      }
      return a.station.id < b.station.id ? -1 : 1;
    })
    .map((entry) => entry.station);
}

function valueOf(station: WorldStation, key: StationSortKey, world: World, nowMs: UtcMs): string | number | null {
  switch (key) {
    case "name":
      return station.displayName;
    case "network":
      return station.network.code;
    case "updated_at":
      return station.updatedAtMs;
    case "data_last_updated":
      return world.lastUpdated(station, nowMs);
  }
}

/** The station filter of 4.1; an empty list or null filters nothing. */
interface StationCriteria {
  readonly countryCodes: readonly string[];
  readonly networkIds: readonly string[];
  readonly search: string | null;
  readonly bbox: BoundingBox | null;
  /** Whether the organization may see positions; if not, no station matches a box. */
  readonly hasLocation: boolean;
}

/**
 * Whether a station matches. The box is compared with the position in the catalogue: otherwise the true one could be
 * found with smaller and smaller boxes.
 */
function matches(station: WorldStation, criteria: StationCriteria): boolean {
  const { countryCodes, networkIds, search, bbox } = criteria;
  if (countryCodes.length > 0 && !countryCodes.includes(station.countryCode)) return false;
  if (networkIds.length > 0 && !networkIds.includes(station.network.id)) return false;
  if (search !== null) {
    const wanted = caseless(search);
    const isFound = [station.displayName, station.locationAlias].some((text) => caseless(text).includes(wanted));
    if (!isFound) return false;
  }
  return bbox === null || (criteria.hasLocation && isInside(station, bbox));
}

/** Lower case first, then upper, so that both forms of sigma, and ß and SS, are equal. Normalized, so that ä equals ä. */
function caseless(text: string): string {
  return text.normalize("NFC").toLowerCase().toUpperCase();
}

/** The box includes its edges. If its west is greater than its east it crosses the 180° meridian. */
function isInside(station: WorldStation, bbox: BoundingBox): boolean {
  const { latitudeDeg, longitudeDeg } = obfuscatedPosition(station);
  if (latitudeDeg < bbox.latitudeMin || latitudeDeg > bbox.latitudeMax) return false;
  const isEast = longitudeDeg >= bbox.longitudeMin;
  const isWest = longitudeDeg <= bbox.longitudeMax;
  return bbox.longitudeMin <= bbox.longitudeMax ? isEast && isWest : isEast || isWest;
}

const { min, max } = LIMITS.networksPageSize;
const querySchema = z.object({
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(min).max(max).optional(),
});

/** GET /api/v1/networks (4.3): the networks with a station that the organization may see, by code. */
export async function networks(exchange: Exchange): Promise<Refusal | null> {
  const { world, organization, settings } = exchange;
  const collected = collect(exchange.search, { once: [], integers: ["page", "page_size"] });
  if (!collected.ok) return collected.error;
  const checked = check(querySchema, collected.value);
  if (!checked.ok) return checked.error;
  const entitled = new Set(entitledStations(world, organization).map((station) => station.network.id));
  const found = world.networks
    .filter((network) => entitled.has(network.id))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const { page: number, page_size: size = settings.networksPageSize } = checked.value;
  const page = listPage(found, number, size, settings.earlierForm);
  await sendJson(exchange, {
    networks: page.items.map((network) => networkWire(network, organization)),
    pagination: page.pagination,
  });
  return null;
}
