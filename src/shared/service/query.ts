import { z } from "zod";
import { parseUtc, type UtcMs } from "../time/utc.ts";
import { HEIGHT_REFERENCES, SORT_ORDERS, STATION_SORT_KEYS } from "./catalogue.ts";
import { type Variable, VARIABLE_NAMES } from "./variables.ts";

/** Limits and defaults of the specification (sections 4 and 8). */
export const LIMITS = {
  stationsPageSize: { min: 1, max: 200, default: 20 },
  /** Without a default in the specification: the client always sends a value. */
  networksPageSize: { min: 1, max: 100 },
  searchLength: 128,
  intervalSeconds: { min: 30 },
  withinSeconds: { min: 60, max: 86_400, default: 3_600 },
  netcdfBytes: 150_000_000,
} as const;

export const API_PREFIX = "/api/v1";
export const API_KEY_HEADER = "X-API-Key";

export const MEDIA_JSON = "application/json";
export const MEDIA_NETCDF = "application/x-netcdf";

// Strict schemas of requests: what the reference service accepts and what a client may send.

export const uuidSchema = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "must be a UUID");

export const variableSchema = z.enum(VARIABLE_NAMES as [Variable, ...Variable[]]);

const momentSchema = z.string().transform((text, context): UtcMs => {
  const moment = parseUtc(text);
  if (moment === null) {
    context.addIssue({ code: "custom", message: "must be an ISO 8601 date-time, for example 2026-01-01T00:00:00Z" });
    return z.NEVER;
  }
  return moment;
});

/** A boolean in a query string: `true` or `1`, `false` or `0`, case-insensitive. */
const queryFlagSchema = z
  .string()
  .toLowerCase()
  .pipe(z.enum(["true", "1", "false", "0"], "must be true or false"))
  .transform((text) => text === "true" || text === "1");

/** Body of POST /measurements/query (4.4). */
export const timeSeriesQuerySchema = z
  .object({
    start_time: momentSchema,
    end_time: momentSchema,
    station_ids: z.array(uuidSchema).min(1, "must hold at least 1 item"),
    data_vars: z.array(variableSchema).min(1, "must hold at least 1 item"),
    interval_seconds: z.number().int().min(LIMITS.intervalSeconds.min).nullish(),
    raw: z.boolean().default(false),
  })
  .refine((q) => q.end_time > q.start_time, { path: ["end_time"], message: "must be after start_time" });

/** A time series query in the form used by the application. */
export interface TimeSeriesQuery {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly startMs: UtcMs;
  /** Exclusive. */
  readonly endMs: UtcMs;
  /** null: every observation. */
  readonly intervalSeconds: number | null;
  /** Whether to include observations that the quality filter rejects. */
  readonly raw: boolean;
}

/** Query parameters of GET /measurements/nearest (4.5), with `station_ids` and `data_vars` already split at commas. */
export const nearestQuerySchema = z.object({
  station_ids: z.union([z.literal("all"), z.array(uuidSchema).min(1, "must hold at least 1 item")]),
  data_vars: z.array(variableSchema).min(1, "must hold at least 1 item"),
  time: momentSchema.optional(),
  within_seconds: z.coerce
    .number()
    .int()
    .min(LIMITS.withinSeconds.min)
    .max(LIMITS.withinSeconds.max)
    .default(LIMITS.withinSeconds.default),
  raw: queryFlagSchema.default(false),
});

export interface NearestQuery {
  readonly stationIds: readonly string[] | "all";
  readonly variables: readonly Variable[];
  /** null: the latest observation. */
  readonly timeMs: UtcMs | null;
  readonly withinSeconds: number;
  readonly raw: boolean;
}

/** Query parameters of GET /stations (4.1), with `bbox` already split. */
export const stationsQuerySchema = z.object({
  country_code: z.array(z.string().length(2, "must be exactly 2 characters")).default([]),
  network_id: z.array(uuidSchema).default([]),
  search: z.string().max(LIMITS.searchLength, `must be at most ${LIMITS.searchLength} characters`).optional(),
  bbox: z.array(z.number()).length(4, "must be exactly 4 numbers").optional(),
  height_vertical_reference: z.enum(HEIGHT_REFERENCES).default("WGS84_ELLIPSOID"),
  sort_by: z.enum(STATION_SORT_KEYS).default("name"),
  sort_order: z.enum(SORT_ORDERS).default("asc"),
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce
    .number()
    .int()
    .min(LIMITS.stationsPageSize.min)
    .max(LIMITS.stationsPageSize.max)
    .default(LIMITS.stationsPageSize.default),
});

/** Latitude first, as in the specification. Degrees. */
export interface BoundingBox {
  readonly latitudeMin: number;
  readonly longitudeMin: number;
  readonly latitudeMax: number;
  readonly longitudeMax: number;
}

export interface NearestRow {
  readonly stationId: string;
  readonly displayName: string;
  readonly timeMs: UtcMs;
  /** Numbers of scalar variables, texts of satellite variables; null: no value. */
  readonly values: Partial<Record<Variable, number | string | null>>;
}

/** The observations nearest to a moment: of every requested station either one row, or its id in `missingStationIds`. */
export interface NearestAnswer {
  /** The server's clock (its `Date` header), null if absent. */
  readonly serverTimeMs: UtcMs | null;
  /** The requested moment, or the time of the service. */
  readonly timeMs: UtcMs;
  readonly rows: readonly NearestRow[];
  readonly missingStationIds: readonly string[];
  /** By station id: why a station is missing although the service does not state that it has no observation. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Contradictions of the response, as sentences for the user. */
  readonly remarks: readonly string[];
}
