import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { raceCancellation } from "#shared/async.ts";

const pending = new Promise<never>(() => {});

describe("raceCancellation", () => {
  it("settles like the promise, and leaves no listener on the signal", async () => {
    const { signal } = new AbortController();
    expect(await raceCancellation(Promise.resolve(1), signal)).toBe(1);
    await expect(raceCancellation(Promise.reject(new Error("why")), signal)).rejects.toThrow("why");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("returns undefined when the signal aborts, immediately if it already has", async () => {
    const controller = new AbortController();
    const raced = raceCancellation(pending, controller.signal);
    controller.abort();
    expect(await raced).toBeUndefined();
    expect(await raceCancellation(pending, controller.signal)).toBeUndefined();
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});
