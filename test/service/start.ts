import { onTestFinished } from "vitest";
import { startService, type RunningService, type ServiceOptions } from "#service/index.ts";
import { createWorld } from "#service/world/index.ts";
import { ORGANIZATIONS } from "./organizations.ts";

export { ORGANIZATIONS } from "./organizations.ts";

/** The time of every test. */
export const NOW = Date.UTC(2026, 5, 15, 12, 0, 0);

/** One world for all tests of a file, because it does not change. */
export const WORLD = createWorld({ seed: 7 });

/** Starts a service for a test, which is closed with it. */
export async function started(options: ServiceOptions = {}): Promise<RunningService> {
  const service = await startService({ world: WORLD, now: () => NOW, organizations: ORGANIZATIONS, ...options });
  onTestFinished(() => service.close());
  return service;
}
