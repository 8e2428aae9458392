import { afterAll, onTestFinished } from "vitest";
import { type RunningService, startService } from "#service/index.ts";
import { type Home, makeHome } from "./program.ts";

/** The key of the connection. */
export const KEY = { ZENITH_API_KEY: "demo-key" };

export interface Trial {
  readonly service: RunningService;
  readonly home: Home;
}

/**
 * The reference service, and a home with the connection “trial” to it, until the tests of the file have ended.
 *
 * @param commands run afterwards; each has to succeed
 */
export function openTrial(...commands: readonly (readonly string[])[]): Promise<Trial> {
  return open(afterAll, commands);
}

/** The same until the running test has ended. */
export function openTrialOfTest(...commands: readonly (readonly string[])[]): Promise<Trial> {
  return open(onTestFinished, commands);
}

async function open(
  atEnd: (end: () => Promise<void>) => void,
  commands: readonly (readonly string[])[],
): Promise<Trial> {
  const service = await startService();
  const home = makeHome();
  atEnd(async () => {
    await service.close();
    home.remove();
  });
  await home.json(["connect", service.url, "--name", "trial"], 0, { env: KEY });
  for (const words of commands) await home.json(words);
  return { service, home };
}
