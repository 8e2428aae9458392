/** What one attempt led to: the final result, or how long to wait before the next attempt. */
export type Attempt<T> = { readonly result: T } | { readonly retryAfterMs: number };

/**
 * Attempts a task until it has a result, or throws.
 *
 * @param task told how many attempts there were before
 * @param sleep may end early where the caller waits no longer; the next attempt then has to give a result or throw
 */
export async function retry<T>(
  task: (attempt: number) => Promise<Attempt<T>>,
  sleep: (ms: number) => Promise<unknown>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const made = await task(attempt);
    if ("result" in made) return made.result;
    if (made.retryAfterMs > 0) await sleep(made.retryAfterMs);
  }
}

/** The result of a promise; `undefined` where that takes longer than `ms`. The promise goes on. */
export async function raceTimeout<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, ms, undefined);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
