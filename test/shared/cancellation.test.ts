import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { raceCancellation } from "#shared/cancellation.ts";

const pending = new Promise<never>(() => {});

describe("a promise that is raced against a signal", () => {
  it("gives its value or its error, and leaves no listener", async () => {
    const { signal } = new AbortController();
    expect(await raceCancellation(Promise.resolve(1), signal)).toBe(1);
    await expect(raceCancellation(Promise.reject(new Error("why")), signal)).rejects.toThrow("why");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("gives undefined once the signal aborts, at once where it has already", async () => {
    const controller = new AbortController();
    const raced = raceCancellation(pending, controller.signal);
    controller.abort();
    expect(await raced).toBeUndefined();
    expect(await raceCancellation(pending, controller.signal)).toBeUndefined();
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});
