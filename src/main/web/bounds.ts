import { CORE_BEAT, type HeartbeatOptions } from "../engine/heartbeat.ts";

/** How long the shell waits, and how much it holds at once. Smaller in tests. */
export interface Bounds {
  /** Until the whole head of a request is there, from the first moment of the connection on. */
  readonly headMs: number;
  /** Without a byte on a connection. */
  readonly idleMs: number;
  /** The same for a download: a browser may let it rest. */
  readonly downloadIdleMs: number;
  /** In which a file that is being sent has to grow by `LEAST_BODY_BYTES`, or end. */
  readonly bodyMs: number;
  /** Connections of callers who have not shown a secret; a further one takes the place of the oldest. */
  readonly strangers: number;
  readonly windows: number;
  readonly downloads: number;
  /** Between two questions to a window whether it is still there. */
  readonly beatMs: number;
  /** The same of the core. */
  readonly core: Pick<HeartbeatOptions, "beatMs" | "beats" | "firstMs">;
}

export const BOUNDS: Bounds = {
  headMs: 10_000,
  idleMs: 60_000,
  downloadIdleMs: 3_600_000,
  bodyMs: 60_000,
  strangers: 128,
  windows: 64,
  downloads: 16,
  beatMs: 20_000,
  core: CORE_BEAT,
};

/** Slower than any tunnel. */
export const LEAST_BODY_BYTES = 64 << 10;
