import { useEffect, useState } from "react";

/** Work that may be interrupted after every piece. */
export type NoWrapParts<T> = Generator<void, T>;

/** Short enough that a slider follows the hand. */
const TURN_MS = 8;
/** A busy window has its figures too. */
const MOST_WAIT_MS = 200;

/** Does the work in turns, so that the window goes on in between. @returns null where it was stopped */
async function inTurns<T>(work: NoWrapParts<T>, signal: AbortSignal): Promise<T | null> {
  // What is on the screen is drawn first.
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: MOST_WAIT_MS }));
  if (signal.aborted) return null;
  for (;;) {
    const untilMs = performance.now() + TURN_MS;
    do {
      const { done, value } = work.next();
      if (done) return value;
    } while (performance.now() < untilMs);
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return null;
  }
}

/** Does all of it at once. */
export function atOnce<T>(work: NoWrapParts<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Entries that are gone through between two looks at the clock. */
export const PIECE = 32_768;

/**
 * What the work comes to, done in turns between frames; the result before stays until the next is there.
 *
 * @param work of `useCallback`: another function is other work
 */
export function useWorked<T>(work: () => NoWrapParts<T>): T | null {
  const [result, setResult] = useState<T | null>(null);
  useEffect(() => {
    const control = new AbortController();
    const run = async (): Promise<void> => {
      const done = await inTurns(work(), control.signal);
      if (done !== null && !control.signal.aborted) setResult(done);
    };
    void run();
    return () => control.abort();
  }, [work]);
  return result;
}
