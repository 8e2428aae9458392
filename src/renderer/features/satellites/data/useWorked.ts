import { useEffect, useState } from "react";
import { inTurns, type Pieces } from "./slices.ts";

/**
 * What the work comes to, done in turns between frames; the result before stays until the next is there.
 *
 * @param work of `useCallback`: another function is other work
 */
export function useWorked<T>(work: () => Pieces<T>): T | null {
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
