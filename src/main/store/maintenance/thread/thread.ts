import { Worker } from "node:worker_threads";
import { raceTimeout } from "#shared/async.ts";
import type { CacheFindings } from "#shared/series/cache.ts";
import { sizeOf } from "../../database/database.ts";
import { DamagedData, StoreError } from "../../errors.ts";
import { copiedShare, denseCopyOf } from "../compact.ts";
import type { WorkPace } from "../../types.ts";
import type { ThreadMessage, ThreadTask, ThrownError } from "./messages.ts";

/** The script of the thread: a source file beside this one, or the bundle that electron-vite makes of it. */
const WORKER = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./cache-worker.js";

/** Milliseconds between two looks at the size of the dense copy. */
const POLL_MS = 100;
/** Maximum wait for the end of a thread whose check was stopped. */
const GRACE_MS = 250;

/**
 * Checks, repairs or compacts a whole file in a thread, while other connections can read it. A check and a repair
 * return their findings. A stopped check returns at once: SQLite checks all pages in one call, which its thread ends
 * alone, because it only reads.
 *
 * @throws the reason of the signal when it aborts, DamagedData, StoreError, and what SQLite throws
 */
export async function runInThread(
  work: ThreadTask["work"],
  path: string,
  { onProgress, signal }: WorkPace,
): Promise<CacheFindings | null> {
  signal.throwIfAborted();
  const task: ThreadTask = { work, path, stop: new Int32Array(new SharedArrayBuffer(4)) };
  const worker = new Worker(new URL(WORKER, import.meta.url), { workerData: task });
  const { promise, resolve, reject } = Promise.withResolvers<ThreadMessage>();
  // A thread that is terminated while it loads SQLite crashes the whole process.
  const isLoaded = Promise.withResolvers<void>();
  const stop = (): void => {
    Atomics.store(task.stop, 0, 1);
    if (work === "check") resolve({ kind: "stopped" });
  };
  signal.addEventListener("abort", stop);
  try {
    worker.on("message", (answer: ThreadMessage) => {
      if (answer.kind === "ready") isLoaded.resolve();
      else if (answer.kind === "progress") onProgress(answer.share);
      else resolve(answer);
    });
    worker.on("error", reject);
    worker.on("exit", (code) => {
      isLoaded.resolve();
      reject(new Error(`The thread of the cache ended with ${code}.`));
    });
    const end = await promise;
    if (end.kind === "failed") throw errorOf(end.thrown);
    if (end.kind === "stopped") signal.throwIfAborted();
    onProgress(1);
    return end.kind === "done" ? end.findings : null;
  } finally {
    signal.removeEventListener("abort", stop);
    await isLoaded.promise;
    const ended = worker.terminate();
    // It usually ends at once, so that the connection that closes the file next is the last one and removes its logs.
    await (work === "check" && signal.aborted ? raceTimeout(ended, GRACE_MS) : ended);
  }
}

/** Compacts a file in a thread and reports the size of the dense copy while the thread cannot report its progress. */
export async function compactInThread(
  path: string,
  usedBytes: number,
  { onProgress, signal }: WorkPace,
): Promise<void> {
  let furthest = 0;
  const report = (share: number): void => {
    furthest = Math.max(furthest, share);
    onProgress(furthest);
  };
  const poll = setInterval(() => report(copiedShare(sizeOf(denseCopyOf(path)), usedBytes)), POLL_MS);
  try {
    await runInThread("compact", path, { onProgress: report, signal });
  } finally {
    clearInterval(poll);
  }
}

function errorOf({ message, code, store, isDamage }: ThrownError): Error {
  if (store) return new StoreError(store.kind, store.path, message);
  if (isDamage) return new DamagedData(message);
  return Object.assign(new Error(message), code === null ? {} : { code });
}
