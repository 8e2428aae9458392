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
