import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { REQUIRED_FUSES, wrongFuses } from "../../scripts/fuses.ts";
import { filesOfCommandLine } from "#main/electron/openedFiles.ts";
import { packIcns, packIco } from "../../scripts/iconFiles.ts";
import { MAKERS } from "../../scripts/tools.ts";
import { describeUnless } from "../support/needs.ts";
import { makersMissing } from "./packing.ts";
import { scratchFolder } from "../support/folder.ts";

const root = join(import.meta.dirname, "..", "..");

/** What the tests read of electron-builder's configuration, for a system or for all. */
interface System {
  readonly target?: unknown;
  readonly icon?: string;
  readonly include?: string;
  readonly extraResources?: unknown;
  readonly fileAssociations?: readonly Record<"ext" | "mimeType" | "role", string>[];
}

interface Configuration extends System {
  readonly electronFuses?: unknown;
  readonly linux?: System;
  readonly mac?: System;
  readonly win?: System;
  readonly nsis?: System;
}

type Accepts = (file: string, stat: ReturnType<typeof statSync>) => boolean;
type Matcher = (...of: readonly [string, string, (text: string) => string, object, object]) => {
  createFilter(): Accepts;
};

/** A module of electron-builder: its loader, validation and file filter. */
function inside<T>(path: string): T {
  return createRequire(join(MAKERS, "node_modules", "app-builder-lib", "package.json"))(path) as T;
}

let config: Configuration;

/** Paths below node_modules of these packages that would be shipped for a platform. */
function shipped(platform: string, arch: string, packages: readonly string[]): string[] {
  const expand = (text: string): string => text.replaceAll("${platform}", platform).replaceAll("${arch}", arch);
  const packager = { config, debugLogger: { isEnabled: false } };
  const { getNodeModuleFileMatcher } = inside<{ getNodeModuleFileMatcher: Matcher }>("./out/fileMatcher.js");
  const accepts = getNodeModuleFileMatcher(root, join(root, "dist"), expand, {}, packager).createFilter();
  return packages.flatMap((name) =>
    readdirSync(join(root, "node_modules", name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => accepts(path, statSync(path)))
      .map((path) => path.slice(join(root, "node_modules").length + 1).replaceAll("\\", "/")),
  );
}

describeUnless(makersMissing, "the configuration of the installers", () => {
  const loader = inside<{
    getConfig(folder: string, file: string, options: null): Promise<Configuration>;
    validateConfiguration(config: object, debug: { isEnabled: boolean }): Promise<void>;
  }>("./out/util/config/config.js");

  beforeAll(async () => {
    config = await loader.getConfig(root, "electron-builder.yml", null);
  });

  it("is accepted by electron-builder", async () => {
    await expect(loader.validateConfiguration(config, { isEnabled: false })).resolves.toBeUndefined();
    const wrong = { ...config, asarr: true };
    await expect(loader.validateConfiguration(wrong, { isEnabled: false })).rejects.toThrow("asarr");
  });

  it("associates NetCDF and session files, but not CSV", () => {
    const associations = [config.linux?.fileAssociations ?? []].flat();
    expect(config.mac?.fileAssociations).toEqual(associations);
    // On Windows, an association would make the program the default; the installer script registers it instead.
    expect([config.fileAssociations, config.win?.fileAssociations]).toEqual([undefined, undefined]);
    const installer = readFileSync(join(root, String(config.nsis?.include)), "utf8");
    const defaults = [...installer.matchAll(/WriteRegStr SHELL_CONTEXT "Software\\Classes\\\.(\w+)" ""/g)];
    expect(defaults.map(([, ending]) => ending)).toEqual(["zenith"]);
    const offered = [
      ...installer.matchAll(/WriteRegNone SHELL_CONTEXT "Software\\Classes\\\.(\w+)\\OpenWithProgids"/g),
    ];
    expect(offered.map(([, ending]) => ending)).toEqual(["nc", "nc4", "zenith"]);
    const endings = associations.flatMap(({ ext }) => ext);
    expect(endings).toEqual(["nc", "nc4", "zenith"]);
    // A deb writes `*.${ext}` as the file pattern, so that a list would become one pattern.
    expect(associations.map(({ ext }) => typeof ext)).toEqual(["string", "string", "string"]);
    expect(new Set(associations.map(({ mimeType }) => mimeType)).size).toBe(3);
    for (const ending of endings)
      expect(filesOfCommandLine(["zenith-desk", `/data/a.${ending}`], "/")).toEqual([resolve(`/data/a.${ending}`)]);
    expect(associations.every(({ mimeType, role }) => mimeType && role === "Viewer")).toBe(true);
  });

  it("builds the usual formats of each system", () => {
    expect([config.win?.target, config.mac?.target, config.linux?.target]).toEqual([
      ["nsis"],
      ["dmg"],
      ["AppImage", "deb", "rpm"],
    ]);
  });

  it("sets every required fuse", () => {
    expect(config.electronFuses).toEqual({ ...REQUIRED_FUSES, resetAdHocDarwinSignature: true });
    expect(config).toMatchObject({ npmRebuild: false, asar: { smartUnpack: false } });
  });

  it.each([
    ["linux", "x64"],
    ["linux", "arm64"],
    ["darwin", "x64"],
    ["darwin", "arm64"],
    ["win32", "x64"],
    ["win32", "arm64"],
  ])("ships only the native file of %s %s", (platform, arch) => {
    const native = shipped(platform, arch, ["better-sqlite3", "h5wasm", "@sqlite.org"]).filter((path) =>
      /\.(node|so|dll)$/.test(path),
    );
    expect(native).toEqual([`better-sqlite3/prebuilds/${platform}-${arch}.node`]);
  });

  it("adds the command line to the resources", () => {
    for (const [system, of] of [
      ["linux", config.linux],
      ["macos", config.mac],
      ["windows", config.win],
    ] as const)
      expect(of?.extraResources).toEqual([{ from: `resources/bin/${system}`, to: "bin" }]);
    // Arguments after “--” belong to the command; otherwise, Electron would exit at a switch after an address.
    for (const path of ["linux/zenith", "macos/zenith", "windows/zenith.cmd"])
      expect(readFileSync(join(root, "resources", "bin", path), "utf8")).toMatch(/ --cli -- ("\$@"|%\*)\s*$/);
  });

  it("names existing icons with the sizes that the systems require", () => {
    for (const icon of [config.win?.icon, config.mac?.icon, config.linux?.icon])
      expect(existsSync(join(root, String(icon)))).toBe(true);
    const ico = readFileSync(join(root, "resources", "icon.ico"));
    const sizes = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => ico.readUInt8(6 + 16 * index) || 256);
    expect(sizes).toEqual([16, 24, 32, 48, 64, 128, 256]);
    const icns = readFileSync(join(root, "resources", "icon.icns"));
    expect([icns.toString("latin1", 0, 4), icns.readUInt32BE(4)]).toEqual(["icns", icns.length]);
  });
});

