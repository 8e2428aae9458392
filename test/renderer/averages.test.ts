import { expect, it } from "vitest";
import { availableAverages } from "#renderer/features/fetch/SelectionControls.tsx";

it.each([
  [0, 500, "here"],
  [500, 0, "service"],
  [0, 0, null],
  [20, 500, null],
] as const)(
  "with %i cached means of the service and %i cached observations, available averages are: %s",
  (service, local, by) => {
    expect(availableAverages({ pointsKnown: service }, { pointsKnown: local })).toBe(by);
  },
);
