import { expect, it } from "vitest";
import { raceTimeout, retry } from "#shared/async.ts";

it("retries after the wait that each attempt asks for, and without a sleep where that is 0", async () => {
  const waits = [5, 0, 20];
  const slept: number[] = [];
  const result = await retry(
    async (attempt) => (attempt < waits.length ? { retryAfterMs: waits[attempt] ?? 0 } : { result: attempt }),
    async (ms) => slept.push(ms),
  );
  expect({ result, slept }).toEqual({ result: 3, slept: [5, 20] });
});

it("does not retry what throws", async () => {
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

it("waits no longer than it was told for a promise, which keeps its failure", async () => {
  expect(await raceTimeout(Promise.resolve(7), 60_000)).toBe(7);
  expect(await raceTimeout(new Promise(() => {}), 1)).toBeUndefined();
  await expect(raceTimeout(Promise.reject(new Error("no")), 60_000)).rejects.toThrow("no");
});
