import { Worker } from "node:worker_threads";
import { type Answer, type Order, READY } from "./messages.ts";

/** The thread's file: a source beside this one, or the bundle that electron-vite makes of it. */
const WORKER = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./netcdf-worker.js";
/** So long the library stays in memory after the last file: another often follows. */
const IDLE_MS = 30_000;

/** Whom answers about a file go to. */
export interface Correspondent {
  take(answer: Answer): void;
  /** The thread itself came to an end. */
  lose(reason: unknown): void;
}

/** The one thread that writes all NetCDF-4 files of this one. */
interface Hdf5Thread {
  readonly worker: Worker;
  readonly files: Map<number, Correspondent>;
  readonly started: Promise<void>;
}

let running: Hdf5Thread | null = null;
let idle: NodeJS.Timeout | null = null;
let lastFile = 0;

/**
 * Starts the thread ahead of its first file, where it will be wanted soon: the library takes a tenth of a second. Resolves
 * when it is there, or gone; nothing needs to wait for it.
 */
export function startHdf5Thread(): Promise<void> {
  running ??= start();
  idle?.refresh();
  return running.started;
}

/** Gives a new file its number, and the way to the thread. */
export function openInThread(correspondent: Correspondent): (order: OrderOf, moved?: ArrayBuffer[]) => void {
  const thread = (running ??= start());
  const file = ++lastFile;
  thread.files.set(file, correspondent);
  if (idle) clearTimeout(idle);
  thread.worker.ref();
  return (order, moved = []) => thread.worker.postMessage({ file, ...order } as Order, moved);
}

type WithoutFile<T> = T extends unknown ? Omit<T, "file"> : never;
/** An order for the file that was opened. */
export type OrderOf = WithoutFile<Order>;

function start(): Hdf5Thread {
  const { promise: started, resolve: tellStarted } = Promise.withResolvers<void>();
  const thread: Hdf5Thread = { worker: new Worker(new URL(WORKER, import.meta.url)), files: new Map(), started };
  const { worker, files } = thread;
  const end = (reason: unknown): void => {
    if (running === thread) running = null;
    tellStarted();
    for (const correspondent of files.values()) correspondent.lose(reason);
    files.clear();
  };
  worker.on("message", (answer: Answer | typeof READY) => {
    if (answer === READY) return tellStarted();
    files.get(answer.file)?.take(answer);
    if (answer.kind === "written") return;
    files.delete(answer.file);
    rest(thread);
  });
  // Until then it keeps the program alive for whoever waits.
  void started.then(() => rest(thread));
  worker.on("error", end);
  worker.on("exit", (code) => end(new Error(`The thread that writes NetCDF-4 ended with ${code}.`)));
  return thread;
}

/** Without a file the thread keeps no program alive, and after a while it gives its memory back. */
function rest(thread: Hdf5Thread): void {
  if (thread.files.size > 0 || running !== thread) return;
  thread.worker.unref();
  if (idle) clearTimeout(idle);
  idle = setTimeout(() => {
    if (running === thread) running = null;
    void thread.worker.terminate();
  }, IDLE_MS).unref();
}
