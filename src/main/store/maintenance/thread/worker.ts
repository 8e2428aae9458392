import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { codeOf, messageOf } from "#shared/thrown.ts";
import { defined } from "#shared/defined.ts";
import { checkFile, repairFile } from "../check.ts";
import { compactFile } from "../compact.ts";
import { DamagedData, StoreError } from "../../errors.ts";
import { type Answer, type Order, Stopped, type ThreadPace, type Thrown } from "./messages.ts";

// Reading a gigabyte takes seconds that no window should wait for, and SQLite's own parts of it are in one piece.
const { work, path, stop } = workerData as Order;
const WORKS = { check: checkFile, repair: repairFile, compact: compactFile } as const;
/** Chunks go by in a tenth of a millisecond; nobody can look that often. */
const TELL_EVERY_MS = 50;
let toldMs = -Infinity;

const pace: ThreadPace = {
  onProgress(share) {
    if (performance.now() - toldMs < TELL_EVERY_MS) return;
    toldMs = performance.now();
    answer({ kind: "progress", share });
  },
  demandGoOn() {
    if (Atomics.load(stop, 0) !== 0) throw new Stopped();
  },
};

// Loads SQLite, which is to be known: see `inThread`.
new Database(":memory:").close();
answer({ kind: "ready" });

try {
  // Stopped meanwhile, it does not open the file: whoever closes it last tidies up its logs.
  pace.demandGoOn();
  const findings = await WORKS[work](path, pace);
  answer({ kind: "done", findings: findings ?? null });
} catch (thrown) {
  answer(thrown instanceof Stopped ? { kind: "stopped" } : { kind: "failed", thrown: thrownOf(thrown) });
}

function answer(message: Answer): void {
  defined(parentPort).postMessage(message);
}

function thrownOf(thrown: unknown): Thrown {
  return {
    message: messageOf(thrown),
    code: codeOf(thrown) || null,
    store: thrown instanceof StoreError ? { kind: thrown.kind, path: thrown.path } : null,
    isDamage: thrown instanceof DamagedData,
  };
}
