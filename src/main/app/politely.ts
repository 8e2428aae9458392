import { setImmediate } from "node:timers/promises";

/** Longest stretch of work before others get the event loop. */
const SLICE_MS = 12;

/** Works through many pieces without holding up the calls of a window. @throws what `each` and the signal throw */
export async function politely<T>(
  pieces: Iterable<T>,
  each: (piece: T) => void,
  signal: AbortSignal | null = null,
): Promise<void> {
  let sliceStart = performance.now();
  for (const piece of pieces) {
    each(piece);
    if (performance.now() - sliceStart < SLICE_MS) continue;
    await setImmediate();
    signal?.throwIfAborted();
    sliceStart = performance.now();
  }
}
