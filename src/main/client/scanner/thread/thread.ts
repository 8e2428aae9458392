import { Worker } from "node:worker_threads";
import type { Order, Told } from "./messages.ts";

/** The thread's file: a source beside this one, or the bundle that electron-vite makes of it. */
const WORKER = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./scan-worker.js";
/** Bytes that nobody refers to are to be noticed soon: their memory is large, what refers to it small. */
const YOUNG_MB = 4;
/** A thread that nobody needs for so long gives its memory back. */
const IDLE_MS = 10_000;

/** The thread came to its end by itself: what it was reading is lost. */
export class ThreadLost extends Error {
  override readonly name = "ThreadLost";
}

export interface Listener {
  readonly onTold: (told: Told) => void;
  /** Nothing more is told. */
  readonly onLost: (reason: ThreadLost) => void;
}

/** What one body says to the thread. */
export interface Line {
  send(order: Order, moved: readonly ArrayBuffer[]): void;
  close(): void;
}

let running: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
const listeners = new Map<number, Listener>();

/** A line to the thread that scans the bodies of this process. It is started for the first and ends some time after the last. */
export function openLine(id: number, listener: Listener): Line {
  clearTimeout(idle);
  const worker = (running ??= start());
  worker.ref();
  listeners.set(id, listener);
  return {
    send: (order, moved) => worker.postMessage(order, moved),
    close() {
      if (listeners.delete(id) && listeners.size === 0) rest(worker);
    },
  };
}

function start(): Worker {
  const worker = new Worker(new URL(WORKER, import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  worker.on("message", (told: Told) => listeners.get(told.id)?.onTold(told));
  const lose = (why: string): void => {
    if (running !== worker) return;
    running = null;
    const left = [...listeners.values()];
    listeners.clear();
    for (const listener of left) listener.onLost(new ThreadLost(why));
    void worker.terminate();
  };
  worker.on("error", (thrown) => lose(String(thrown)));
  worker.on("exit", (code) => lose(`it ended with ${code}`));
  return worker;
}

function rest(worker: Worker): void {
  // What waits for the next body keeps no program from its end.
  worker.unref();
  idle = setTimeout(() => {
    running = null;
    void worker.terminate();
  }, IDLE_MS).unref();
}
