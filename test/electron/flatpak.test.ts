import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { DESKTOP_ID } from "../../scripts/metainfo.ts";
import { manifests } from "../../scripts/manifests.ts";
import {
  buildApplication,
  filesBelow,
  flatpakIn,
  type FlatpakManifest,
  installRuntime,
  REMOTE,
} from "../packages/flatpak.ts";
import { programMissing } from "../support/needs.ts";
import { madePackage, noInstallation, packedEnvironment, packOnce } from "./packing.ts";

// The application for Flatpak: built from the manifest of a release, installed, used and removed by Flatpak.

const root = join(import.meta.dirname, "..", "..");
const { load } = createRequire(import.meta.url)("js-yaml") as { load(text: string): unknown };
const none = noInstallation ?? programMissing("flatpak");
let folder = "";

beforeEach((context) => context.skip(none !== null, none ?? ""));
afterAll(() => folder && rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const names = ["win-x64.exe", "win-arm64.exe", "mac-x64.dmg", "mac-arm64.dmg", "linux-amd64.deb", "linux-arm64.deb"];
const installers = names.map((ending) => ({ name: `zenith-desk-1.0.0-${ending}`, url: "u", sha256: "0" }));
/** What the commands of the manifest, and the script of the command line, start. */
const [BUILD_PROGRAMS, RUN_PROGRAMS] = [
  ["sh", "ar", "tar", "gzip", "mkdir", "cp", "rm", "install", "ln", "sed", "mv"],
  ["sh", "readlink", "dirname"],
];

/** Objects of Flatpak's repository, files of the program, and other names of them. */
const INSIDE = /^flatpak\/repo\/|\/(files|current|active|export)(\/|$)/;

const added = (now: readonly string[], then: readonly string[]): string[] => now.filter((path) => !then.includes(path));

const pathsOf = (programs: readonly string[]): Map<string, string> =>
  new Map(programs.map((name) => [name, `/usr/bin/${name}`]));

describe("the application for Flatpak", () => {
  it("is built, exported, installed, used in its sandbox, and removed", async () => {
    const packed = await packOnce();
    folder = mkdtempSync(join(tmpdir(), "zenith-flatpak-"));
    const home = join(folder, "home");
    const downloads = join(home, "Downloads");
    mkdirSync(downloads, { recursive: true });
    mkdirSync(join(home, ".config"));
    writeFileSync(join(home, ".config", "user-dirs.dirs"), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n');
    const flatpak = flatpakIn(home);
    const manifest = load(manifests(installers, "1.0.0").get(`${DESKTOP_ID}.yml`) ?? "") as FlatpakManifest;
    const made = { flatpak, folder, manifest };
    // The stand-in for Electron is a script for Node.
    installRuntime(made, manifest.runtime, pathsOf(RUN_PROGRAMS).set("node", process.execPath));
    installRuntime(made, manifest.sdk, pathsOf(BUILD_PROGRAMS));

    const sources = join(folder, "sources");
    mkdirSync(sources);
    cpSync(madePackage(packed, "deb"), join(sources, "zenith-desk.deb"));
    const { build, finished } = buildApplication(made, {
      sources,
      prepare(app) {
        mkdirSync(join(app, "share"));
        mkdirSync(join(app, "bin"));
        const zypak = join(app, "bin", "zypak-wrapper.sh");
        writeFileSync(zypak, '#!/bin/sh\nexec "$@"\n');
        chmodSync(zypak, 0o755);
      },
    });
    expect(finished).not.toMatch(/non-allowed|not exporting/i);
    const exported = globSync("export/share/**/*.*", { cwd: build }).map((path) => path.replace("export/share/", ""));
    expect(exported.filter((path) => path.startsWith("icons/"))).toHaveLength(8);
    expect(exported).toContain(`mime/packages/${DESKTOP_ID}.xml`);
    expect(existsSync(join(build, "files", "share", "share"))).toBe(false);

    const before = filesBelow(home);
    flatpak(["install", "--user", "--noninteractive", REMOTE, DESKTOP_ID]);
    const installed = filesBelow(home);
    const desktop = readFileSync(join(home, "flatpak/exports/share/applications", `${DESKTOP_ID}.desktop`), "utf8");
    expect(desktop).toMatch(new RegExp(`^Exec=.*flatpak run .*--command=zenith-desk .*${DESKTOP_ID} @@u %U @@$`, "m"));
    expect(desktop).toContain(`\nIcon=${DESKTOP_ID}\n`);

    // Certificates of this system are not in the sandbox.
    const env = { ...packedEnvironment(packed), STANDIN_NODE: "/usr/bin/node", NODE_EXTRA_CA_CERTS: undefined };
    // Beside the downloads, it sees only the stand-in.
    const seen = [root, packed.extracted].map((path) => `--filesystem=${path}:ro`);
    const run = (command: string, ...args: string[]): string =>
      flatpak(["run", "--user", ...seen, `--command=${command}`, DESKTOP_ID, ...args], { cwd: downloads, env });
    expect(run("zenith", "--version").trim()).toBe(packageJson.version);
    expect(run("zenith", "demo")).toContain("rows in all");
    const written = filesBelow(downloads);
    expect(written.length).toBeGreaterThan(0);
    expect(run("zenith-desk", "--cli", "--", "--version").trim()).toBe(packageJson.version);
    // Its home is not that of the user.
    run("sh", "-c", ": > ~/outside");
    expect(existsSync(join(home, "outside"))).toBe(false);
    const used = filesBelow(home);

    flatpak(["uninstall", "--user", "--noninteractive", DESKTOP_ID]);
    const left = filesBelow(home);
    const sections = [
      ["Installed, without the files of the program:", added(installed, before).filter((path) => !INSIDE.test(path))],
      ["Written by the command:", added(used, installed)],
      ["Left after the removal:", added(left, before)],
    ] as const;
    for (const [title, paths] of sections) console.log(`${title}\n  ${paths.join("\n  ")}`);
    expect(added(left, before).filter((path) => path.startsWith("flatpak/") && /zenith/i.test(path))).toEqual([]);
    for (const path of written) expect(left).toContain(join("Downloads", path));
  });
});
