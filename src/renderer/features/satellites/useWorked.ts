import { useEffect, useRef, useState } from "react";
import { inTurns, type Pieces } from "./slices.ts";

/**
 * What the work comes to, done in turns between frames; the result before stays until the next is there.
 *
 * @param inputs as of `useMemo`: the work is done again when one of them changes
 */
export function useWorked<T>(work: () => Pieces<T>, inputs: readonly unknown[]): T | null {
  const [result, setResult] = useState<T | null>(null);
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    const control = new AbortController();
    const run = async (): Promise<void> => {
      const done = await inTurns(latest.current(), control.signal);
      if (done !== null && !control.signal.aborted) setResult(done);
    };
    void run();
    return () => control.abort();
  }, inputs);
  return result;
}
