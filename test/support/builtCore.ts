import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { App, createApp } from "#main/app.ts";

/**
 * Creates the application on a data folder, without keys and without the demo, from the bundle of the core. A separate
 * process loads the bundle in a third of the time of the sources. The test that starts the process builds the bundle.
 */
export async function createBuiltApp(dataFolder: string): Promise<App> {
  const bundle = pathToFileURL(join(import.meta.dirname, "../../out/main/core.js")).href;
  const core = (await import(bundle)) as { readonly createApp: typeof createApp };
  return core.createApp({
    dataFolder,
    secrets: {
      get: async () => null,
      set: async () => {},
      delete: async () => {},
      protection: async () => "session",
    },
    startDemo: () => Promise.reject(new Error("none")),
  });
}
