import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { DESKTOP_ID } from "../../scripts/metainfo.ts";
import { type FpmArguments, makePackage, parseArguments } from "../packages/fpm.ts";
import { inOverlay, overlayMissing } from "../packages/overlay.ts";
import { standinMissing } from "../electron-standin/driver.ts";
import { readLog } from "#main/log/index.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";
import { programMissing } from "../support/needs.ts";
import { madePackage, missingPackagers, noInstallation, type Packed, packedEnvironment, packOnce } from "./packing.ts";

// Packages for Linux, as the system gets them: made from electron-builder's own arguments by dpkg-deb and rpmbuild, and
// installed, used and removed by dpkg and rpm.

const root = join(import.meta.dirname, "..", "..");
const missing = missingPackagers;
let folder = "";
let packed: Packed;

beforeAll(async () => {
  if (missing !== null) return;
  folder = mkdtempSync(join(tmpdir(), "zenith-packages-"));
  packed = await packOnce();
}, 240_000);
beforeEach((context) => context.skip(missing !== null, missing ?? ""));
afterAll(() => folder && rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: "utf8" });
const installer = (kind: "deb" | "rpm"): string => madePackage(packed, kind);
const given = (kind: "deb" | "rpm"): FpmArguments => parseArguments(packed.fpm(kind));
const sourceOf = (kind: "deb" | "rpm", target: string): string =>
  given(kind).files.find(([, to]) => to === target)?.[0] ?? "";

const targets = (kind: "deb" | "rpm"): string[] =>
  given(kind)
    .files.map(([, to]) => to)
    .toSorted();

