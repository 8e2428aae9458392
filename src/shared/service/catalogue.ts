import { z } from "zod";
import { visible } from "../text.ts";
import { canonicalId, plainId } from "./stationId.ts";
import { parseUtc } from "../time/utc.ts";
import { knownResolution } from "./points.ts";

/** Vertical references of a height (specification 2.1). */
export const HEIGHT_REFERENCES = ["WGS84_ELLIPSOID", "EGM2008"] as const;
export type HeightReference = (typeof HEIGHT_REFERENCES)[number];

const INVERSE_FLATTENING = 298.257223563;
const FLATTENING = 1 / INVERSE_FLATTENING;
/** The ellipsoid of WGS 84. */
export const WGS84 = {
  semiMajorAxisM: 6_378_137,
  inverseFlattening: INVERSE_FLATTENING,
  eccentricitySquared: FLATTENING * (2 - FLATTENING),
} as const;

/** Source types of the specification; unknown ones are kept unchanged. */
export const SOURCE_TYPES = ["stream_gnss", "telco", "cors"] as const;

export const STATION_SORT_KEYS = ["name", "network", "updated_at", "data_last_updated"] as const;
export type StationSortKey = (typeof STATION_SORT_KEYS)[number];
export const SORT_ORDERS = ["asc", "desc"] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

const label = z.string().max(2_000);
const identifier = z.string().min(1).max(1_000);
const knownNumber = z.number().nullable();
/** UTC milliseconds; null if unknown. */
const knownMoment = z.number().min(-8.64e15).max(8.64e15).nullable();

/** A station of the catalogue, as it is stored and shared. Times are UTC milliseconds, heights metres, angles degrees. */
export const catalogueStation = z.object({
  id: identifier,
  displayName: label,
  /** Only for stations of networks that the organization owns, else null. */
  mountpoint: label.nullable(),
  /** One of `SOURCE_TYPES`, or a newer type of the service. */
  sourceType: label,
  /** Time of the earliest measurement; null if there is none, or if it is unknown. */
  historicDataFromMs: knownMoment,
  /** Seconds between observations; 0 is the native receiver rate. */
  resolutionSeconds: z.number(),
  locationAlias: label,
  countryCode: label,
  /** Obfuscated position; null without location entitlement. */
  latitudeDeg: knownNumber,
  longitudeDeg: knownNumber,
  height: knownNumber,
  /** Usually a `HeightReference`; a service may name others. */
  heightReference: label,
  /** Its height in both references; null if unknown. */
  ellipsoidalHeight: knownNumber,
  orthometricHeight: knownNumber,
  /** Time of the latest measurement; null if there is none, or if it is unknown. */
  dataLastUpdatedMs: knownMoment,
  /** Whether the service states that there is neither: times that it does not state readably are unknown. */
  hasNeverSent: z.boolean(),
  networkId: label,
  networkCode: label,
  createdAtMs: knownMoment,
  updatedAtMs: knownMoment,
});
export type CatalogueStation = Readonly<z.output<typeof catalogueStation>>;
/** A station as the service lists it, with one height. */
export type Station = Omit<CatalogueStation, "ellipsoidalHeight" | "orthometricHeight">;

export const catalogueNetwork = z.object({
  id: identifier,
  code: label,
  name: label,
  isOwner: z.boolean(),
  /** The specification does not define its values: shown unchanged; null if absent. */
  visibility: label.nullable(),
  isInternal: z.boolean().nullable(),
  createdAtMs: knownMoment,
  updatedAtMs: knownMoment,
});
export type Network = Readonly<z.output<typeof catalogueNetwork>>;

/** A station that is or was listed in the catalogue. */
export interface KnownStation extends CatalogueStation {
  /** No longer listed; the other properties are those last listed. */
  readonly isWithdrawn?: boolean;
}

export interface Catalogue {
  readonly stations: readonly CatalogueStation[];
  /** Stations with cached data that are no longer listed, as listed last. */
  readonly withdrawn: readonly CatalogueStation[];
  readonly networks: readonly Network[];
  /** When it was fetched, by the server's clock; null if never. */
  readonly fetchedAtMs: number | null;
  /** A sentence for the user about an inconsistency of the list; null or absent if none is known. */
  readonly remark?: string | null;
}

/** Returns listed stations in the order of the list, then formerly listed ones. */
export function knownStations({ stations, withdrawn }: Pick<Catalogue, "stations" | "withdrawn">): KnownStation[] {
  return [...stations, ...withdrawn.map((station) => ({ ...station, isWithdrawn: true }))];
}

/** Returns the displayed name of a station: its id if the name is blank, and hidden characters by their codes. */
export function stationLabel({
  id,
  displayName,
  isWithdrawn,
}: Pick<KnownStation, "id" | "displayName" | "isWithdrawn">): string {
  return `${visible(displayName.trim() || id)}${isWithdrawn ? " (no longer listed)" : ""}`;
}

/** Tells stations of one name apart by their mountpoints, else by their ids. */
export function withDistinctNames(stations: readonly KnownStation[]): KnownStation[] {
  const byLabel = Map.groupBy(stations, stationLabel);
  return stations.map((station) => {
    const same = byLabel.get(stationLabel(station)) ?? [];
    if (same.length < 2) return station;
    const mountpoints = new Set(same.map(({ mountpoint, id }) => mountpoint ?? id));
    const mark = mountpoints.size === same.length ? (station.mountpoint ?? station.id) : station.id;
    return { ...station, displayName: `${station.displayName} (${mark})` };
  });
}

