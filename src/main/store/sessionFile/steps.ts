import { setImmediate as otherTurns } from "node:timers/promises";
import type { Db } from "../database/database.ts";

/** Work between two turns of the others. */
const SLICE_MS = 12;

export interface Pace {
  /** Share of the whole, 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Takes steps that write to `to`, some in one transaction, and lets others have their turn in between.
 *
 * @param span of the share that these steps are, and what the numbers that they give add up to
 * @throws what the signal and the steps throw
 */
export async function takeSteps(
  steps: Generator<number | void>,
  to: Db | null,
  span: { readonly from: number; readonly to: number; readonly total: number },
  { onProgress, signal }: Pace,
): Promise<void> {
  let done = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      to?.exec("BEGIN");
      let isDone = false;
      for (const endMs = performance.now() + SLICE_MS; !isDone && performance.now() < endMs;) {
        const step = steps.next();
        isDone = step.done === true;
        done += isDone ? 0 : (step.value ?? 1);
      }
      to?.exec("COMMIT");
      if (isDone) return;
      onProgress(span.from + (span.to - span.from) * Math.min(1, done / Math.max(1, span.total)));
      await otherTurns();
    }
  } finally {
    steps.return(undefined);
  }
}
