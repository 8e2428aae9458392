import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { createApp as CreateApp } from "../../src/main/app.ts";
import { tool } from "../../scripts/tools.ts";

const root = join(import.meta.dirname, "..", "..");

function bundle(name: string) {
  return import(pathToFileURL(join(root, "out", "test", "main", name)).href);
}

describe("the bundled core", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "zenith-build-"));
    const done = spawnSync(process.execPath, [tool("electron-vite"), "build", "--outDir", join(root, "out", "test")], {
      cwd: root,
      encoding: "utf8",
    });
    if (done.status !== 0) throw new Error(done.stdout + done.stderr);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(join(root, "out", "test"), { recursive: true, force: true });
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
