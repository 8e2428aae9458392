import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { FileGrant } from "#shared/file/opened.ts";
import type { FilePlace } from "../app/files/grants.ts";
import { StoreError } from "../store/errors.ts";
import type { Bounds } from "./bounds.ts";
import type { CoreData, FromCoreThread, ToCoreThread } from "./core.ts";
import { createHeartbeat } from "../heartbeat.ts";
import { hideInLog, log, scrubbedText } from "../log/index.ts";

/** The core in its thread, started again whenever it dies. */
export interface Engine {
  /** An end of a new channel to the core, packed messages on it; waits where the core is being started again. */
  connect(): Promise<MessagePort>;
  /** Leave to open files; none where the core ends meanwhile. */
  grant(places: readonly FilePlace[]): Promise<readonly FileGrant[]>;
  /** Ends the thread as a fault of its own would; false where it does not end: something outside of JavaScript holds it. */
  end(): Promise<boolean>;
  close(): Promise<void>;
}

export interface EngineOptions extends CoreData {
  /** The core as a file; its source by default. */
  readonly coreFile?: string | undefined;
  /** Called when the core has died, with the reason; the channels to it are closed. */
  readonly onDeath: (reason: string) => void;
  /** Called when the core no longer answers, and when it does again. */
  readonly onAnswering: (isAnswering: boolean) => void;
  readonly bounds: Pick<Bounds, "coreBeatMs" | "coreBeats" | "coreFirstMs">;
}

const CORE_SOURCE = join(import.meta.dirname, "core.ts");
/** A core that dies again and again must not take the whole computer with it. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 15_000;
const CLOSE_PATIENCE_MS = 10_000;
/** A core that lived this long was sound. */
const SOUND_MS = 60_000;

/** @throws StoreError where the core cannot open its databases */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { onDeath, onAnswering, bounds, coreFile = CORE_SOURCE, ...data } = options;
  const closing = new AbortController();
  let pauseMs = FIRST_PAUSE_MS;
  /** The thread that there is, its core open or not; null between two. */
  let newest: Worker | null = null;
  let current = start();
  /** While a thread is told to end: it would take a window and drop it. */
  let ending: Promise<boolean> | null = null;

  /** A thread to connect windows to: its core is open, or leaves questions without an answer, which they have to be told. */
  function start(): Promise<Worker> {
    const startedMs = performance.now();
    const worker = new Worker(coreFile, { workerData: data, stderr: true });
    worker.stderr.on("data", notePrinted);
    newest = worker;
    const reached = Promise.withResolvers<Worker>();
    let isReached = false;
    let isSilent = false;
    const reach = (): void => {
      isReached = true;
      reached.resolve(worker);
    };
    const heartbeat = createHeartbeat({
      ask: () => worker.postMessage({ kind: "beat" } satisfies ToCoreThread),
      onChange(isAnswering) {
        isSilent = !isAnswering;
        onAnswering(isAnswering);
        reach();
      },
      beatMs: bounds.coreBeatMs,
      beats: bounds.coreBeats,
      firstMs: bounds.coreFirstMs,
    });
    worker.on("message", (message: FromCoreThread) => {
      heartbeat.answered();
      if (message.kind === "hide") hideInLog(message.key);
      else if (message.kind === "failed") reached.reject(storeErrorOf(message.error));
      else reach();
    });
    whenGone(worker, (reason) => {
      heartbeat.end();
      if (newest === worker) newest = null;
      if (isSilent) onAnswering(true);
      // Before it was open, whoever started it hears of its end.
      if (!isReached) return reached.reject(new Error(`The core ended while it was being started: ${reason}.`));
      if (closing.signal.aborted) return;
      if (performance.now() - startedMs > SOUND_MS) pauseMs = FIRST_PAUSE_MS;
      current = again();
      // Whoever wants to connect hears of it; at other times no one has to.
      current.catch(() => {});
      log.error(`the engine ended: ${reason}`);
      onDeath(reason);
    });
    return reached.promise;
  }

  async function again(): Promise<Worker> {
    for (;;) {
      await sleep(pauseMs, undefined, { signal: closing.signal });
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      const worker = await start().catch(() => null);
      if (worker) return worker;
    }
  }

  await current;
  return {
    async connect() {
      await ending;
      const worker = await current;
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ kind: "window", port: port2 } satisfies ToCoreThread, [port2]);
      return port1;
    },
    async grant(places) {
      const worker = await current;
      const { port1, port2 } = new MessageChannel();
      const answer = new Promise<readonly FileGrant[]>((resolve) => {
        port1.once("message", resolve);
        port1.once("close", () => resolve([]));
      });
      worker.postMessage({ kind: "grant", places, port: port2 } satisfies ToCoreThread, [port2]);
      const grants = await answer;
      port1.close();
      return grants;
    },
    async end() {
      ending = ends(newest ?? (await current)).finally(() => (ending = null));
      return ending;
    },
    async close() {
      closing.abort();
      const worker = newest ?? (await current.catch(() => null));
      if (worker) await closeCore(worker);
    },
  };
}

function notePrinted(text: Buffer): void {
  log.warn(`the engine prints: ${text.toString().trimEnd()}`);
  // Not by a write of its own: that of a program whose terminal is gone ends it.
  console.error(scrubbedText(text.toString()).trimEnd());
}

/** Ends a thread; false where it does not end in time. */
async function ends(worker: Worker): Promise<boolean> {
  const patience = new AbortController();
  const tooLong = sleep(CLOSE_PATIENCE_MS, false, { signal: patience.signal }).catch(() => false);
  const isEnded = await Promise.race([worker.terminate().then(() => true), tooLong]);
  patience.abort();
  return isEnded;
}

/** Lets the core end its work in order; one that does not get there is ended. */
async function closeCore(worker: Worker): Promise<void> {
  const gone = new Promise((resolve) => worker.once("exit", resolve));
  // An ended thread has no number any more, and tells nothing either.
  if (worker.threadId < 0) return;
  worker.postMessage({ kind: "close" } satisfies ToCoreThread);
  const patience = new AbortController();
  const tooLong = sleep(CLOSE_PATIENCE_MS, "late", { signal: patience.signal }).catch(() => null);
  if ((await Promise.race([gone, tooLong])) === "late") await ends(worker);
  patience.abort();
}

function storeErrorOf({ kind, path, message }: Extract<FromCoreThread, { kind: "failed" }>["error"]): StoreError {
  return new StoreError(kind, path, message);
}

/** Calls once, when the thread has ended for whatever reason. */
function whenGone(worker: Worker, tell: (reason: string) => void): void {
  let reason = "the engine ended unexpectedly";
  worker.on("error", (error: unknown) => {
    reason = error instanceof Error ? error.message : String(error);
  });
  worker.once("exit", () => tell(reason));
}
