import { raceTimeout } from "#shared/async.ts";
import type { FileGrant } from "#shared/file/opened.ts";
import type { FilePlace } from "../app/files/grants.ts";
import { hideInLog, log, scrubbedText } from "../log/index.ts";
import { isReplaced, UPDATED } from "../replaced.ts";
import { StoreError } from "../store/errors.ts";
import { CORE_HEARTBEAT, createHeartbeat, type HeartbeatOptions } from "./heartbeat.ts";
import type { FromEngine, ToEngine } from "./shellLink.ts";

/** Events of a core, reported by the shell that started it. */
export interface EngineEvents {
  /** It sent any message. */
  heard(): void;
  message(message: FromEngine): void;
  printed(text: string): void;
  /** Its process or thread ended, with the reason. */
  exited(reason: string): void;
}

export interface SupervisorOptions<Core> {
  /** Starts a core in another process or thread. */
  readonly spawn: (events: EngineEvents) => Core;
  /** Kills its process or thread. */
  readonly kill: (core: Core) => void;
  /** A core is open. `reason`: a sentence about why it was restarted; null for the first one. */
  readonly onReady?: (reason: string | null) => void;
  /** The core stopped, with the reason in a sentence. */
  readonly onStopped?: (sentence: string) => void;
  /** False: the core does not answer. True: it answers again, or has ended. */
  readonly onAnswering: (isAnswering: boolean) => void;
  /**
   * The supervisor stopped trying; only `startAgain` starts another core. Without this handler it never stops trying to
   * start a core that ran before.
   */
  readonly onGivenUp?: (sentence: string) => void;
  /** Whether the files of the program were replaced, so that no other core of this version can be started. */
  readonly isReplaced?: () => boolean;
  readonly beat?: Pick<HeartbeatOptions, "beatMs" | "beats" | "firstMs">;
}

/** Runs the core in another process or thread, and restarts it when it stops. */
export interface Supervisor<Core> {
  /** The core; null if it is not open. */
  open(): Core | null;
  /**
   * Waits until the core is open, or does not answer. Rejects if the supervisor gave up or was closed.
   *
   * @throws StoreError if it cannot open its databases
   */
  reached(): Promise<Core>;
  /** Requests grants for files to open; rejects if the core stops meanwhile. */
  grant(places: readonly FilePlace[]): Promise<readonly FileGrant[]>;
  /** Kills a core that does not answer, so that another one is started; otherwise does nothing. False as for `end`. */
  restart(): Promise<boolean>;
  /** Kills the core; false if it does not end because native code blocks it. */
  end(): Promise<boolean>;
  /** Starts the core after the supervisor gave up. */
  startAgain(): void;
  /** Closes the core in order, and kills it if that takes too long. */
  close(): Promise<void>;
}

/** A core from its start to the end of its process or thread. */
interface Running<Core> {
  readonly core: Core;
  readonly gone: Promise<true>;
  /** Whether it is open, or did not answer at least once. */
  isReached: boolean;
  isOpen: boolean;
  isSilent: boolean;
  /** Whether a user requested a restart. */
  isUnwanted: boolean;
}

const END_MS = 8_000;
const ENGINE_STARTS = "The application's engine is being started again: open the file once more in a moment.";

/** Starts a core, and restarts it whenever it stops. */
export function supervise<Core extends { postMessage(message: ToEngine): void }>(
  options: SupervisorOptions<Core>,
): Supervisor<Core> {
  let running: Running<Core> | null = null;
  let reached = deferred<Core>();
  /** Set while a core is being killed, because it would drop new windows. */
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
    // Started first, because a core may hang before it is open.
    const heartbeat = createHeartbeat({
      ...(options.beat ?? CORE_HEARTBEAT),
      ping: () => mine.core.postMessage({ kind: "beat" }),
      onChange(isAnswering) {
        mine.isSilent = !isAnswering;
        reportAnswering(isAnswering);
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
      printed: logPrinted,
      exited(why) {
        heartbeat.end();
        if (mine.isSilent) reportAnswering(true);
        if (mine.isReached) reached = deferred();
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

  function stopped(given: Error | null, why: string): void {
    const isUpdated = (options.isReplaced ?? isReplaced)();
    const failure = isUpdated ? new Error(UPDATED) : given;
    const nowMs = Date.now();
    stopsMs.push(nowMs);
    const sentence = failure?.message ?? `The application's engine stopped (${why}).`;
    log.error(sentence);
    options.onStopped?.(sentence);
    const waitMs = failure ? null : restartWaitMs(stopsMs, nowMs);
    if (waitMs === null && (options.onGivenUp || !wasOpen || isUpdated)) {
      const last = failure ?? new Error(`${sentence} It did so several times within a minute.`);
      reached.reject(last);
      return options.onGivenUp?.(last.message);
    }
    const again = `${sentence} It was started again; nothing that had arrived is lost.`;
    restarting = setTimeout(start, waitMs ?? MAX_WAIT_MS, again);
  }

  function reportAnswering(isAnswering: boolean): void {
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
      reached = deferred();
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

/** A promise whose rejection need not be handled. */
function deferred<T>(): PromiseWithResolvers<T> {
  const resolvers = Promise.withResolvers<T>();
  resolvers.promise.catch(() => {});
  return resolvers;
}

async function endsInTime(gone: Promise<true>): Promise<boolean> {
  return (await raceTimeout(gone, END_MS)) ?? false;
}

function logPrinted(text: string): void {
  log.warn(`the engine prints: ${text.trimEnd()}`);
  // Not with `stderr.write`, which fails if the terminal was closed.
  console.error(scrubbedText(text).trimEnd());
}

const WINDOW_MS = 60_000;
const MAX_RESTARTS = 4;
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 15_000;

/**
 * How long to wait before the core is restarted, in milliseconds; null if it stopped too often within a minute.
 *
 * @param stopsMs when it stopped, this time included
 */
export function restartWaitMs(stopsMs: readonly number[], nowMs: number): number | null {
  const recent = stopsMs.filter((at) => nowMs - at < WINDOW_MS).length;
  return recent > MAX_RESTARTS ? null : FIRST_WAIT_MS * 3 ** Math.max(0, recent - 1);
}
