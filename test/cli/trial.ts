import type { RunningService } from "#service/index.ts";
import { openService } from "../support/openService.ts";
import { type Home, makeHome } from "./program.ts";

/** The key of the connection. */
export const KEY = { ZENITH_API_KEY: "demo-key" };

export interface Trial {
  readonly service: RunningService;
  readonly home: Home;
}

/**
 * The reference service, and a home with the connection “trial” to it, until the test or the tests of the file have
 * ended.
 *
 * @param commands run afterwards; each has to succeed
 */
export async function openTrial(...commands: readonly (readonly string[])[]): Promise<Trial> {
  const service = await openService();
  return { service, home: await openHome(service, ...commands) };
}

/** A home with the connection “trial” to this service. */
export async function openHome(
  { url }: { readonly url: string },
  ...commands: readonly (readonly string[])[]
): Promise<Home> {
  const home = makeHome();
  await home.json(["connect", url, "--name", "trial"], 0, { env: KEY });
  for (const words of commands) await home.json(words);
  return home;
}
