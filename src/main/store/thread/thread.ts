import { Worker } from "node:worker_threads";
import { raceTimeout } from "#shared/async.ts";
import { removeCopy, unfinishedOf } from "../database/copy.ts";
import { bytesOfFile } from "../database/statistics.ts";
import { DamagedData, StoreError } from "../errors.ts";
import { copiedShare } from "../maintenance/compact.ts";
import type { Salvaged } from "../maintenance/salvage.ts";
import { damagedSession, type ReadSession } from "../sessionFile/form.ts";
import type { WorkPace } from "../types.ts";
import type {
  CopyTask,
  ThreadData,
  ThreadEnd,
  ThreadMessage,
  ThreadResults,
  ThreadTask,
  ThrownError,
} from "./messages.ts";

/** The script of the thread: a source file beside this one, or the bundle that electron-vite makes of it. */
const WORKER = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./store-worker.js";

/** Maximum JavaScript heap for an untrusted file: none of our files needs more. */
const MAX_HEAP_MB = 1_024;
/** Milliseconds between two looks at the size of the dense copy. */
const POLL_MS = 100;
/** Maximum wait for the end of a stopped thread that may be left alone: a running call of SQLite ends first. */
const GRACE_MS = 250;

/** Compacts or copies a file in a thread, and reports the size of the copy while the thread cannot report its progress. */
export async function copyInThread(task: CopyTask, usedBytes: number, { onProgress, signal }: WorkPace): Promise<void> {
  let furthest = 0;
  const report = (share: number): void => {
    furthest = Math.max(furthest, share);
    onProgress(furthest);
  };
  const copy = unfinishedOf(task.work === "copy" ? task.target : task.path);
  const poll = setInterval(() => report(copiedShare(bytesOfFile(copy), usedBytes)), POLL_MS);
  try {
    await runInThread(task, { onProgress: report, signal });
  } finally {
    clearInterval(poll);
  }
}

/**
 * Creates an unfinished cache file from a shared session in a thread, for `finishCopy`. The session is untrusted. It can
 * be stopped at any time.
 *
 * @param target path of a file that does not exist
 * @throws StoreError `foreign`, `newer` or `corrupt` with a sentence about the file, errors of the disk, and the reason
 * of the signal; nothing is left of an unfinished cache then
 */
export async function readSessionFile(
  path: string,
  name: string,
  target: string,
  pace: WorkPace,
): Promise<ReadSession> {
  let hasFailed = false;
  // If the last call of a stopped thread continues for a while, the copy is deleted again when the thread ends.
  const onExit = (): void => void (hasFailed && removeCopy(target));
  try {
    const read = await runInThread({ work: "session", path, name, target }, pace, onExit);
    // A stop at the last report holds, however fast the thread was.
    pace.signal.throwIfAborted();
    return read;
  } catch (thrown) {
    hasFailed = true;
    removeCopy(target);
    // Usually out of memory.
    throw pace.signal.aborted || thrown instanceof StoreError ? thrown : damagedSession(path, name, thrown);
  }
}

/** Copies what is intact of a damaged cache in a thread, until its end or a stop; see `salvageFile`. */
export async function salvage(path: string, target: string, pace: WorkPace): Promise<Salvaged> {
  if (pace.signal.aborted) return { rows: 0, lostRows: null };
  return runInThread({ work: "salvage", path, target }, pace);
}

/**
 * Works on a whole file in a thread, while other connections can read it. A stopped check returns at once: SQLite checks
 * all pages in one call, which its thread ends alone, because it only reads.
 *
 * @param onExit called when the thread has ended, which may be after a stopped task
 * @throws the reason of the signal when it aborts, DamagedData, StoreError, and what SQLite throws
 */
export async function runInThread<W extends ThreadTask["work"]>(
  task: ThreadTask & { readonly work: W },
  { onProgress, signal }: WorkPace,
  onExit = (): void => {},
): Promise<ThreadResults[W]> {
  signal.throwIfAborted();
  const data: ThreadData = { task, stop: new Int32Array(new SharedArrayBuffer(4)) };
  const worker = new Worker(new URL(WORKER, import.meta.url), {
    workerData: data,
    ...(task.work === "session" ? { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } } : {}),
  });
  const { promise, resolve, reject } = Promise.withResolvers<ThreadEnd>();
  // A thread that is terminated while it loads SQLite crashes the whole process.
  const isLoaded = Promise.withResolvers<void>();
  const mayBeLeft = task.work === "check" || task.work === "session";
  const stop = (): void => {
    Atomics.store(data.stop, 0, 1);
    if (mayBeLeft) resolve({ kind: "stopped" });
  };
  signal.addEventListener("abort", stop);
  try {
    worker.on("message", (message: ThreadMessage) => {
      if (message.kind === "ready") isLoaded.resolve();
      else if (message.kind === "progress") onProgress(message.share);
      else resolve(message);
    });
    worker.on("error", reject);
    worker.on("exit", (code) => {
      isLoaded.resolve();
      reject(new Error(`The thread ended with ${code}.`));
      onExit();
    });
    const end = await promise;
    if (end.kind === "failed") throw errorOf(end.thrown);
    if (end.kind === "stopped") throw signal.reason;
    onProgress(1);
    return end.result as ThreadResults[W];
  } finally {
    signal.removeEventListener("abort", stop);
    await isLoaded.promise;
    const ended = worker.terminate();
    // It usually ends at once, so that the connection that closes the file next is the last one and removes its logs.
    await (mayBeLeft && signal.aborted ? raceTimeout(ended, GRACE_MS) : ended);
  }
}

function errorOf({ message, code, store, isDamage }: ThrownError): Error {
  if (store) return new StoreError(store.kind, store.path, message);
  if (isDamage) return new DamagedData(message);
  return Object.assign(new Error(message), code === null ? {} : { code });
}
