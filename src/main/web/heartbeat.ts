export interface HeartbeatOptions {
  /** Asks the other side for an answer. */
  readonly ask: () => void;
  /** The answer has not come for `beats` questions in a row, or has come again. */
  readonly onChange: (isAnswering: boolean) => void;
  readonly beatMs: number;
  readonly beats: number;
}

export interface Heartbeat {
  /** An answer came. */
  answered(): void;
  end(): void;
}

/**
 * Finds out whether the other side still answers. Counted in questions, not by a clock: while the computer sleeps nothing
 * is asked, and nothing counts as left without an answer.
 */
export function createHeartbeat({ ask, onChange, beatMs, beats }: HeartbeatOptions): Heartbeat {
  let unanswered = 0;
  let isAnswering = true;
  const timer = setInterval(() => {
    if (unanswered >= beats && isAnswering) onChange((isAnswering = false));
    unanswered++;
    ask();
  }, beatMs);
  return {
    answered() {
      unanswered = 0;
      if (!isAnswering) onChange((isAnswering = true));
    },
    end: () => clearInterval(timer),
  };
}
