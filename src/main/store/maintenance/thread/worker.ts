import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { codeOf, messageOf } from "#shared/fault.ts";
import { defined } from "#shared/defined.ts";
import { checkFile, repairFile } from "../check.ts";
import { compactFile } from "../compact.ts";
import { DamagedData, StoreError } from "../../errors.ts";
import { type ThreadMessage, type ThreadTask, Stopped, type ThreadPace, type ThrownError } from "./messages.ts";

// Entry of the thread that works on whole cache files: reading a gigabyte takes seconds, and SQLite's own part of it is
// one call.
const { work, path, stop } = workerData as ThreadTask;
const TASKS = { check: checkFile, repair: repairFile, compact: compactFile } as const;
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
  const findings = await TASKS[work](path, pace);
  send({ kind: "done", findings: findings ?? null });
} catch (thrown) {
  send(thrown instanceof Stopped ? { kind: "stopped" } : { kind: "failed", thrown: describeError(thrown) });
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
