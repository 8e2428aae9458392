import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AppFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { answerTo, ask, askAgain, askEach, type LoadOptions, pose, type Posed, question } from "#renderer/ask/ask.ts";
import { emit } from "#renderer/bridge/index.ts";

interface Input {
  readonly connectionId: string;
  readonly stationIds: readonly string[];
}

/** A question whose calls the test answers. */
function answeredByHand(restMs = 1_000) {
  const calls: (LoadOptions<string> & { readonly input: Input; reply: (answer: Answer) => Promise<void> })[] = [];
  type Answer = Result<string, AppFault>;
  const asked = question<Input, string>(
    (input, options) =>
      new Promise((resolve) => {
        const reply = async (answer: Answer): Promise<void> => {
          resolve(answer);
          await vi.advanceTimersByTimeAsync(0);
        };
        calls.push({ ...options, input, reply });
      }),
    { staleAfter: ["cacheChanged", "jobChanged"], restMs },
  );
  return {
    calls,
    pose: (...stationIds: string[]): Posed<Input, string> =>
      pose<Input, string>(asked, { connectionId: "c", stationIds }),
  };
}

const FAULT: AppFault = { kind: "disk", message: "The disk is full.", cause: null };
const changed = (...stationIds: string[]): void => emit("cacheChanged", { connectionId: "c", stationIds });
const ignore = (): void => {};
let stops: (() => void)[] = [];
const start = (posed: Posed<Input, string>, delayMs = 0, listener = ignore): (() => void) => {
  const stop = ask(posed, delayMs, listener);
  stops.push(stop);
  return stop;
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  vi.useRealTimers();
});

test("an answer is known under its own input only, however late it arrives", async () => {
  const { calls, pose } = answeredByHand();
  const stopA = start(pose("a"));
  await vi.advanceTimersByTimeAsync(0);
  stopA();
  start(pose("b"));
  await vi.advanceTimersByTimeAsync(0);
  expect(calls[0]?.signal.aborted).toBe(true);
  await calls[0]?.reply(success("of a"));
  expect(answerTo(pose("b"))).toEqual({ value: null, fault: null, isLoading: true });
  await calls[1]?.reply(success("of b"));
  expect(answerTo(pose("b")).value).toBe("of b");
  expect(answerTo(pose("a")).value).toBeNull();
});

test("a failure replaces the value, and asking again replaces the failure", async () => {
  const { calls, pose } = answeredByHand();
  start(pose("a"));
  await vi.advanceTimersByTimeAsync(0);
  await calls[0]?.reply(success("old"));
  changed("a");
  await calls[1]?.reply(failure(FAULT));
  expect(answerTo(pose("a"))).toEqual({ value: null, fault: FAULT, isLoading: false });
  askAgain(pose("a"));
  await calls[2]?.reply(success("new"));
  expect(answerTo(pose("a"))).toEqual({ value: "new", fault: null, isLoading: false });
});

test("parts of a first answer are shown as they arrive; a complete answer stays until the next one is complete", async () => {
  const { calls, pose } = answeredByHand();
  const stop = start(pose("a"));
  await vi.advanceTimersByTimeAsync(0);
  calls[0]?.onPart("half");
  expect(answerTo(pose("a"))).toEqual({ value: "half", fault: null, isLoading: true });
  await calls[0]?.reply(success("whole"));
  changed("a");
  calls[1]?.onPart("half of the next");
  expect(answerTo(pose("a"))).toEqual({ value: "whole", fault: null, isLoading: true });
  await calls[1]?.reply(success("next"));
  expect(answerTo(pose("a")).value).toBe("next");
  stop();
  calls[1]?.onPart("late");
  expect(answerTo(pose("a")).value).toBeNull();
});

test("only changes of its stations and connection make an answer stale, and restarts of the core", async () => {
  const { calls, pose } = answeredByHand(0);
  start(pose("a"));
  await vi.advanceTimersByTimeAsync(0);
  const answered = async (): Promise<number> => {
    await calls.at(-1)?.reply(success(""));
    await vi.advanceTimersByTimeAsync(1);
    return calls.length;
  };
  expect(await answered()).toBe(1);
  changed("b");
  emit("cacheChanged", { connectionId: "other", stationIds: null });
  expect(await answered()).toBe(1);
  changed("b", "a");
  expect(await answered()).toBe(2);
  emit("cacheChanged", { connectionId: "c", stationIds: null });
  expect(await answered()).toBe(3);
  emit("coreRestarted", { reason: "killed" });
  expect(await answered()).toBe(4);
});

test("changes faster than the core neither interrupt its answer nor are lost, and cost a call per rest", async () => {
  const { calls, pose } = answeredByHand(1_000);
  start(pose("a"));
  await vi.advanceTimersByTimeAsync(0);
  await calls[0]?.reply(success("0"));
  for (let i = 0; i < 40; i++) {
    changed("a");
    await vi.advanceTimersByTimeAsync(100);
  }
  // The first call is still under way after 4 s.
  expect(calls).toHaveLength(2);
  expect(calls[1]?.signal.aborted).toBe(false);
  await calls[1]?.reply(success("1"));
  expect(answerTo(pose("a")).value).toBe("1");
  await vi.advanceTimersByTimeAsync(1_000);
  await calls[2]?.reply(success("2"));
  expect(answerTo(pose("a")).value).toBe("2");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(calls).toHaveLength(3);
});

test("two places that ask the same share one call, which the last of them cancels; an input that changes soon costs none", async () => {
  const { calls, pose } = answeredByHand();
  const stop = start(pose("a"), 120);
  await vi.advanceTimersByTimeAsync(100);
  stop();
  const heard = [0, 0];
  const both = [0, 1].map((i) => start(pose("b"), 120, () => heard[i]!++));
  await vi.advanceTimersByTimeAsync(120);
  expect(calls.map(({ input }) => input.stationIds)).toEqual([["b"]]);
  both[0]?.();
  expect(calls[0]?.signal.aborted).toBe(false);
  await calls[0]?.reply(success("shared"));
  expect(heard).toEqual([0, 1]);
  changed("b");
  both[1]?.();
  expect(calls[1]?.signal.aborted).toBe(true);
});

test("a question asked again before its first call is asked once", async () => {
  const { calls, pose } = answeredByHand();
  start(pose("a"), 120);
  askAgain(pose("a"));
  await vi.advanceTimersByTimeAsync(200);
  await calls[0]?.reply(success("of a"));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(calls).toHaveLength(1);
});

test("of pieces in sight, those that stay are not asked again, and those that leave are cancelled", async () => {
  const { calls, pose } = answeredByHand();
  const { want, stop } = askEach<Input, string>(ignore);
  stops.push(stop);
  want([pose("a"), pose("b")]);
  await vi.advanceTimersByTimeAsync(0);
  await calls[1]?.reply(success("of b"));
  want([pose("b"), pose("c")]);
  await vi.advanceTimersByTimeAsync(0);
  expect(calls.map(({ input }) => input.stationIds[0])).toEqual(["a", "b", "c"]);
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
  expect(answerTo(pose("b")).value).toBe("of b");
});
