import { Worker } from "node:worker_threads";
import { type Beat, createBeat, watchBeat, workOf } from "./beat.ts";
import type { Answer, Order, QuestionKind, Questions } from "./messages.ts";

/** The thread's file: a source beside this one, or the bundle that electron-vite makes of it. */
const WORKER = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./files-worker.js", import.meta.url);
/** Longer than anything takes that comes to an end: decoding the largest series, on a slow and busy computer. */
const HANG_MS = 60_000;

/** Reads files in a thread of its own, which is there while one is open. */
export interface FileThread {
  /**
   * @throws the signal's reason at once when it is aborted, `FileHangs` where the thread had to be ended over this file,
   *   and another Error where the thread came to its end
   */
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

/** Reading a file did not come to an end: it is not open any more. */
export class FileHangs extends Error {}

export interface FileThreadOptions {
  /** Told when files are not open any more; null: all of them, because the thread came to an end by itself. */
  readonly onLost: (fileIds: readonly string[] | null) => void;
  readonly worker?: URL;
  readonly hangMs?: number;
}

interface Waiting {
  readonly order: Extract<Order, { readonly question: unknown }>;
  readonly answer: PromiseWithResolvers<Questions[QuestionKind]["answer"]>;
}

/** A file that the thread has open, to be opened once more in the next one. */
interface Held {
  readonly question: Questions["open"]["question"];
  readonly contents: string;
}

interface Running {
  readonly worker: Worker;
  readonly endWatch: () => void;
}

export function createFileThread({ onLost, worker: source = WORKER, hangMs = HANG_MS }: FileThreadOptions): FileThread {
  const waiting = new Map<number, Waiting>();
  const held = new Map<string, Held>();
  /** Until they are known to be what they were, nothing is asked of them. */
  const reopening = new Map<string, Promise<void>>();
  let running: Running | null = null;
  let asked = 0;

  function start(): Running {
    const beat = createBeat();
    const worker = new Worker(source, { workerData: { beat } });
    worker.on("message", ({ id, ...told }: Answer) => {
      const question = waiting.get(id);
      waiting.delete(id);
      if (told.kind === "answer") question?.answer.resolve(told.answer);
      else question?.answer.reject(new Error(told.message));
    });
    const lose = (reason: Error): void => {
      if (running?.worker !== worker) return;
      stop(reason);
      held.clear();
      onLost(null);
    };
    worker.on("error", (thrown) => lose(thrown instanceof Error ? thrown : new Error(String(thrown))));
    worker.on("exit", (code) => lose(new Error(`The thread that reads files ended with ${code}.`)));
    // What is open keeps no program from its end.
    worker.unref();
    return { worker, endWatch: watchBeat(beat, hangMs, () => waiting.size > 0 && startAnew(beat)) };
  }

  function stop(reason: Error): void {
    leaveThread();
    for (const { answer } of waiting.values()) answer.reject(reason);
    waiting.clear();
  }

  /** One that hangs in a call of the system may never end: it is left behind. */
  function leaveThread(): void {
    running?.endWatch();
    void running?.worker.terminate();
    running = null;
  }

  /** Ends a thread that hangs. Its other files are opened in the next one, and what was asked of them is asked again. */
  function startAnew(beat: Beat): void {
    const guilty = waiting.get(workOf(beat) ?? -1) ?? firstOpening() ?? waiting.values().next().value!;
    const { fileId } = guilty.order;
    const left = [...waiting.values()].filter(({ order }) => order.fileId !== fileId);
    const lost = [...waiting.values()].filter(({ order }) => order.fileId === fileId);
    leaveThread();
    waiting.clear();
    for (const { answer } of lost) answer.reject(new FileHangs("reading this file did not come to an end"));
    if (held.delete(fileId)) onLost([fileId]);
    for (const [id, file] of held) reopening.set(id, openAgain(id, file));
    for (const question of left) void putAgain(question);
  }

  function firstOpening(): Waiting | undefined {
    return [...waiting.values()].find(({ order }) => order.kind === "open");
  }

  async function openAgain(fileId: string, { question, contents }: Held): Promise<void> {
    const answer = Promise.withResolvers<Questions[QuestionKind]["answer"]>();
    put({ order: { kind: "open", id: asked++, fileId, question }, answer });
    const again = await answer.promise.catch(() => null);
    reopening.delete(fileId);
    // What it was described by is what everybody goes by.
    if (again?.ok && held.has(fileId) && JSON.stringify(again.value) === contents) return;
    if (held.delete(fileId)) onLost([fileId]);
    send({ kind: "close", fileId });
  }

  async function putAgain(question: Waiting): Promise<void> {
    const { fileId, kind } = question.order;
    await reopening.get(fileId);
    if (kind === "open" || held.has(fileId)) put(question);
    else question.answer.reject(new Error("the file is no longer open"));
  }

  function put(question: Waiting): void {
    waiting.set(question.order.id, question);
    send(question.order);
  }

  const send = (order: Order): void => (running ??= start()).worker.postMessage(order);

  return {
    async ask(kind, fileId, question, signal) {
      await reopening.get(fileId);
      signal.throwIfAborted();
      const id = asked++;
      const answer = Promise.withResolvers<Questions[QuestionKind]["answer"]>();
      const give = (): void => {
        waiting.delete(id);
        send({ kind: "stop", id });
        answer.reject(signal.reason);
      };
      signal.addEventListener("abort", give);
      try {
        put({ order: { kind, id, fileId, question } as Waiting["order"], answer });
        const given = (await answer.promise) as Questions[typeof kind]["answer"];
        if (kind === "open" && given.ok)
          held.set(fileId, {
            question: question as Questions["open"]["question"],
            contents: JSON.stringify(given.value),
          });
        return given;
      } finally {
        signal.removeEventListener("abort", give);
      }
    },
    close(fileId) {
      held.delete(fileId);
      running?.worker.postMessage({ kind: "close", fileId } satisfies Order);
    },
    end() {
      stop(new Error("The files were closed."));
      held.clear();
    },
  };
}