describe("electron-builder's arguments", () => {
  it("install the same files from deb and rpm, and each once", () => {
    // Where zsh looks differs, and only Debian has a file with the copyright.
    const common = (kind: "deb" | "rpm") => targets(kind).filter((path) => !/^\/usr\/share\/(doc|zsh)\//.test(path));
    expect(common("deb")).toEqual(common("rpm"));
    expect(new Set(targets("deb")).size).toBe(targets("deb").length);
    expect(targets("rpm")).toEqual(
      expect.arrayContaining(["/opt/Zenith Desk", "/usr/bin/zenith", "/usr/bin/zenith-desk"]),
    );
    // Each shell looks for completions in its own folder, and man for its pages.
    for (const [kind, zsh] of [
      ["deb", "vendor-completions"],
      ["rpm", "site-functions"],
    ] as const) {
      const words = { bash: "complete -o default", zsh: "#compdef zenith", fish: "complete -c zenith" };
      const places = {
        bash: "/usr/share/bash-completion/completions/zenith",
        zsh: `/usr/share/zsh/${zsh}/_zenith`,
        fish: "/usr/share/fish/vendor_completions.d/zenith.fish",
      };
      for (const shell of ["bash", "zsh", "fish"] as const)
        expect(readFileSync(join(root, sourceOf(kind, places[shell])), "utf8")).toContain(words[shell]);
      expect(readdirSync(join(root, sourceOf(kind, "/usr/share/man/man1")))).toContain("zenith-fetch.1.gz");
    }
    for (const [from] of given("deb").files) expect(existsSync(join(root, from)) || existsSync(from)).toBe(true);
  });

  it("have a publisher, and a glibc that is new enough for the native module", () => {
    for (const kind of ["deb", "rpm"] as const)
      expect(given(kind).options.get("maintainer")).toEqual([
        `${packageJson.author.name} <${packageJson.author.email}>`,
      ]);
    const native = readFileSync(join(root, "node_modules/better-sqlite3/prebuilds/linux-x64.node"), "latin1");
    const versions = [...native.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
    const wanted = `2.${Math.max(...versions)}`;
    expect(given("deb").options.get("depends")).toContain(`libc6 (>= ${wanted})`);
    expect(given("rpm").options.get("depends")).toContain(`glibc >= ${wanted}`);
  });

  it("bring a desktop file, kinds of files and a description that the desktop accepts", (context) => {
    context.skip(programMissing("appstreamcli") !== null, programMissing("appstreamcli") ?? "");
    context.skip(programMissing("desktop-file-validate") !== null, programMissing("desktop-file-validate") ?? "");
    const desktop = sourceOf("deb", `/usr/share/applications/${DESKTOP_ID}.desktop`);
    const named = join(folder, `${DESKTOP_ID}.desktop`);
    cpSync(desktop, named);
    expect(run("desktop-file-validate", named)).toMatchObject({ status: 0, stdout: "" });
    const text = readFileSync(named, "utf8");
    expect(text).toContain('Exec="/opt/Zenith Desk/zenith-desk" %U');
    const kinds = readFileSync(sourceOf("deb", "/usr/share/mime/packages/zenith-desk.xml"), "utf8");
    for (const [, type] of kinds.matchAll(/mime-type type="([^"]+)"/g)) expect(text).toContain(`${type};`);
    for (const ending of ["nc", "nc4", "zenith"]) expect(kinds).toContain(`pattern="*.${ending}"`);
    const metainfo = join(folder, `${DESKTOP_ID}.metainfo.xml`);
    cpSync(join(root, "out", "linux", "metainfo.xml"), metainfo);
    const judged = run("appstreamcli", "validate", "--no-net", metainfo);
    expect(`${judged.status} ${judged.stdout}`).toMatch(/^0 /);
  });
});

it("the deb is accepted by lintian", (context) => {
  const none = noInstallation ?? programMissing("lintian");
  context.skip(none !== null, none ?? "");
  const theirs = [
    // Programs that bring their runtime are installed there.
    "dir-or-file-in-opt",
    // The native module is used as its package ships it.
    "unstripped-binary-or-object",
  ];
  const judged = run("lintian", "--allow-root", "--suppress-tags", theirs.join(","), installer("deb"));
  expect(judged.stdout).toBe("");
});

describe("installed from packages", () => {
  const none = noInstallation ?? overlayMissing();
  beforeEach((context) => context.skip(none !== null, none ?? ""));

  it("the command works, and an uninstallation leaves nothing behind", () => {
    installer("deb");
    installer("rpm");
    const done = inOverlay(
      folder,
      [process.execPath, join(root, "scripts", "installed.ts"), packed.installers, "--without-dependencies"],
      packedEnvironment(packed),
    );
    const places = done.changed.filter((path) => /^\/(etc|opt|usr|var\/lib)\//.test(path));
    // The index of kinds of files is written again as a whole.
    const [kinds, others] = [true, false].map((isKind) =>
      places.filter((path) => path.startsWith("/usr/share/mime/") === isKind),
    ) as [string[], string[]];
    console.log(
      `${done.output}\nChanged by the systems' tools: ${kinds.length} files in /usr/share/mime\n${others.join("\n")}`,
    );
    expect(done).toMatchObject({ status: 0 });
    expect(done.output.match(/zenith --version and zenith demo work/g)).toHaveLength(2);
    expect(done.output.match(/nothing is left/g)).toHaveLength(2);
    const ours = done.changed.filter((path) => /zenith/i.test(path) && !/^\/(var|dev|tmp|work)\//.test(path));
    expect(ours).toEqual([]);
  });

  it("an rpm can be updated, and be beside another program with the same Electron", () => {
    const args = packed.fpm("rpm");
    const firstFile = args.indexOf("resources/linux/zenith=/usr/bin/zenith");
    const withOptions = (...options: string[]): string[] => args.toSpliced(firstFile, 0, ...options);
    const newer = join(folder, "newer.rpm");
    const other = join(folder, "other.rpm");
    makePackage(withOptions("--version", "99.0.0", "--package", newer));
    const elsewhere = withOptions("--name", "other", "--package", other)
      .filter((arg) => !/=\/usr\//.test(arg))
      .map((arg) => arg.replace(/=\/opt\/.*/, "=/opt/Other"));
    makePackage(elsewhere);
    const script = `set -e
rpm -i --nodeps "$1" "$3"
rpm -U --nodeps "$2"
test -x /usr/bin/zenith-desk && test -x /usr/bin/zenith && test -x "/opt/Zenith Desk/zenith-desk"
rpm -q zenith-desk`;
    const done = inOverlay(folder, ["sh", "-c", script, "sh", installer("rpm"), newer, other]);
    expect(done).toMatchObject({ status: 0, output: expect.stringContaining("zenith-desk-99.0.0") });
  });
});

it("makensis compiles the installer's script for Windows", (context) => {
  context.skip(programMissing("makensis") !== null, programMissing("makensis") ?? "");
  const script = join(folder, "installer.nsi");
  writeFileSync(
    script,
    `Unicode true
!include LogicLib.nsh
!define APP_EXECUTABLE_FILENAME "Zenith Desk.exe"
!define APP_INSTALLER_STORE_FILE "zenith-desk-updater\\installer.exe"
Var installMode
!include "${join(root, "resources", "installer.nsh")}"
Name "Zenith Desk"
OutFile "${join(folder, "installer.exe")}"
Section install
  StrCpy $installMode CurrentUser
  !insertmacro customInstall
SectionEnd
Section un.install
  StrCpy $installMode CurrentUser
  !insertmacro customUnInstall
SectionEnd
Section uninstaller
  WriteUninstaller "$INSTDIR\\uninstall.exe"
SectionEnd
`,
  );
  const done = run("makensis", "-WX", script);
  expect(`${done.status} ${done.status === 0 ? "" : done.stdout + done.stderr}`).toBe("0 ");
});

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Runs the command of the packed program. @param preload a script that runs before it */
function zenith(
  args: readonly string[],
  options: { readonly preload?: string; readonly env?: NodeJS.ProcessEnv } = {},
) {
  const preload = options.preload && `--import data:text/javascript,${encodeURIComponent(options.preload)}`;
  const home = mkdtempSync(join(folder, "home-"));
  const child = spawn(join(packed.folder, "resources", "bin", "zenith"), args, {
    cwd: folder,
    env: {
      ...packedEnvironment(packed),
      ZENITH_HOME: home,
      ...(preload ? { NODE_OPTIONS: preload } : {}),
      ...options.env,
    },
  });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, output }));
  /** What it prints first; a program that ends instead is an error with all that it printed. */
  const ready = async (): Promise<string> => {
    const first = once(child.stdout, "data").then(([text]) => String(text));
    const failed = ended.then(({ code }) => Promise.reject(new Error(`ended with ${code}: ${output}`)));
    return Promise.race([first, failed]);
  };
  return { child, home, ended, ready };
}

describe("the installed command", () => {
  beforeEach((context) => context.skip(standinMissing() !== null, standinMissing() ?? ""));

  it.each([
    ["an unexpected error", "throw new Error('of the test')"],
    ["an unexpected rejection", "void Promise.reject(new Error('of the test'))"],
  ])("ends with exit code 1 after %s", async (_, failure) => {
    const preload = `const { write } = process.stdout; process.stdout.write = (...args) => {
      process.stdout.write = write;
      setImmediate(() => { ${failure} });
      return write.apply(process.stdout, args);
    }`;
    const { home, ended } = zenith(["service", "--port", "0"], { preload });
    expect(await ended).toEqual({ code: 1, output: expect.stringContaining("of the test") });
    expect(readLog(home, "error").map(({ text }) => text)).toContainEqual(expect.stringContaining("of the test"));
  });

  it("runs with a small young generation, which halves its memory", async () => {
    const { output } = await zenith(["version"], { preload: "console.error(process.execArgv.join(' '))" }).ended;
    expect(output).toContain("--max-semi-space-size=2");
  });

  it("starts and fetches in the memory that is measured here", async (context) => {
    context.skip(!IS_ENDURANCE, "measured in npm run endurance");
    const preload = `process.on("exit", () => console.error("peak " + process.resourceUsage().maxRSS))`;
    for (const [words, mostKb] of [
      [["version"], 160_000],
      // With the reference service in the same process.
      [["demo"], 320_000],
    ] as const) {
      const startedMs = performance.now();
      const { code, output } = await zenith(words, { preload }).ended;
      const peakKb = Math.max(...[...output.matchAll(/^peak (\d+)$/gm)].map(([, kb]) => Number(kb)));
      const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
      console.log(`zenith ${words[0]}: ${seconds} s, ${Math.round(peakKb / 1_000)} MB`);
      expect(code).toBe(0);
      expect(peakKb).toBeLessThan(mostKb);
    }
  });

  it("ends with its own exit code although something still runs", async () => {
    const { code } = await zenith(["stations"], { preload: "setInterval(() => {}, 1000)" }).ended;
    expect(code).toBe(2);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("stops cleanly at %s", async (signal) => {
    const { child, ended, ready } = zenith(["service", "--port", "0"]);
    await ready();
    child.kill(signal);
    expect((await ended).code).toBe(0);
  });

  it("does without the message bus of the desktop, whose end ends programs with Chromium", async () => {
    const path = join(folder, "bus");
    let clients = 0;
    const bus = createServer((client) => {
      clients++;
      client.destroy();
    }).listen(path);
    await once(bus, "listening");
    const { child, ended, ready } = zenith(["service", "--port", "0"], {
      env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` },
    });
    await ready();
    child.kill("SIGTERM");
    expect({ code: (await ended).code, clients }).toEqual({ code: 0, clients: 0 });
    bus.close();
  });
});
