import { Worker } from "node:worker_threads";
import type { Answer, Order, QuestionKind, Questions } from "./messages.ts";

/** The thread's file: a source beside this one, or the bundle that electron-vite makes of it. */
const WORKER = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./files-worker.js";

/** Reads files in a thread of its own, which is there while one is open. */
export interface FileThread {
  /** @throws the signal's reason at once when it is aborted, and an Error where the thread came to its end */
  ask<K extends QuestionKind>(
    kind: K,
    fileId: string,
    question: Questions[K]["question"],
    signal: AbortSignal,
  ): Promise<Questions[K]["answer"]>;
  close(fileId: string): void;
  /** Closes all files, and what still is asked is answered with an error. */
  end(): void;
}

type Waiting = PromiseWithResolvers<Questions[QuestionKind]["answer"]>;

/** @param onLost told when the thread came to an end by itself: no file is open any more */
export function createFileThread(onLost: () => void): FileThread {
  const waiting = new Map<number, Waiting>();
  let running: Worker | null = null;
  let asked = 0;

  function start(): Worker {
    const worker = new Worker(new URL(WORKER, import.meta.url));
    worker.on("message", ({ id, ...told }: Answer) => {
      const question = waiting.get(id);
      waiting.delete(id);
      if (told.kind === "answer") question?.resolve(told.answer);
      else question?.reject(new Error(told.message));
    });
    const lose = (reason: Error): void => {
      if (running !== worker) return;
      stop(reason);
      onLost();
    };
    worker.on("error", (thrown) => lose(thrown instanceof Error ? thrown : new Error(String(thrown))));
    worker.on("exit", (code) => lose(new Error(`The thread that reads files ended with ${code}.`)));
    // What is open keeps no program from its end.
    worker.unref();
    return worker;
  }

  function stop(reason: Error): void {
    const worker = running;
    running = null;
    for (const question of waiting.values()) question.reject(reason);
    waiting.clear();
    void worker?.terminate();
  }

  const send = (order: Order): void => (running ??= start()).postMessage(order);

  return {
    async ask(kind, fileId, question, signal) {
      signal.throwIfAborted();
      const id = asked++;
      const answer = Promise.withResolvers<Questions[QuestionKind]["answer"]>();
      waiting.set(id, answer);
      const give = (): void => {
        waiting.delete(id);
        send({ kind: "stop", id });
        answer.reject(signal.reason);
      };
      signal.addEventListener("abort", give);
      try {
        send({ kind, id, fileId, question } as Order);
        return (await answer.promise) as Questions[typeof kind]["answer"];
      } finally {
        signal.removeEventListener("abort", give);
      }
    },
    close: (fileId) => void running?.postMessage({ kind: "close", fileId } satisfies Order),
    end: () => stop(new Error("The files were closed.")),
  };
}
