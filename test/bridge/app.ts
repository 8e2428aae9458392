import { createApp, type App } from "#main/app.ts";
import { startDemo } from "#main/demo/index.ts";

/** The application without a desktop, with keys in memory. */
export function openApp(dataFolder: string): App {
  const keys = new Map<string, string>();
  return createApp({
    dataFolder,
    startDemo,
    secrets: {
      get: async (id) => keys.get(id) ?? null,
      set: async (id, key) => void keys.set(id, key),
      delete: async (id) => void keys.delete(id),
      protection: async () => "session",
    },
  });
}
