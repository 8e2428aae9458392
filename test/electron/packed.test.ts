import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FONT_FILES, FONT_FOLDER } from "#formats/fonts.ts";
import { startService } from "#service/index.ts";
import { openStandin, type Standin, standinMissing } from "../electron-standin/driver.ts";
import { type Packed, packedEnvironment, packingMissing, packOnce } from "./packing.ts";

// Tests the packed program outside of the repository and without its node_modules. All tests share one packed program.

/** The files that the packages need. */
const MODULES = [
  ...["package.json", "prebuilds/linux-x64.node"].map((name) => `better-sqlite3/${name}`),
  ...["binding", "database", "index", "sqlite-error", "util"].map((name) => `better-sqlite3/lib/${name}.js`),
  ..."aggregate backup explain function inspect pragma serialize table transaction wrappers"
    .split(" ")
    .map((name) => `better-sqlite3/lib/methods/${name}.js`),
  ...["package.json", "dist/esm/hdf5_hl.js", "dist/esm/hdf5_util.js"].map((name) => `h5wasm/${name}`),
  ...["package.json", "dist/node.mjs", "dist/sqlite3.wasm"].map((name) => `@sqlite.org/sqlite-wasm/${name}`),
].map((path) => `node_modules/${path}`);

let folder = "";
let packed: Packed;

beforeAll(async () => {
  if (packingMissing !== null) return;
  folder = mkdtempSync(join(tmpdir(), "zenith-packed-"));
  packed = await packOnce();
}, 240_000);
beforeEach((context) => context.skip(packingMissing !== null, packingMissing ?? ""));
afterAll(() => folder && rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function read(path: string): Buffer {
  return readFileSync(join(packed.extracted, path));
}

describe("the archive", () => {
  it("contains all files except for the native module", () => {
    const outside = packed.files.filter(({ isUnpacked }) => isUnpacked).map(({ path }) => path);
    expect(outside).toEqual(["node_modules/better-sqlite3/prebuilds/linux-x64.node"]);
    const beside = readdirSync(join(packed.folder, "resources", "app.asar.unpacked"), {
      recursive: true,
      withFileTypes: true,
    });
    expect(beside.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual(["linux-x64.node"]);
  });

  it("has the hash of each file", () => {
    expect(packed.files.length).toBeGreaterThan(20);
    const wrong = packed.files.filter(
      ({ path, hash }) => createHash("sha256").update(read(path)).digest("hex") !== hash,
    );
    expect(wrong).toEqual([]);
  });

  it("contains only files that are loaded", () => {
    const paths = packed.files.map(({ path }) => path);
    const modules = paths.filter((path) => path.startsWith("node_modules/"));
    expect(modules.toSorted()).toEqual(MODULES.toSorted());
    expect(paths.filter((path) => !/^(out|node_modules)\//.test(path))).toEqual(["package.json"]);
    const ofMain = paths.filter((path) => path.startsWith("out/main/"));
    const scripts = ofMain.filter((path) => path.endsWith(".js"));
    // Scripts read the fonts of figures, and the guide, which the command line shows.
    const fonts = FONT_FILES.map((file) => `out/main/${FONT_FOLDER}/${file}`);
    const guide = readdirSync(join(import.meta.dirname, "../../docs/guide")).map((file) => `out/main/guide/${file}`);
    expect(ofMain.filter((path) => !path.endsWith(".js")).toSorted()).toEqual([...fonts, ...guide].toSorted());
    const loaded = reachableFrom(scripts);
    expect(scripts.filter((path) => !loaded.has(basename(path)))).toEqual([]);
  });

  it("has the product name and the desktop name in package.json", () => {
    expect(JSON.parse(read("package.json").toString())).toMatchObject({
      productName: "Zenith Desk",
      desktopName: "org.zenith_desk.ZenithDesk.desktop",
      main: "out/main/main.js",
    });
  });
});

/** Names of the bundles that the main bundle loads directly or indirectly. */
function reachableFrom(paths: readonly string[]): ReadonlySet<string> {
  const names = paths.map((path) => basename(path));
  const found = new Set(["main.js"]);
  for (const name of found) {
    const text = read(`out/main/${name}`).toString();
    for (const other of names) if (text.includes(`${other}"`) || text.includes(`${other}'`)) found.add(other);
  }
  return found;
}

it("the resources contain the licences and an executable command line", () => {
  const resources = readdirSync(join(packed.folder, "resources"));
  expect(resources).toEqual(expect.arrayContaining(["LICENSE.zenith-desk.txt", "LICENSES.components.txt", "bin"]));
  expect(statSync(join(packed.folder, "resources", "bin", "zenith")).mode & 0o111).toBe(0o111);
});

describe("the packed program", { timeout: 120_000 }, () => {
  const missing = standinMissing();

  it("opens its window, shows the demo and closes", async (context) => {
    context.skip(missing !== null, missing ?? "");
    const main = join(packed.extracted, "out", "main", "main.js");
    const standin: Standin = await openStandin({ main, dataFolder: join(folder, "data") });
    try {
      const page = await standin.page();
      await page.getByRole("button", { name: "Explore the demo" }).click();
      await expect.poll(() => page.evaluate("document.body.innerText"), { timeout: 30_000 }).toMatch(/Kirkkolahti/);
      expect(standin.logs()).toBe("");
      expect(await standin.quit()).toBe(0);
    } finally {
      await standin.kill();
    }
  });

  it("prints the complete output of a command before it ends", async (context) => {
    context.skip(missing !== null, missing ?? "");
    const service = await startService({ stations: 2_000 });
    try {
      const env = { ...packedEnvironment(packed), ZENITH_HOME: join(folder, "long"), ZENITH_API_KEY: "demo-key" };
      const zenith = join(packed.folder, "resources", "bin", "zenith");
      await promisify(execFile)(zenith, ["connect", service.url], { env });
      // More than the buffer of a pipe.
      const { stdout } = await promisify(execFile)(zenith, ["stations", "--json"], { env, maxBuffer: 2 ** 26 });
      expect(stdout.length).toBeGreaterThan(2 ** 19);
      expect((JSON.parse(stdout) as { stations: unknown[] }).stations).toHaveLength(2_000);
    } finally {
      await service.close();
    }
  });

  it("runs the command line if it is started as zenith", async (context) => {
    context.skip(missing !== null, missing ?? "");
    const data = join(folder, "commands");
    const env = { ...packedEnvironment(packed), ZENITH_HOME: data };
    const run = (...words: string[]) =>
      promisify(execFile)(join(packed.folder, "resources", "bin", "zenith"), words, { env }).then(
        ({ stdout }) => ({ code: 0, text: stdout }),
        ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
      );
    const { version } = JSON.parse(read("package.json").toString()) as { version: string };
    expect(await run("--version")).toEqual({ code: 0, text: `${version}\n` });
    // An argument that looks like a switch of Chromium belongs to the command.
    const none = await run("stations", "--search", "--disable-http2");
    expect(none).toEqual({ code: 2, text: expect.stringContaining("“zenith connect https://") });
    expect(existsSync(join(data, "electron"))).toBe(false);
  });
});
