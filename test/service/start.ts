import { onTestFinished } from "vitest";
import { startService, type RunningService, type ServiceOptions } from "#service/index.ts";
import { createWorld } from "#service/world/index.ts";
import { ORGANIZATIONS } from "./organizations.ts";

export { ORGANIZATIONS } from "./organizations.ts";

/** Every test happens at this moment. */
export const NOW = Date.UTC(2026, 5, 15, 12, 0, 0);

/** One world for all tests of a file: it is a pure function. */
export const WORLD = createWorld({ seed: 7 });

/** A service of its own for a test, closed with it. */
export async function started(options: ServiceOptions = {}): Promise<RunningService> {
  const service = await startService({ world: WORLD, now: () => NOW, organizations: ORGANIZATIONS, ...options });
  onTestFinished(() => service.close());
  return service;
}
