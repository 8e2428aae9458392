import { expect, it } from "vitest";
import { raceTimeout, retry } from "#shared/async.ts";

it("retry waits as long as each attempt requests, and does not sleep if that is 0", async () => {
  const waits = [5, 0, 20];
  const slept: number[] = [];
  const result = await retry(
    async (attempt) => (attempt < waits.length ? { retryAfterMs: waits[attempt] ?? 0 } : { result: attempt }),
    async (ms) => slept.push(ms),
  );
  expect({ result, slept }).toEqual({ result: 3, slept: [5, 20] });
});

it("retry does not repeat an attempt that throws", async () => {
  let attempts = 0;
  const throwing = retry<number>(
    async () => {
      attempts++;
      throw new Error("no");
    },
    async () => undefined,
  );
  await expect(throwing).rejects.toThrow("no");
  expect(attempts).toBe(1);
});

it("raceTimeout settles like the promise, or returns undefined after the timeout", async () => {
  expect(await raceTimeout(Promise.resolve(7), 60_000)).toBe(7);
  expect(await raceTimeout(new Promise(() => {}), 1)).toBeUndefined();
  await expect(raceTimeout(Promise.reject(new Error("no")), 60_000)).rejects.toThrow("no");
});
