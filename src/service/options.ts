import type { FaultRule } from "./faults/faults.ts";
import type { OrganizationOptions } from "./organizations.ts";
import type { World } from "./world/types.ts";

/** How a row represents a variable without a value; the specification leaves it open (2.4 rule 5). */
export const NO_DATA_STYLES = ["null", "omit", "NaN", "empty"] as const;
export type NoDataStyle = (typeof NO_DATA_STYLES)[number];

/** How a 413 states the limit of 100,000 points: `100,000`, `100000`, `100 000`, `1e5`, within a web page, or not at all. */
export const LIMIT_STYLES = ["commas", "plain", "spaces", "exponent", "html", "absent"] as const;
export type LimitStyle = (typeof LIMIT_STYLES)[number];

/** The form of `Retry-After` with a 429; only the first two are HTTP. */
export const RETRY_AFTER_STYLES = ["seconds", "date", "pastDate", "negative", "huge", "junk", "missing"] as const;
export type RetryAfterStyle = (typeof RETRY_AFTER_STYLES)[number];

/** Behaviour that the specification leaves open; all of it can be changed while the service runs. */
export interface ServiceSettings {
  /** Digits after the point of ztd, ztd_sigma and pwv, 0 to 6; null for full doubles. Means are never rounded. */
  readonly decimals: number | null;
  readonly noData: NoDataStyle;
  readonly limitStyle: LimitStyle;
  readonly retryAfterStyle: RetryAfterStyle;
  readonly retryAfterSeconds: number;
  /** Whether responses are compressed for clients that accept it. */
  readonly gzip: boolean;
  readonly networksPageSize: number;
  /** Responds in the earlier form (9.3): rows name their station by `receiver_id`, lists their total by `total_count`. */
  readonly earlierForm: boolean;
  /**
   * The speed that the service claims. A time series that would take longer than the deadline at this speed is refused
   * with 408 at once; null: only the actual time until the response begins counts.
   */
  readonly pointsPerSecond: number | null;
  /** A larger NetCDF result is refused with 413 (8). */
  readonly netcdfBytes: number;
  /** Maximum time for the body of a request to arrive; then 408. */
  readonly bodyTimeoutMs: number;
  /** A connection is closed if its client reads nothing of a waiting response for this time. */
  readonly unreadTimeoutMs: number;
}

export const DEFAULT_SETTINGS: ServiceSettings = {
  decimals: 1,
  noData: "null",
  limitStyle: "commas",
  retryAfterStyle: "seconds",
  retryAfterSeconds: 1,
  gzip: true,
  networksPageSize: 50,
  earlierForm: false,
  pointsPerSecond: null,
  netcdfBytes: 150_000_000,
  bodyTimeoutMs: 30_000,
  unreadTimeoutMs: 60_000,
};

export interface ServiceOptions extends Partial<ServiceSettings> {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  /** By default a world created from `seed`. */
  readonly world?: World;
  readonly seed?: number;
  /** Number of stations of that world; those beyond the named ones are generated. */
  readonly stations?: number;
  /** The present of the service, UTC milliseconds. */
  readonly now?: () => number;
  readonly organizations?: readonly OrganizationOptions[];
  readonly faults?: readonly FaultRule[];
  /** Seed of the random faults. */
  readonly faultSeed?: number;
  /** Maximum number of requests in `stats.log`, 100,000 by default. */
  readonly logLength?: number;
  /** Called for unexpected errors, which a client sees as 500. Writes them to the error output by default. */
  readonly onError?: (error: unknown) => void;
}
