import { EventEmitter, once } from "node:events";
import type { UtilityProcess } from "electron";
import { afterEach, expect, it, vi } from "vitest";
import type { FromCoreProcess, ToCoreProcess } from "../../src/main/electron/messages.ts";

// What Electron itself gives: the ways of windows, which are no part of this.
vi.mock("electron", () => ({ MessageChannelMain: null }));
const { createEngine } = await import("../../src/main/electron/engine.ts");

/** A process that says what the test lets it say. */
class Child extends EventEmitter {
  readonly isHanging: boolean;
  constructor(isHanging: boolean) {
    super();
    this.isHanging = isHanging;
  }
  postMessage({ kind }: ToCoreProcess): void {
    if (this.isHanging) return;
    if (kind === "start") this.say({ kind: "ready" });
    if (kind === "beat") this.say({ kind: "beat" });
    if (kind === "close") this.kill();
  }
  say(message: FromCoreProcess): void {
    this.emit("message", message);
  }
  kill(): boolean {
    return queueMicrotask(() => this.emit("exit", 0)) === undefined;
  }
}

let close: (() => Promise<void>) | null = null;
afterEach(() => close?.());

it("a core that hangs before its first word is told, and another one is started where a window asks for it", async () => {
  const news = new EventEmitter();
  const told: string[] = [];
  const reasons: string[] = [];
  const tell = (what: string): void => {
    told.push(what);
    news.emit("news");
  };
  const until = async (what: string): Promise<void> => {
    while (told.at(-1) !== what) await once(news, "news");
  };
  const children: Child[] = [];
  const engine = createEngine({
    fork() {
      const child = new Child(children.length === 0);
      children.push(child);
      if (!child.isHanging) queueMicrotask(() => child.say({ kind: "listening" }));
      return child as unknown as UtilityProcess;
    },
    core: { dataFolder: "/nowhere", components: [], notifications: false },
    calls: {} as never,
    beat: { beatMs: 2, beats: 3, firstMs: 5 },
    onReady(reason) {
      if (reason !== null) reasons.push(reason);
      tell(reason === null ? "ready" : "ready again");
    },
    onAnswering: (isAnswering) => tell(isAnswering ? "answers" : "silent"),
    onGivenUp: () => tell("given up"),
  });
  close = () => engine.close();
  await until("silent");
  engine.restart();
  await until("ready again");
  expect(told).toEqual(["silent", "answers", "ready again"]);
  expect(reasons).toEqual([expect.stringMatching(/^The application's engine stopped \(it did not answer\)\. /)]);
  // One that answers is left alone.
  engine.restart();
  expect(children).toHaveLength(2);
  expect(told.at(-1)).toBe("ready again");
});
