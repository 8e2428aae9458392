import { setImmediate as otherTurns } from "node:timers/promises";
import type { Db } from "../database/database.ts";
import type { StoreErrorKind } from "../errors.ts";
import type { SessionContents, SessionManifest } from "./form.ts";

/** Milliseconds of work before other work gets its turn. */
const SLICE_MS = 12;

export interface Pace {
  /** Receives the completed share, 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

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

/** A shared session, for the thread that creates a cache from it. */
export interface ReadTask {
  readonly path: string;
  /** Name of the file for messages. */
  readonly name: string;
  /** Path of a file that does not exist. */
  readonly target: string;
}

export interface ReadSession {
  readonly manifest: SessionManifest;
  readonly contents: SessionContents;
}

export type ReadMessage =
  /** SQLite is loaded. */
  | { readonly kind: "ready" }
  | { readonly kind: "progress"; readonly share: number }
  | { readonly kind: "done"; readonly session: ReadSession }
  | {
      readonly kind: "failed";
      readonly error: { readonly kind: StoreErrorKind; readonly path: string; readonly message: string };
    };
