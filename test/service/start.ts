import { onTestFinished } from "vitest";
import { startService, type OrganizationOptions, type RunningService, type ServiceOptions } from "#service/index.ts";
import { createWorld } from "#service/world/index.ts";

/** Every test happens at this moment. */
export const NOW = Date.UTC(2026, 5, 15, 12, 0, 0);

/** a may see and ask everything; b is narrow in every way. */
export const ORGANIZATIONS: readonly OrganizationOptions[] = [
  { key: "key-a", name: "a", owner: "aurora", maxPoints: null, maxConcurrent: 100 },
  {
    key: "key-b",
    name: "b",
    owner: "meridian",
    networks: ["BMAST"],
    hasLocation: false,
    maxPoints: 1_000,
    maxConcurrent: 2,
  },
];

/** One world for all tests of a file: it is a pure function. */
export const WORLD = createWorld({ seed: 7 });

/** A service of its own for a test, closed with it. */
export async function started(options: ServiceOptions = {}): Promise<RunningService> {
  const service = await startService({ world: WORLD, now: () => NOW, organizations: ORGANIZATIONS, ...options });
  onTestFinished(() => service.close());
  return service;
}
