import { Worker } from "node:worker_threads";
import { raceTimeout } from "#shared/async.ts";
import type { CacheFindings } from "#shared/series/damage.ts";
import { DamagedData, StoreError } from "../../errors.ts";
import type { WorkPace } from "../../types.ts";
import type { Answer, Order, Thrown } from "./messages.ts";

/** The thread's file: a source beside this one, or the bundle that electron-vite makes of it. */
const WORKER = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./cache-worker.js";

/** How long a check that was stopped is waited for. */
const GRACE_MS = 250;

/**
 * Does work on a whole file in a thread; a check and a repair give what they found: whoever reads through another connection is answered meanwhile. A check is over
 * at once when it is stopped: SQLite's look at all pages is one piece, which its thread ends alone, for it only reads.
 *
 * @throws the signal's reason once the work has stopped for it, DamagedData, StoreError, and whatever SQLite throws
 */
export async function inThread(
  work: Order["work"],
  path: string,
  { onProgress, signal }: WorkPace,
): Promise<CacheFindings | null> {
  signal.throwIfAborted();
  const order: Order = { work, path, stop: new Int32Array(new SharedArrayBuffer(4)) };
  const worker = new Worker(new URL(WORKER, import.meta.url), { workerData: order });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  // A thread that is ended while it loads SQLite takes the whole process with it.
  const canEnd = Promise.withResolvers<void>();
  const stop = (): void => {
    Atomics.store(order.stop, 0, 1);
    if (work === "check") resolve({ kind: "stopped" });
  };
  signal.addEventListener("abort", stop);
  try {
    worker.on("message", (answer: Answer) => {
      if (answer.kind === "ready") canEnd.resolve();
      else if (answer.kind === "progress") onProgress(answer.share);
      else resolve(answer);
    });
    worker.on("error", reject);
    worker.on("exit", (code) => {
      canEnd.resolve();
      reject(new Error(`The thread of the cache ended with ${code}.`));
    });
    const end = await promise;
    if (end.kind === "failed") throw errorOf(end.thrown);
    if (end.kind === "stopped") signal.throwIfAborted();
    onProgress(1);
    return end.kind === "done" ? end.findings : null;
  } finally {
    signal.removeEventListener("abort", stop);
    await canEnd.promise;
    const ended = worker.terminate();
    // Mostly it ends at once, and lets whoever closes the file next be the last, who tidies up its logs.
    await (work === "check" && signal.aborted ? raceTimeout(ended, GRACE_MS) : ended);
  }
}

function errorOf({ message, code, store, isDamage }: Thrown): Error {
  if (store) return new StoreError(store.kind, store.path, message);
  if (isDamage) return new DamagedData(message);
  return Object.assign(new Error(message), code === null ? {} : { code });
}
