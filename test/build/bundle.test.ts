import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { createApp as CreateApp } from "../../src/main/app.ts";
import { builtApp } from "../support/build.ts";

function bundle(name: string) {
  return import(pathToFileURL(join(builtApp().main, name)).href);
}

describe("the bundled core", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "zenith-build-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("opens the demo connection and brings the catalogue from the bundled service", async () => {
    const { createApp } = (await bundle("core.js")) as { createApp: typeof CreateApp };
    const { startDemo } = await bundle("demo.js");
    const secrets = {
      get: async () => null,
      set: async () => {},
      delete: async () => {},
      protection: async () => "session" as const,
    };
    const app = createApp({ dataFolder: folder, secrets, startDemo });
    const connection = await app.connections.open(app.connections.demo());
    const catalogue = await app.catalogue(connection, true, new AbortController().signal);
    expect(catalogue.ok && catalogue.value.stations.length).toBeGreaterThanOrEqual(60);
    await app.close();
  });
});
