import { EventEmitter, once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import type { CoreToShell, ShellToCore } from "#main/supervisor/shellLink.ts";
import { type CoreEvents, restartWaitMs, Supervisor, type SupervisorOptions } from "#main/supervisor/supervisor.ts";
import { UPDATED } from "#main/program.ts";
import { StoreError } from "#main/store/errors.ts";

/** A core that sends the messages of a test. */
class Core {
  readonly #events: CoreEvents;
  readonly #hangs: boolean;
  constructor(events: CoreEvents, first: CoreToShell | "hangs") {
    this.#events = events;
    this.#hangs = first === "hangs";
    if (first !== "hangs") queueMicrotask(() => events.message(first));
  }
  postMessage(message: ShellToCore): void {
    if (this.#hangs) return;
    if (message.kind === "beat") this.#events.message(message);
    if (message.kind === "close") this.stop("closed");
  }
  stop(reason: string): void {
    queueMicrotask(() => this.#events.exited(reason));
  }
}

const FAILED: CoreToShell = {
  kind: "failed",
  message: "The disk is full.",
  store: { kind: "full", path: "/data/user.db" },
};

describe("the supervisor of the core", () => {
  let supervisor: Supervisor<Core> | null = null;
  afterEach(() => supervisor?.close());

  /** Starts cores with these first messages; later cores are ready at once. */
  function begin(firsts: readonly (CoreToShell | "hangs")[], options: Partial<SupervisorOptions<Core>> = {}) {
    const news = new EventEmitter();
    const reports: string[] = [];
    const report = (what: string): void => {
      reports.push(what);
      news.emit("news");
    };
    const cores: Core[] = [];
    supervisor = new Supervisor<Core>({
      spawn(events) {
        const core = new Core(events, firsts[cores.length] ?? { kind: "ready" });
        cores.push(core);
        return core;
      },
      kill: (core) => core.stop("killed"),
      onReady: (reason) => report(reason === null ? "ready" : `ready: ${reason}`),
      onAnswering: (isAnswering) => report(isAnswering ? "answers" : "silent"),
      ...options,
    });
    const until = async (what: RegExp): Promise<void> => {
      while (!what.test(reports.at(-1) ?? "")) await once(news, "news");
    };
    return { supervisor, cores, reports, report, until };
  }

  it("reports a core that hangs at its start, and restarts it when a window requests it", async () => {
    const { supervisor: made, cores, reports, until } = begin(["hangs"], { beat: { beatMs: 2, beats: 3, firstMs: 5 } });
    await until(/silent/);
    expect(await made.reached()).toBe(cores[0]);
    expect(made.open()).toBeNull();
    expect(await made.restart()).toBe(true);
    await until(/ready/);
    expect(reports).toEqual([
      "silent",
      "answers",
      "ready: The application's core stopped (it did not answer). It was started again. Received data are kept.",
    ]);
    // A core that responds is not restarted.
    expect(await made.restart()).toBe(true);
    expect(cores).toHaveLength(2);
    expect(made.open()).toBe(cores[1]);
  });

  it("passes the next core to a shell that waits, and rejects open calls of the last one", async () => {
    const { supervisor: made, cores } = begin([]);
    const first = await made.reached();
    const grant = made.grant([{ path: "/a.csv" }]);
    first.stop("exit code 9");
    await expect(grant).rejects.toThrow("being started again");
    expect(await made.reached()).toBe(cores[1]);
  });

  it("gives up a core that cannot open its databases, and restarts it on request", async () => {
    const given: string[] = [];
    const { supervisor: made, cores } = begin([FAILED, FAILED], { onGivenUp: (message) => given.push(message) });
    await expect(made.reached()).rejects.toThrow(StoreError);
    made.startAgain();
    await expect(made.reached()).rejects.toMatchObject({ kind: "full", path: "/data/user.db" });
    expect(given).toEqual(["The disk is full.", "The disk is full."]);
    made.startAgain();
    expect(await made.reached()).toBe(cores[2]);
  });

  it("starts no core of another version after an update", async () => {
    const { supervisor: made, cores } = begin([], { isReplaced: () => true });
    (await made.reached()).stop("exit code 1");
    await expect.poll(() => made.reached().then(String, (reason: Error) => reason.message)).toBe(UPDATED);
    expect(cores).toHaveLength(1);
  });

  it("gives up a core that never opened without a handler", async () => {
    const { supervisor: made, cores } = begin([FAILED]);
    await expect(made.reached()).rejects.toThrow("The disk is full.");
    expect(cores).toHaveLength(1);
  });
});

describe("the wait before a restart", () => {
  it("grows, and ends in null after too many restarts", () => {
    const waits = [1, 2, 3, 4, 5].map((times) => restartWaitMs(Array<number>(times).fill(1_000), 1_000));
    expect(waits).toEqual([100, 300, 900, 2_700, null]);
  });

  it("ignores earlier restarts", () => {
    expect(restartWaitMs([0, 1, 2, 3, 70_000], 70_000)).toBe(100);
  });
});
