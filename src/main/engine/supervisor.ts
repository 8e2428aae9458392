import { raceTimeout } from "#shared/async.ts";
import type { FileGrant } from "#shared/file/opened.ts";
import type { FilePlace } from "../app/files/grants.ts";
import { hideInLog, log, scrubbedText } from "../log/index.ts";
import { StoreError } from "../store/errors.ts";
import { CORE_BEAT, createHeartbeat, type HeartbeatOptions } from "./heartbeat.ts";
import type { FromEngine, ToEngine } from "./shellLink.ts";

/** What a shell tells of a core that it has started. */
export interface EngineEvents {
  /** It said anything at all. */
  heard(): void;
  message(message: FromEngine): void;
  printed(text: string): void;
  /** Its process or thread is gone, with the reason. */
  exited(reason: string): void;
}

export interface SupervisorOptions<Core> {
  /** Starts a core in a process or thread of its own. */
  readonly spawn: (events: EngineEvents) => Core;
  /** Ends its process or thread, without a word to the core. */
  readonly kill: (core: Core) => void;
  /** A core is open. `reason` says in a sentence why it is another one; null for the first. */
  readonly onReady?: (reason: string | null) => void;
  /** The core stopped, with the reason in a sentence. */
  readonly onStopped?: (sentence: string) => void;
  /** The core no longer answers, or has not answered since its start; or it does again, or is gone. */
  readonly onAnswering: (isAnswering: boolean) => void;
  /**
   * The supervisor stopped trying; only `startAgain` starts another core. Without this handler it never stops trying to
   * start a core that ran before.
   */
  readonly onGivenUp?: (sentence: string) => void;
  readonly beat?: Pick<HeartbeatOptions, "beatMs" | "beats" | "firstMs">;
}

/** The core in a process or thread of its own, started again when it stops. */
export interface Supervisor<Core> {
  /** The core where it is open; null where it is not. */
  open(): Core | null;
  /**
   * The core as soon as it is open, or does not answer. Rejects where it was given up, or closed.
   * @throws StoreError where it cannot open its databases
   */
  reached(): Promise<Core>;
  /** Grants for files to open; rejects where the core stops meanwhile. */
  grant(places: readonly FilePlace[]): Promise<readonly FileGrant[]>;
  /** Ends a core that does not answer, so that another one is started, and leaves one that does alone. False as `end`. */
  restart(): Promise<boolean>;
  /** Ends the core as a fault of its own would; false where it does not end: something outside of JavaScript holds it. */
  end(): Promise<boolean>;
  /** After it was given up. */
  startAgain(): void;
  /** Lets the core end in order, and ends it where it takes too long. */
  close(): Promise<void>;
}

/** A core that was started, until its process or thread is gone. */
interface Running<Core> {
  readonly core: Core;
  readonly gone: Promise<true>;
  /** It is open, or was silent at least once. */
  isReached: boolean;
  isOpen: boolean;
  isSilent: boolean;
  /** A user wants another one. */
  isUnwanted: boolean;
}

const END_MS = 8_000;
const ENGINE_STARTS = "The application's engine is being started again: open the file once more in a moment.";