/** Returns the displayed names of all known stations by id, each different. */
export function stationLabels(catalogue: Pick<Catalogue, "stations" | "withdrawn">): Map<string, string> {
  return new Map(withDistinctNames(knownStations(catalogue)).map((station) => [station.id, stationLabel(station)]));
}

export interface Pagination {
  readonly page: number;
  readonly pageSize: number;
  /** Null if the service does not state it. */
  readonly totalItems: number | null;
  readonly totalPages: number;
}

// Responses are parsed tolerantly: unknown fields are ignored, and absent or invalid optional values become null. Only
// the identifier is required.

const text = z.string().catch("");
/** In the spelling of the service, which may reject any other in requests. */
const stationId = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" ? plainId(value) : ""));
/** In canonical spelling, because ids of networks are only compared, never sent. */
const networkId = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" ? canonicalId(value) : ""));
const nullableText = z.string().nullable().catch(null).default(null);
const nullableNumber = z.number().nullable().catch(null).default(null);
/** Undefined if the service states no readable time. */
const statedMoment = z
  .unknown()
  .optional()
  .transform((t) => (t === null ? null : typeof t === "string" ? (parseUtc(t) ?? undefined) : undefined));
const moment = z
  .string()
  .nullable()
  .catch(null)
  .default(null)
  .transform((t) => (t === null ? null : parseUtc(t)));

export const stationSchema = z
  .looseObject({
    id: stationId,
    receiver_id: stationId,
    display_name: text.default(""),
    mountpoint: nullableText,
    source_type: text.default(""),
    historic_data_from: statedMoment,
    resolution_seconds: z.number().catch(0).default(0),
    location_alias: text.default(""),
    country_code: text.default(""),
    latitude: nullableNumber,
    longitude: nullableNumber,
    height: nullableNumber,
    height_vertical_reference: text.default("WGS84_ELLIPSOID"),
    data_last_updated: statedMoment,
    network_id: networkId,
    network_code: text.default(""),
    created_at: moment,
    updated_at: moment,
  })
  .transform((w, context): Station => {
    const id = w.id || w.receiver_id;
    const { historic_data_from: statedFirst, data_last_updated: statedLast } = w;
    const [first, last] = [statedFirst ?? null, statedLast ?? null];
    // A first measurement after the last one is an error of the service and says nothing about earlier data.
    const isOrdered = first === null || last === null || first <= last;
    if (id === "") context.addIssue({ code: "custom", message: "a station without id" });
    return {
      id,
      displayName: w.display_name,
      mountpoint: w.mountpoint,
      sourceType: w.source_type,
      historicDataFromMs: isOrdered ? first : null,
      resolutionSeconds: knownResolution(w.resolution_seconds) ?? 0,
      locationAlias: w.location_alias,
      countryCode: w.country_code,
      latitudeDeg: w.latitude,
      longitudeDeg: w.longitude,
      height: w.height,
      heightReference: w.height_vertical_reference,
      dataLastUpdatedMs: last,
      hasNeverSent: statedFirst === null && statedLast === null,
      networkId: w.network_id,
      networkCode: w.network_code,
      createdAtMs: w.created_at,
      updatedAtMs: w.updated_at,
    };
  });

const networkSchema = z
  .looseObject({
    id: networkId.pipe(z.string().min(1)),
    code: text.default(""),
    name: text.default(""),
    is_owner: z.boolean().catch(false).default(false),
    visibility: nullableText,
    is_internal: z.boolean().nullable().catch(null).default(null),
    created_at: moment,
    updated_at: moment,
  })
  .transform((w): Network => ({
    id: w.id,
    code: w.code,
    name: w.name,
    isOwner: w.is_owner,
    visibility: w.visibility,
    isInternal: w.is_internal,
    createdAtMs: w.created_at,
    updatedAtMs: w.updated_at,
  }));

const count = z.number().int().nonnegative().optional().catch(undefined);

const paginationSchema = z.looseObject({
  page: z.number().int().min(1).catch(1).default(1),
  page_size: z.number().int().min(1).optional().catch(undefined),
  total_items: count,
  total_count: count,
  total_pages: count,
});

/**
 * Reads the pagination, also in the earlier form with `total_count` beside the list. If the service does not state the
 * page size, the number of rows is used: treating this page as the only one would lose stations.
 */
function paginationOf(wire: z.infer<typeof paginationSchema>, rows: number): Pagination {
  const statedItems = wire.total_items ?? wire.total_count;
  const totalItems = statedItems === undefined ? null : Math.max(statedItems, rows);
  const pageSize = wire.page_size ?? Math.max(1, rows);
  const totalPages = wire.total_pages ?? Math.ceil((totalItems ?? rows) / pageSize);
  return { page: wire.page, pageSize, totalItems, totalPages };
}

const pageFields = { pagination: paginationSchema.optional().catch(undefined), total_count: count };

// The list is required: an empty catalogue has an empty list.
export const stationPageSchema = z.looseObject({ stations: z.array(stationSchema), ...pageFields }).transform((w) => ({
  items: w.stations,
  pagination: paginationOf(w.pagination ?? { page: 1, total_count: w.total_count }, w.stations.length),
}));

export const networkPageSchema = z.looseObject({ networks: z.array(networkSchema), ...pageFields }).transform((w) => ({
  items: w.networks,
  pagination: paginationOf(w.pagination ?? { page: 1, total_count: w.total_count }, w.networks.length),
}));
