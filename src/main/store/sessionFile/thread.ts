import { Worker } from "node:worker_threads";
import { raceTimeout } from "#shared/async.ts";
import { removeCopy } from "../database/copy.ts";
import { StoreError } from "../errors.ts";
import type { ReadAnswer, ReadOrder, ReadSession } from "./messages.ts";
import { damagedSession } from "./read.ts";
import type { Pace } from "./steps.ts";

/** The thread's file: a source beside this one, or the bundle that electron-vite makes of it. */
const WORKER = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./session-worker.js";
/** Of JavaScript's own memory: what needs more is no file of ours. */
const MOST_HEAP_MB = 1_024;
/** How long a thread that was stopped is waited for: one piece of SQLite's work ends before it does. */
const GRACE_MS = 250;

/**
 * Makes a cache file of a session that somebody shared, in a thread: nothing of the file is trusted. Windows are
 * answered meanwhile, and it can be stopped at any moment.
 *
 * @param target a path where nothing is yet
 * @throws StoreError `foreign`, `newer` or `corrupt` with a sentence about the file, one about the disk, and the signal's
 *   reason; nothing is left of an unfinished cache then
 */
export async function readSessionFile(
  path: string,
  name: string,
  target: string,
  { onProgress, signal }: Pace,
): Promise<ReadSession> {
  signal.throwIfAborted();
  const order: ReadOrder = { path, name, target };
  const worker = new Worker(new URL(WORKER, import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadSession>();
  // A thread that is ended while it loads SQLite takes the whole process with it.
  const canEnd = Promise.withResolvers<void>();
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", stop);
  let isEnded = false;
  worker.on("message", (answer: ReadAnswer) => {
    if (answer.kind === "ready") canEnd.resolve();
    else if (answer.kind === "progress") onProgress(answer.share);
    else if (answer.kind === "done") resolve(answer.session);
    else reject(new StoreError(answer.error.kind, answer.error.path, answer.error.message));
  });
  // It ran out of memory, mostly.
  worker.on("error", (thrown) => reject(damagedSession(path, name, thrown)));
  worker.on("exit", (code) => {
    isEnded = true;
    canEnd.resolve();
    reject(damagedSession(path, name, `The thread ended with ${code}.`));
  });
  try {
    const session = await promise;
    onProgress(1);
    return session;
  } catch (thrown) {
    await canEnd.promise;
    await raceTimeout(worker.terminate(), GRACE_MS);
    // Where the last piece of its work goes on for a while, what it wrote goes when that ends.
    if (!isEnded) worker.once("exit", () => removeCopy(target));
    removeCopy(target);
    throw thrown;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
