import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { createApp as CreateApp } from "#main/app.ts";
import { builtApp } from "../support/build.ts";
import { WINDOWS_LACKS } from "../support/needs.ts";
import { scratchFolder } from "../support/folder.ts";

function bundle(name: string) {
  return import(pathToFileURL(join(builtApp().main, name)).href);
}

/** Kills whatever is left of a process and its children. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // All have ended.
  }
}

describe("the bundled core", () => {
  const folder = scratchFolder();

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
    const home = scratchFolder();
    const words = [join(root, "scripts", "run.mjs"), "zenith", "stations", "--data-folder", home];
    const { stderr } = spawnSync(process.execPath, words, { cwd: root, env, encoding: "utf8" });
    return stderr.replaceAll("\\", "/");
  }

  it("ends its program when npm is stopped", async ({ signal, skip }) => {
    if (WINDOWS_LACKS !== null) skip(WINDOWS_LACKS);
    const words = ["run", "-s", "zenith", "--", "service", "--port", "0"];
    const npm = spawn("npm", words, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
    try {
      await once(npm.stdout, "data", { signal });
      npm.stdout.resume();
      npm.kill("SIGTERM");
      // All processes that could still write have ended.
      expect(await once(npm.stdout, "close", { signal })).toEqual([false]);
    } finally {
      endGroup(npm);
    }
  });

  it("builds the window before it serves it, in a clone without a build", () => {
    // Stands for a clone: the same starter, with programs that print their names.
    const clone = scratchFolder();
    const write = (path: string, text: string): void => {
      mkdirSync(join(clone, path, ".."), { recursive: true });
      writeFileSync(join(clone, path), text);
    };
    cpSync(join(root, "scripts", "run.mjs"), join(clone, "scripts", "run.mjs"), { recursive: true });
    cpSync(join(root, "scripts", "web.ts"), join(clone, "scripts", "web.ts"));
    write("package.json", '{ "type": "module" }');
    write("package-lock.json", "{}");
    write(
      "scripts/build.ts",
      'export const BUNDLED_CLI = "../src/main/cli/index.ts";\nexport const ensureBuilt = () => console.log("build");',
    );
    write("src/main/cli/index.ts", 'console.log("run", ...process.argv.slice(2));');
    const ran = (...words: string[]): string => {
      const args = [join(clone, "scripts", "run.mjs"), "zenith", ...words];
      return spawnSync(process.execPath, args, { cwd: clone, env, encoding: "utf8" }).stdout;
    };
    expect(ran("--json", "web", "--port", "8480")).toBe("build\nrun --json web --port 8480\n");
    expect(ran("stations")).toBe("run stations\n");
  });

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
