import { Worker } from "node:worker_threads";
import { raceTimeout } from "#shared/async.ts";
import { removeCopy } from "../database/copy.ts";
import { StoreError } from "../errors.ts";
import type { Pace, ReadMessage, ReadSession, ReadTask } from "./messages.ts";
import { damagedSession } from "./read.ts";

/** The script of the thread: a source file beside this one, or the bundle that electron-vite makes of it. */
const WORKER = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./session-worker.js";
/** Maximum JavaScript heap: none of our files needs more. */
const MAX_HEAP_MB = 1_024;
/** Maximum wait for a stopped thread: a running call of SQLite ends first. */
const GRACE_MS = 250;

/**
 * Creates a cache file from a shared session in a thread. The session is untrusted. It can be stopped at any time.
 *
 * @param target path of a file that does not exist
 * @throws StoreError `foreign`, `newer` or `corrupt` with a sentence about the file, errors of the disk, and the reason
 * of the signal; nothing is left of an unfinished cache then
 */
export async function readSessionFile(
  path: string,
  name: string,
  target: string,
  { onProgress, signal }: Pace,
): Promise<ReadSession> {
  signal.throwIfAborted();
  const order: ReadTask = { path, name, target };
  const worker = new Worker(new URL(WORKER, import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadSession>();
  // A thread that is terminated while it loads SQLite crashes the whole process.
  const isLoaded = Promise.withResolvers<void>();
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", stop);
  let isEnded = false;
  worker.on("message", (message: ReadMessage) => {
    if (message.kind === "ready") isLoaded.resolve();
    else if (message.kind === "progress") onProgress(message.share);
    else if (message.kind === "done") resolve(message.session);
    else reject(new StoreError(message.error.kind, message.error.path, message.error.message));
  });
  // Usually out of memory.
  worker.on("error", (thrown) => reject(damagedSession(path, name, thrown)));
  worker.on("exit", (code) => {
    isEnded = true;
    isLoaded.resolve();
    reject(damagedSession(path, name, `The thread ended with ${code}.`));
  });
  try {
    const session = await promise;
    onProgress(1);
    return session;
  } catch (thrown) {
    await isLoaded.promise;
    await raceTimeout(worker.terminate(), GRACE_MS);
    // If its last call continues for a while, delete the copy again when the thread ends.
    if (!isEnded) worker.once("exit", () => removeCopy(target));
    removeCopy(target);
    throw thrown;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
