export interface HeartbeatOptions {
  /** Asks the other side for an answer. */
  readonly ask: () => void;
  /**
   * The other side leaves `beats` questions in a row without an answer, or has not said a first word within `firstMs`; or
   * it answers again.
   */
  readonly onChange: (isAnswering: boolean) => void;
  readonly beatMs: number;
  readonly beats: number;
  readonly firstMs: number;
}

export interface Heartbeat {
  /** A word came, as an answer or not. */
  answered(): void;
  end(): void;
}

/**
 * Finds out whether the other side still answers. Counted in questions, not by a clock: while the computer sleeps nothing
 * is asked, and nothing counts as left without an answer. Nothing is asked before the first word.
 */
export function createHeartbeat({ ask, onChange, beatMs, beats, firstMs }: HeartbeatOptions): Heartbeat {
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
    ask();
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

/** For a core: between two questions, how many it leaves without an answer before windows are told, and the same of its first word. */
export const CORE_BEAT = { beatMs: 5_000, beats: 3, firstMs: 20_000 } as const;
