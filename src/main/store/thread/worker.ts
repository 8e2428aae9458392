import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { codeOf, messageOf } from "#shared/fault.ts";
import { defined } from "#shared/defined.ts";
import { checkFile, repairFile } from "../maintenance/check.ts";
import { compactFile, copyFile } from "../maintenance/compact.ts";
import { salvageFile } from "../maintenance/salvage.ts";
import { DamagedData, Stopped, StoreError } from "../errors.ts";
import { copySession } from "../sessionFile/read.ts";
import type { ThreadPace } from "../types.ts";
import type { ThreadData, ThreadMessage, ThreadResults, ThrownError } from "./messages.ts";

// Entry of the thread that works on whole files: reading a gigabyte takes seconds, SQLite's own part of it is one call,
// and an untrusted file may exhaust memory.
const { task, stop } = workerData as ThreadData;
/** A chunk takes 0.1 ms: reporting each would be too often. */
const REPORT_EVERY_MS = 50;
let reportedMs = -Infinity;

const pace: ThreadPace = {
  onProgress(share) {
    if (performance.now() - reportedMs < REPORT_EVERY_MS) return;
    reportedMs = performance.now();
    send({ kind: "progress", share });
  },
  throwIfStopped() {
    if (Atomics.load(stop, 0) !== 0) throw new Stopped();
  },
};

// Loads SQLite before “ready”: see `runInThread`.
new Database(":memory:").close();
send({ kind: "ready" });

try {
  // If stopped by now, do not open the file: the last connection to close it removes its logs.
  pace.throwIfStopped();
  send({ kind: "done", result: await run() });
} catch (thrown) {
  send(thrown instanceof Stopped ? { kind: "stopped" } : { kind: "failed", thrown: describeError(thrown) });
}

async function run(): Promise<ThreadResults[keyof ThreadResults]> {
  switch (task.work) {
    case "check":
      return checkFile(task.path, pace);
    case "repair":
      return repairFile(task.path, pace);
    case "compact":
      return compactFile(task.path, pace);
    case "copy":
      return copyFile(task.path, task.target, pace);
    case "salvage":
      return salvageFile(task.path, task.target, pace);
    case "session":
      return copySession(task.path, task.name, task.target, pace);
  }
}

function send(message: ThreadMessage): void {
  defined(parentPort).postMessage(message);
}

function describeError(thrown: unknown): ThrownError {
  return {
    message: messageOf(thrown),
    code: codeOf(thrown) || null,
    store: thrown instanceof StoreError ? { kind: thrown.kind, path: thrown.path } : null,
    isDamage: thrown instanceof DamagedData,
  };
}
