/**
 * The number of concurrent requests (additive increase, multiplicative decrease): one more after a window of successes,
 * half after the service reports overload (429, 503). The caller counts the active requests.
 */
export interface Concurrency {
  readonly limit: number;
  readonly max: number;
  /** Successes since the limit last changed. */
  readonly successes: number;
  /** Counts the halvings. A request remembers the generation in which it was sent. */
  readonly generation: number;
  /** The smallest number that the service refused by a 429; null if none is known. */
  readonly refused: number | null;
}

/** Successes after which a refused number of requests is tried again: the threshold may have risen. */
const RETRY_REFUSED_AFTER = 200;

/** @param refused what an earlier session of the connection learned */
export function startConcurrency(max = 8, refused: number | null = null): Concurrency {
  return { limit: Math.min(max, refused === null ? 2 : refused - 1), max, successes: 0, generation: 0, refused };
}

/** Returns the state after a response. A window has as many successes as there are permits. */
export function afterAnswer(state: Concurrency): Concurrency {
  const successes = state.successes + 1;
  const isRefused = state.refused !== null && state.limit + 1 >= state.refused;
  const window = isRefused ? RETRY_REFUSED_AFTER : state.limit;
  if (successes < window || state.limit >= state.max) return { ...state, successes };
  return { ...state, limit: state.limit + 1, successes: 0, refused: isRefused ? null : state.refused };
}

/**
 * Returns the state after a 429 or 503. Requests sent before the last halving add no information: eight refusals of one
 * burst are one event, not eight halvings.
 *
 * @param sentInGeneration `generation` when the refused request was sent
 * @param refused the number of concurrent requests that a 429 refused; null if the cause may be another
 */
export function afterOverload(state: Concurrency, sentInGeneration: number, refused: number | null): Concurrency {
  if (sentInGeneration < state.generation) return state;
  return {
    ...state,
    // A single request was not refused for its number.
    refused: refused === null || refused < 2 ? state.refused : refused,
    limit: Math.max(1, Math.floor(state.limit / 2)),
    successes: 0,
    generation: state.generation + 1,
  };
}
