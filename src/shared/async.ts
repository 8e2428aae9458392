/** Outcome of an attempt: the final result, or the wait before the next attempt. */
export type Attempt<T> = { readonly result: T } | { readonly retryAfterMs: number };

/**
 * Repeats a task until it returns a result or throws.
 *
 * @param task receives the number of previous attempts
 * @param sleep may end early if the caller stops waiting; the next attempt must then return a result or throw
 */
export async function retry<T>(
  task: (attempt: number) => Promise<Attempt<T>>,
  sleep: (ms: number) => Promise<unknown>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await task(attempt);
    if ("result" in outcome) return outcome.result;
    if (outcome.retryAfterMs > 0) await sleep(outcome.retryAfterMs);
  }
}

/** Returns the result of a promise, or `undefined` after `ms` milliseconds. The promise is not cancelled. */
export async function raceTimeout<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const timeout = Promise.withResolvers<undefined>();
  const timer = setTimeout(timeout.resolve, ms, undefined);
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the promise's value, or undefined as soon as the signal aborts. Leaves no listener on the signal. To wait for
 * the abort alone, pass a promise that never settles.
 *
 * @throws the promise's rejection, if it comes before the abort
 */
export function raceCancellation<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => resolve(undefined);
    const unlisten = (): void => signal.removeEventListener("abort", cancel);
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel, { once: true });
    promise.then(resolve, reject).finally(unlisten);
  });
}

/** Returns a function that calls each of these, such as the functions that unsubscribe from several events. */
export function cleanupOf(...cleanups: readonly (() => void)[]): () => void {
  return () => {
    for (const cleanup of cleanups) cleanup();
  };
}
