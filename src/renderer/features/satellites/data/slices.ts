import { useEffect, useState } from "react";

/** Work that can be interrupted at every `yield`. */
export type SlicedWork<T> = Generator<void, T>;

/** Duration of a slice: short enough that sliders stay responsive. */
const SLICE_MS = 8;
/** Maximum wait for the browser to become idle. */
const IDLE_TIMEOUT_MS = 200;

/** Runs work in slices, so that the window stays responsive. @returns null if it was cancelled */
async function runSliced<T>(work: SlicedWork<T>, signal: AbortSignal): Promise<T | null> {
  // Pending drawing comes first.
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: IDLE_TIMEOUT_MS }));
  if (signal.aborted) return null;
  for (;;) {
    const untilMs = performance.now() + SLICE_MS;
    do {
      const { done, value } = work.next();
      if (done) return value;
    } while (performance.now() < untilMs);
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return null;
  }
}

/** Entries processed between two checks of the clock. */
export const ENTRIES_PER_SLICE = 32_768;

/**
 * Returns the result of work that runs in slices; the previous result is kept until the next one is complete.
 *
 * @param work from `useCallback`: a new function starts new work
 */
export function useSlicedWork<T>(work: () => SlicedWork<T>): T | null {
  const [result, setResult] = useState<T | null>(null);
  useEffect(() => {
    const control = new AbortController();
    const run = async (): Promise<void> => {
      const value = await runSliced(work(), control.signal);
      if (value !== null && !control.signal.aborted) setResult(value);
    };
    void run();
    return () => control.abort();
  }, [work]);
  return result;
}
