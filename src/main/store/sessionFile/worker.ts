import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { defined } from "#shared/defined.ts";
import { toStoreError } from "../errors.ts";
import type { ReadMessage, ReadTask } from "./messages.ts";
import { copySession } from "./read.ts";

// Entry of the thread that reads an untrusted session file, which may take long or exhaust memory.
const { path, name, target } = workerData as ReadTask;
const REPORT_EVERY_MS = 50;
let reportedMs = -Infinity;

// Loads SQLite before “ready”: see `readSessionFile`.
new Database(":memory:").close();
send({ kind: "ready" });

try {
  // Never aborted: to stop it, the thread is terminated.
  const signal = new AbortController().signal;
  send({ kind: "done", session: await copySession(path, name, target, { onProgress: report, signal }) });
} catch (thrown) {
  const { kind, path: where, message } = toStoreError(target, thrown);
  send({ kind: "failed", error: { kind, path: where, message } });
}

function report(share: number): void {
  if (performance.now() - reportedMs < REPORT_EVERY_MS) return;
  reportedMs = performance.now();
  send({ kind: "progress", share });
}

function send(message: ReadMessage): void {
  defined(parentPort).postMessage(message);
}
