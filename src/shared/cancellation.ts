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
