import { MessageChannelMain, type MessagePortMain, type UtilityProcess } from "electron";
import type { FileGrant } from "#shared/file/opened.ts";
import { CORE_BEAT, createHeartbeat, type HeartbeatOptions } from "../heartbeat.ts";
import { hideInLog, log } from "../log/index.ts";
import { answerAsked } from "./asking.ts";
import type { CoreOptions, FromCoreProcess, ShellCalls, ToCoreProcess } from "./messages.ts";
import { restartWaitMs } from "./restarts.ts";

/** The core in its own process, started again when it stops. */
export interface Engine {
  /** The window's end of a new way to the core; null while there is none: `onReady` tells when there is. */
  connect(windowId: number): MessagePortMain | null;
  /** Files that the system asked to open; they wait for a core where there is none. */
  offer(paths: readonly string[]): void;
  /** Grants for files that a page was given; rejects where there is no core. */
  grant(paths: readonly string[]): Promise<readonly FileGrant[]>;
  /** Ends a core that does not answer, so that another one is started; leaves one that does alone. */
  restart(): void;
  suspend(): void;
  resume(): void;
  /** After it was given up. */
  startAgain(): void;
  /** Lets the core end in order, and ends it where it takes too long. */
  close(): Promise<void>;
}

export interface EngineOptions {
  readonly fork: () => UtilityProcess;
  readonly core: CoreOptions;
  readonly calls: ShellCalls;
  /** A core is there. `reason` says in a sentence why it is another one; null for the first. */
  readonly onReady: (reason: string | null) => void;
  /** The core no longer answers, or has not answered since its start; or it does again, or is gone. */
  readonly onAnswering: (isAnswering: boolean) => void;
  readonly beat?: Pick<HeartbeatOptions, "beatMs" | "beats" | "firstMs">;
  /** It printed something. */
  readonly onPrinted?: (text: string) => void;
  /** There is none, and there will be none by itself. */
  readonly onGivenUp: (sentence: string) => void;
}

const CLOSE_MS = 8_000;
const NO_ENGINE = "The application's engine is being started again: open the file once more in a moment.";

export function createEngine(options: EngineOptions): Engine {
  let child: UtilityProcess | null = null;
  let isReady = false;
  let isSilent = false;
  /** Its user wants another one. */
  let isUnwanted = false;
  let isClosing = false;
  let ended: (() => void) | null = null;
  const stopsMs: number[] = [];
  let offered: string[] = [];
  const granting = new Map<number, PromiseWithResolvers<readonly FileGrant[]>>();
  let lastGrant = 0;

  function start(reason: string | null): void {
    if (isClosing) return;
    const mine = options.fork();
    let why: string | null = null;
    let hasFailed = false;
    child = mine;
    // From the start on: what hangs may hang before it is ready.
    const heartbeat = createHeartbeat({
      ...(options.beat ?? CORE_BEAT),
      ask: () => post(mine, { kind: "beat" }),
      onChange: tellAnswering,
    });
    mine.on("message", (message: FromCoreProcess) => {
      heartbeat.answered();
      switch (message.kind) {
        case "listening":
          return post(mine, { kind: "start", options: options.core });
        case "ready":
          isReady = true;
          handOffered(mine);
          return options.onReady(reason);
        case "failed":
          hasFailed = true;
          log.error(`the engine cannot start: ${message.message}`);
          mine.kill();
          return options.onGivenUp(message.message);
        case "granted":
          granting.get(message.id)?.resolve(message.grants);
          granting.delete(message.id);
          return;
        case "stopping":
          why = message.message;
          return;
        case "hide":
          return hideInLog(message.key);
        case "beat":
          return;
        case "ask":
          return void answerAsked(options.calls, message).then((answer) => post(mine, answer));
      }
    });
    for (const stream of [mine.stdout, mine.stderr])
      stream?.on("data", (text: Buffer | string) => options.onPrinted?.(String(text)));
    // Without a listener it would end this process too; the exit follows.
    mine.on("error", (type, location) => (why ??= location ? `${type} at ${location}` : type));
    mine.on("exit", (code) => {
      heartbeat.end();
      if (child !== mine) return;
      if (isSilent) tellAnswering(true);
      child = null;
      isReady = false;
      for (const { reject } of granting.values()) reject(new Error(NO_ENGINE));
      granting.clear();
      ended?.();
      // One that is ended here has the exit code 0, whatever ended it.
      if (!isClosing && !hasFailed) stopped(why ?? (isUnwanted ? "it did not answer" : `exit code ${code}`));
      isUnwanted = false;
    });
  }

  function tellAnswering(isAnswering: boolean): void {
    isSilent = !isAnswering;
    log.warn(isAnswering ? "the engine answers again, or is gone" : "the engine does not answer");
    options.onAnswering(isAnswering);
  }

  function stopped(why: string): void {
    const nowMs = Date.now();
    stopsMs.push(nowMs);
    const waitMs = restartWaitMs(stopsMs, nowMs);
    const sentence = `The application's engine stopped (${why}).`;
    log.error(sentence);
    if (waitMs === null) options.onGivenUp(`${sentence} It did so several times within a minute.`);
    else setTimeout(() => start(`${sentence} It was started again; nothing that had arrived is lost.`), waitMs);
  }

  function handOffered(to: UtilityProcess): void {
    if (offered.length > 0) post(to, { kind: "offer", paths: offered });
    offered = [];
  }

  function post(to: UtilityProcess, message: ToCoreProcess): void {
    // What was asked for by a core that is gone is of no use to the next one.
    if (to === child) to.postMessage(message);
  }

  start(null);
  return {
    connect(windowId) {
      if (!child || !isReady) return null;
      const { port1, port2 } = new MessageChannelMain();
      child.postMessage({ kind: "window", windowId } satisfies ToCoreProcess, [port1]);
      return port2;
    },
    offer(paths) {
      offered.push(...paths);
      if (child && isReady) handOffered(child);
    },
    grant(paths) {
      if (!child || !isReady) return Promise.reject(new Error(NO_ENGINE));
      const id = ++lastGrant;
      const waits = Promise.withResolvers<readonly FileGrant[]>();
      granting.set(id, waits);
      post(child, { kind: "grant", id, paths });
      return waits.promise;
    },
    restart() {
      if (!isSilent || !child) return;
      isUnwanted = true;
      child.kill();
    },
    suspend: () => child && post(child, { kind: "suspend" }),
    resume: () => child && post(child, { kind: "resume" }),
    startAgain() {
      stopsMs.length = 0;
      start("The application's engine was started again.");
    },
    async close() {
      isClosing = true;
      const closing = child;
      if (!closing) return;
      const end = new Promise<void>((resolve) => (ended = resolve));
      closing.postMessage({ kind: "close" } satisfies ToCoreProcess);
      const late = setTimeout(() => closing.kill(), CLOSE_MS);
      await end;
      clearTimeout(late);
    },
  };
}
