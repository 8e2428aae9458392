import { setImmediate as otherTurns } from "node:timers/promises";
import type { Db } from "../database/database.ts";
import type { WorkPace } from "../types.ts";

/** Milliseconds of work before other work gets its turn. */
const SLICE_MS = 12;

/**
 * Runs steps that write to `to`, several per transaction, and lets other work run in between.
 *
 * @param span the part of the progress that these steps are, and the total of the numbers that they yield
 * @throws what the signal and the steps throw
 */
export async function runSteps(
  steps: Generator<number | void>,
  to: Db | null,
  span: { readonly from: number; readonly to: number; readonly total: number },
  { onProgress, signal }: WorkPace,
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
