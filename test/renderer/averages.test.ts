import { expect, it, vi } from "vitest";

// The window that the workspace is kept for.
vi.stubGlobal("addEventListener", () => {});
const { availableAverages } = await import("../../src/renderer/features/fetch/averages.ts");

it.each([
  [0, 500, "here"],
  [500, 0, "service"],
  [0, 0, null],
  [20, 500, null],
] as const)("with %i means of the service and %i observations cached, %s", (service, here, by) => {
  expect(availableAverages({ pointsCached: service }, { pointsCached: here })).toBe(by);
});