it("npm run package fails immediately if the Electron runtime is unavailable", () => {
  const folder = scratchFolder();
  const done = spawnSync(process.execPath, [join(root, "scripts", "package.ts")], {
    // Prevent the use of an installed runtime and a download.
    env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: folder, ELECTRON_MIRROR: "http://127.0.0.1:1/" },
    encoding: "utf8",
  });
  expect(done).toMatchObject({ status: 1, stderr: expect.stringContaining("the Electron runtime cannot be") });
  expect(done.stdout + done.stderr).not.toContain("Building");
});

describe("icon files", () => {
  const picture = { size: 256, png: Buffer.from("png") };

  it("contain pictures at the offsets in their directory", () => {
    const ico = packIco([{ size: 16, png: Buffer.from("small") }, picture]);
    const second = ico.subarray(ico.readUInt32LE(6 + 16 + 12));
    expect(second.toString()).toBe("png");
    const icns = packIcns([picture]);
    expect(icns.toString("latin1", 8, 12)).toBe("ic08");
    expect(icns.subarray(16, 8 + icns.readUInt32BE(12)).toString()).toBe("png");
  });
});

describe("checking the fuses of a packed program", () => {
  const folder = scratchFolder();

  /** A program with Electron's sentinel and these fuses, in the order of the fuse wire. */
  function program(fuses: string): string {
    const path = join(folder, fuses);
    const wire = Buffer.from([1, fuses.length, ...Buffer.from(fuses)]);
    writeFileSync(path, Buffer.concat([Buffer.from("…dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX"), wire, Buffer.from("…")]));
    return path;
  }

  it("reports wrong fuses by name", async () => {
    expect(await wrongFuses(program("01001100"), false)).toEqual([]);
    expect(await wrongFuses(program("01011100"), true)).toEqual([]);
    expect(await wrongFuses(program("01011100"), false)).toEqual(["enableNodeCliInspectArguments"]);
    expect(await wrongFuses(program("10110001"), true)).toHaveLength(6);
  });
});