/** Starts a core, and another one whenever it stops. */
export function supervise<Core extends { postMessage(message: ToEngine): void }>(
  options: SupervisorOptions<Core>,
): Supervisor<Core> {
  let running: Running<Core> | null = null;
  let reached = later<Core>();
  /** While a core is being ended: it would take a window and drop it. */
  let ending: Promise<boolean> | null = null;
  let restarting: NodeJS.Timeout | undefined;
  let isClosing = false;
  let wasOpen = false;
  let stopsMs: number[] = [];
  const granting = new Map<number, PromiseWithResolvers<readonly FileGrant[]>>();
  let lastGrant = 0;

  function start(reason: string | null): void {
    let failure: Error | null = null;
    const gone = Promise.withResolvers<true>();
    // From the start on: what hangs may hang before it is open.
    const heartbeat = createHeartbeat({
      ...(options.beat ?? CORE_BEAT),
      ask: () => mine.core.postMessage({ kind: "beat" }),
      onChange(isAnswering) {
        mine.isSilent = !isAnswering;
        tellAnswering(isAnswering);
        reach();
      },
    });
    const reach = (): void => {
      mine.isReached = true;
      reached.resolve(mine.core);
    };
    const core = options.spawn({
      heard: heartbeat.answered,
      message(message) {
        heartbeat.answered();
        switch (message.kind) {
          case "ready":
            wasOpen = mine.isOpen = true;
            reach();
            return options.onReady?.(reason);
          case "failed": {
            const { message: sentence, store } = message;
            failure = store ? new StoreError(store.kind, store.path, sentence) : new Error(sentence);
            return options.kill(core);
          }
          case "granted":
            granting.get(message.id)?.resolve(message.grants);
            return void granting.delete(message.id);
          case "hide":
            return hideInLog(message.key);
          case "beat":
        }
      },
      printed: notePrinted,
      exited(why) {
        heartbeat.end();
        if (mine.isSilent) tellAnswering(true);
        if (mine.isReached) reached = later();
        running = null;
        for (const { reject } of granting.values()) reject(new Error(ENGINE_STARTS));
        granting.clear();
        gone.resolve(true);
        if (!isClosing) stopped(failure, mine.isUnwanted ? "it did not answer" : why);
      },
    });
    const mine: Running<Core> = {
      core,
      gone: gone.promise,
      isReached: false,
      isOpen: false,
      isSilent: false,
      isUnwanted: false,
    };
    running = mine;
  }

  function stopped(failure: Error | null, why: string): void {
    const nowMs = Date.now();
    stopsMs.push(nowMs);
    const sentence = failure?.message ?? `The application's engine stopped (${why}).`;
    log.error(sentence);
    options.onStopped?.(sentence);
    const waitMs = failure ? null : restartWaitMs(stopsMs, nowMs);
    if (waitMs === null && (options.onGivenUp || !wasOpen)) {
      const last = failure ?? new Error(`${sentence} It did so several times within a minute.`);
      reached.reject(last);
      return options.onGivenUp?.(last.message);
    }
    const again = `${sentence} It was started again; nothing that had arrived is lost.`;
    restarting = setTimeout(start, waitMs ?? LONGEST_WAIT_MS, again);
  }

  function tellAnswering(isAnswering: boolean): void {
    log.warn(isAnswering ? "the engine answers again, or is gone" : "the engine does not answer");
    options.onAnswering(isAnswering);
  }

  async function end(): Promise<boolean> {
    if (!running) return true;
    const { core, gone } = running;
    options.kill(core);
    ending = endsInTime(gone).finally(() => (ending = null));
    return ending;
  }

  start(null);
  return {
    open: () => (running?.isOpen ? running.core : null),
    async reached() {
      await ending;
      return reached.promise;
    },
    async grant(places) {
      const core = await reached.promise;
      const id = ++lastGrant;
      const waits = Promise.withResolvers<readonly FileGrant[]>();
      granting.set(id, waits);
      core.postMessage({ kind: "grant", id, places });
      return waits.promise;
    },
    async restart() {
      if (!running?.isSilent) return true;
      running.isUnwanted = true;
      return end();
    },
    end,
    startAgain() {
      stopsMs = [];
      reached = later();
      start("The application's engine was started again.");
    },
    async close() {
      isClosing = true;
      clearTimeout(restarting);
      reached.reject(new Error("The application is closing."));
      if (!running) return;
      const { core, gone } = running;
      core.postMessage({ kind: "close" });
      if (await endsInTime(gone)) return;
      options.kill(core);
      await endsInTime(gone);
    },
  };
}

/** A promise that nobody has to wait for. */
function later<T>(): PromiseWithResolvers<T> {
  const made = Promise.withResolvers<T>();
  made.promise.catch(() => {});
  return made;
}

async function endsInTime(gone: Promise<true>): Promise<boolean> {
  return (await raceTimeout(gone, END_MS)) ?? false;
}

function notePrinted(text: string): void {
  log.warn(`the engine prints: ${text.trimEnd()}`);
  // Not by a write of its own: that of a program whose terminal is gone ends it.
  console.error(scrubbedText(text).trimEnd());
}

const WINDOW_MS = 60_000;
const MOST_RESTARTS = 4;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 15_000;

/**
 * How long to wait before the core is started again, in milliseconds; null where it stopped so often within a minute
 * that starting it again would only go on like that.
 *
 * @param stopsMs when it stopped, this time included
 */
export function restartWaitMs(stopsMs: readonly number[], nowMs: number): number | null {
  const recent = stopsMs.filter((at) => nowMs - at < WINDOW_MS).length;
  return recent > MOST_RESTARTS ? null : FIRST_WAIT_MS * 3 ** Math.max(0, recent - 1);
}
