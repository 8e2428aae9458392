import { expect, it } from "vitest";
import { raceCancellation, raceTimeout, retry } from "#shared/async.ts";

const never = new Promise<never>(() => {});

it("retry waits as long as each attempt requests, and does not sleep if that is 0", async () => {
  const waits = [5, 0, 20];
  const slept: number[] = [];
  const result = await retry(
    async (attempt) => (attempt < waits.length ? { retryAfterMs: waits[attempt] ?? 0 } : { result: attempt }),
    async (ms) => slept.push(ms),
  );
  expect({ result, slept }).toEqual({ result: 3, slept: [5, 20] });
});

it("raceTimeout settles like the promise, or returns undefined after the timeout", async () => {
  expect(await raceTimeout(Promise.resolve(7), 60_000)).toBe(7);
  expect(await raceTimeout(never, 1)).toBeUndefined();
  await expect(raceTimeout(Promise.reject(new Error("no")), 60_000)).rejects.toThrow("no");
});

it("raceCancellation returns undefined when the signal aborts, immediately if it already has", async () => {
  const controller = new AbortController();
  const raced = raceCancellation(never, controller.signal);
  controller.abort();
  expect(await raced).toBeUndefined();
  expect(await raceCancellation(never, controller.signal)).toBeUndefined();
});
