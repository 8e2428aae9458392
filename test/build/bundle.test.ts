import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
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

  it("opens the demo connection and loads the catalogue from the bundled service", async () => {
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

describe("npm run zenith", () => {
  const root = join(import.meta.dirname, "..", "..");
  const stamp = join(root, "out", ".built-from");
  const { npm_lifecycle_event: _, npm_command: __, ...env } = process.env;

  /** The command that the program suggests, with the file that runs. */
  function suggested(): string {
    const home = mkdtempSync(join(tmpdir(), "zenith-build-"));
    const words = [join(root, "scripts", "run.mjs"), "zenith", "stations", "--data-folder", home];
    const { stderr } = spawnSync(process.execPath, words, { cwd: root, env, encoding: "utf8" });
    rmSync(home, { recursive: true, force: true });
    return stderr.replaceAll("\\", "/");
  }

  it("runs the bundle, or the sources if one of them is newer", () => {
    builtApp();
    expect(suggested()).toContain("node out/main/zenith.js connect");
    const { atime, mtime } = statSync(stamp);
    utimesSync(stamp, new Date(0), new Date(0));
    try {
      expect(suggested()).toContain("node src/main/cli/index.ts connect");
    } finally {
      utimesSync(stamp, atime, mtime);
    }
  });
});
