import { raceTimeout } from "#shared/async.ts";
import type { FileGrant } from "#shared/file/opened.ts";
import type { FilePlace } from "../app/files/grants.ts";
import { hideInLog, log, scrubbedText } from "../log/index.ts";
import { isReplaced, UPDATED } from "../program.ts";
import { StoreError } from "../store/errors.ts";
import { CORE_HEARTBEAT, Heartbeat, type HeartbeatOptions } from "./heartbeat.ts";
import type { CoreToShell, ShellToCore } from "./shellLink.ts";

/** Events of a core, reported by the shell that started it. */
export interface CoreEvents {
  /** It sent any message. */
  heard(): void;
  message(message: CoreToShell): void;
  printed(text: string): void;
  /** Its process or thread ended, with the reason. */
  exited(reason: string): void;
}

export interface SupervisorOptions<Core> {
  /** Starts a core in another process or thread. */
  readonly spawn: (events: CoreEvents) => Core;
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
const CORE_STARTS = "The application's core is being started again: open the file once more in a moment.";

/** Runs the core in another process or thread, and restarts it when it stops. */
export class Supervisor<Core extends { postMessage(message: ShellToCore): void }> {
  readonly #options: SupervisorOptions<Core>;
  #running: Running<Core> | null = null;
  #reached = deferred<Core>();
  /** Set while a core is being killed, because it would drop new windows. */
  #ending: Promise<boolean> | null = null;
  #restarting: NodeJS.Timeout | undefined;
  #isClosing = false;
  #wasOpen = false;
  #stopsMs: number[] = [];
  readonly #granting = new Map<number, PromiseWithResolvers<readonly FileGrant[]>>();
  #lastGrant = 0;

  constructor(options: SupervisorOptions<Core>) {
    this.#options = options;
    this.#start(null);
  }

  /** The core; null if it is not open. */
  open(): Core | null {
    return this.#running?.isOpen ? this.#running.core : null;
  }

  /**
   * Waits until the core is open, or does not answer. Rejects if the supervisor gave up or was closed.
   *
   * @throws StoreError if it cannot open its databases
   */
  async reached(): Promise<Core> {
    await this.#ending;
    return this.#reached.promise;
  }

  /** Requests grants for files to open; rejects if the core stops meanwhile. */
  async grant(places: readonly FilePlace[]): Promise<readonly FileGrant[]> {
    const core = await this.#reached.promise;
    const id = ++this.#lastGrant;
    const waits = Promise.withResolvers<readonly FileGrant[]>();
    this.#granting.set(id, waits);
    core.postMessage({ kind: "grant", id, places });
    return waits.promise;
  }

  /** Kills a core that does not answer, so that another one is started; otherwise does nothing. False as for `end`. */
  async restart(): Promise<boolean> {
    if (!this.#running?.isSilent) return true;
    this.#running.isUnwanted = true;
    return this.end();
  }

  /** Kills the core; false if it does not end because native code blocks it. */
  async end(): Promise<boolean> {
    if (!this.#running) return true;
    const { core, gone } = this.#running;
    this.#options.kill(core);
    this.#ending = endsInTime(gone).finally(() => (this.#ending = null));
    return this.#ending;
  }

  /** Starts the core after the supervisor gave up. */
  startAgain(): void {
    this.#stopsMs = [];
    this.#reached = deferred();
    this.#start("The application's core was started again.");
  }

  /** Closes the core in order, and kills it if that takes too long. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restarting);
    this.#reached.reject(new Error("The application is closing."));
    if (!this.#running) return;
    const { core, gone } = this.#running;
    core.postMessage({ kind: "close" });
    if (await endsInTime(gone)) return;
    this.#options.kill(core);
    await endsInTime(gone);
  }

  #start(reason: string | null): void {
    let failure: Error | null = null;
    const gone = Promise.withResolvers<true>();
    // Started first, because a core may hang before it is open.
    const heartbeat = new Heartbeat({
      ...(this.#options.beat ?? CORE_HEARTBEAT),
      ping: () => mine.core.postMessage({ kind: "beat" }),
      onChange: (isAnswering) => {
        mine.isSilent = !isAnswering;
        this.#reportAnswering(isAnswering);
        reach();
      },
    });
    const reach = (): void => {
      mine.isReached = true;
      this.#reached.resolve(mine.core);
    };
    const core = this.#options.spawn({
      heard: () => heartbeat.answered(),
      message: (message) => {
        heartbeat.answered();
        switch (message.kind) {
          case "ready":
            this.#wasOpen = mine.isOpen = true;
            reach();
            return this.#options.onReady?.(reason);
          case "failed": {
            const { message: sentence, store } = message;
            failure = store ? new StoreError(store.kind, store.path, sentence) : new Error(sentence);
            return this.#options.kill(core);
          }
          case "granted":
            this.#granting.get(message.id)?.resolve(message.grants);
            return void this.#granting.delete(message.id);
          case "hide":
            return hideInLog(message.key);
          case "beat":
        }
      },
      printed: logPrinted,
      exited: (why) => {
        heartbeat.end();
        if (mine.isSilent) this.#reportAnswering(true);
        if (mine.isReached) this.#reached = deferred();
        this.#running = null;
        for (const { reject } of this.#granting.values()) reject(new Error(CORE_STARTS));
        this.#granting.clear();
        gone.resolve(true);
        if (!this.#isClosing) this.#stopped(failure, mine.isUnwanted ? "it did not answer" : why);
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
    this.#running = mine;
  }

  #stopped(given: Error | null, why: string): void {
    const isUpdated = (this.#options.isReplaced ?? isReplaced)();
    const failure = isUpdated ? new Error(UPDATED) : given;
    const nowMs = Date.now();
    this.#stopsMs.push(nowMs);
    const sentence = failure?.message ?? `The application's core stopped (${why}).`;
    log.error(sentence);
    this.#options.onStopped?.(sentence);
    const waitMs = failure ? null : restartWaitMs(this.#stopsMs, nowMs);
    if (waitMs === null && (this.#options.onGivenUp || !this.#wasOpen || isUpdated)) {
      const last = failure ?? new Error(`${sentence} This happened several times within a minute.`);
      this.#reached.reject(last);
      return this.#options.onGivenUp?.(last.message);
    }
    const again = `${sentence} It was started again. Received data are kept.`;
    this.#restarting = setTimeout((reason) => this.#start(reason), waitMs ?? MAX_WAIT_MS, again);
  }

  #reportAnswering(isAnswering: boolean): void {
    log.warn(isAnswering ? "the core answers again, or is gone" : "the core does not answer");
    this.#options.onAnswering(isAnswering);
  }
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
  log.warn(`the core prints: ${text.trimEnd()}`);
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
