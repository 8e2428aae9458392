export interface HeartbeatOptions {
  /** Sends a ping to the other side. */
  readonly ping: () => void;
  /**
   * Called with false if the other side left `beats` pings in a row unanswered, or sent no first message within `firstMs`;
   * with true when it answers again.
   */
  readonly onChange: (isAnswering: boolean) => void;
  readonly beatMs: number;
  readonly beats: number;
  readonly firstMs: number;
}

interface Heartbeat {
  /** The other side sent any message. */
  answered(): void;
  end(): void;
}

/**
 * Monitors whether the other side answers. Counts pings instead of time, because no ping is sent while the computer
 * sleeps. Sends no ping before the first message.
 */
export function createHeartbeat({ ping, onChange, beatMs, beats, firstMs }: HeartbeatOptions): Heartbeat {
  let unanswered = 0;
  let isAnswering = true;
  let hasBegun = false;
  const change = (isSo: boolean): void => {
    if (isSo !== isAnswering) onChange((isAnswering = isSo));
  };
  const first = setTimeout(() => change(false), firstMs);
  const timer = setInterval(() => {
    if (!hasBegun) return;
    if (unanswered >= beats) change(false);
    unanswered++;
    ping();
  }, beatMs);
  return {
    answered() {
      hasBegun = true;
      clearTimeout(first);
      unanswered = 0;
      change(true);
    },
    end() {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}

/** Settings for a core: interval of pings, unanswered pings until it counts as silent, and time limit of its first message. */
export const CORE_HEARTBEAT = { beatMs: 5_000, beats: 3, firstMs: 20_000 } as const;
