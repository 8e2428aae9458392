/**
 * The number of concurrent requests (additive increase, multiplicative decrease): one more after a window of successes,
 * half after the service reports overload (429, 503). The caller counts the active requests.
 */
interface Concurrency {
  readonly limit: number;
  readonly max: number;
  /** Successes since the limit last changed. */
  readonly successes: number;
  /** Counts the halvings. A request remembers the generation in which it was sent. */
  readonly generation: number;
}

export function startConcurrency(options: { start?: number; max?: number } = {}): Concurrency {
  const max = Math.max(1, options.max ?? 8);
  return { limit: Math.min(max, Math.max(1, options.start ?? 2)), max, successes: 0, generation: 0 };
}

/** Returns the state after a response. A window has as many successes as there are permits. */
export function afterAnswer(state: Concurrency): Concurrency {
  const successes = state.successes + 1;
  if (successes < state.limit || state.limit >= state.max) return { ...state, successes };
  return { ...state, limit: state.limit + 1, successes: 0 };
}

/**
 * Returns the state after a 429 or 503. Requests sent before the last halving add no information: eight refusals of one
 * burst are one event, not eight halvings.
 *
 * @param sentInGeneration `generation` when the refused request was sent
 */
export function afterOverload(state: Concurrency, sentInGeneration: number): Concurrency {
  if (sentInGeneration < state.generation) return state;
  return {
    ...state,
    limit: Math.max(1, Math.floor(state.limit / 2)),
    successes: 0,
    generation: state.generation + 1,
  };
}
