import { setImmediate } from "node:timers/promises";

/** Longest time without yielding to the event loop. */
const SLICE_MS = 12;

/** Calls `each` for many items, yielding to calls of windows in between. @throws errors of `each`, and the signal's reason */
export async function forEachYielding<T>(
  items: Iterable<T>,
  each: (item: T) => void,
  signal: AbortSignal | null = null,
): Promise<void> {
  let sliceStart = performance.now();
  for (const item of items) {
    each(item);
    if (performance.now() - sliceStart < SLICE_MS) continue;
    await setImmediate();
    signal?.throwIfAborted();
    sliceStart = performance.now();
  }
}
