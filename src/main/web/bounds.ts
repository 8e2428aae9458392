import { CORE_HEARTBEAT, type HeartbeatOptions } from "../supervisor/heartbeat.ts";

/** Time limits and capacities of the shell. Smaller in tests. */
export interface Bounds {
  /** Time limit for the head of a request, from the start of the connection. */
  readonly headMs: number;
  /** Time limit without any byte on a connection. */
  readonly idleMs: number;
  /** The same for a download, which a browser may pause. */
  readonly downloadIdleMs: number;
  /** Time in which an upload has to grow by `MIN_BODY_BYTES`, or end. */
  readonly bodyMs: number;
  /** Connections without a secret; another one replaces the oldest. */
  readonly unauthenticated: number;
  readonly windows: number;
  readonly downloads: number;
  /** Interval of pings to a window. */
  readonly beatMs: number;
  /** Heartbeat of the core. */
  readonly core: Pick<HeartbeatOptions, "beatMs" | "beats" | "firstMs">;
}

export const BOUNDS: Bounds = {
  headMs: 10_000,
  idleMs: 60_000,
  downloadIdleMs: 3_600_000,
  bodyMs: 60_000,
  unauthenticated: 128,
  windows: 64,
  downloads: 16,
  beatMs: 20_000,
  core: CORE_HEARTBEAT,
};

/** Slower than any usable tunnel. */
export const MIN_BODY_BYTES = 64 << 10;
