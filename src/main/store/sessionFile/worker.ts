import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { defined } from "#shared/defined.ts";
import { toStoreError } from "../errors.ts";
import type { ReadAnswer, ReadOrder } from "./messages.ts";
import { copySession } from "./read.ts";

// What a stranger made may take long, or more memory than there is: nobody waits for it, and it ends alone.
const { path, name, target } = workerData as ReadOrder;
const TELL_EVERY_MS = 50;
let toldMs = -Infinity;

// Loads SQLite, which is to be known: see `readSessionFile`.
new Database(":memory:").close();
answer({ kind: "ready" });

try {
  // Whoever stops it ends the thread.
  const signal = new AbortController().signal;
  answer({ kind: "done", session: await copySession(path, name, target, { onProgress: tell, signal }) });
} catch (thrown) {
  const { kind, path: where, message } = toStoreError(target, thrown);
  answer({ kind: "failed", error: { kind, path: where, message } });
}

function tell(share: number): void {
  if (performance.now() - toldMs < TELL_EVERY_MS) return;
  toldMs = performance.now();
  answer({ kind: "progress", share });
}

function answer(message: ReadAnswer): void {
  defined(parentPort).postMessage(message);
}
