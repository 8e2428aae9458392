// node scripts/installed.ts <folder of installers>: installs each installer for this system as a user would, uses its
// command, uninstalls it, and fails if a file or an entry of the PATH changed that the installer should not have left.
// With --without-dependencies, the packages of the libraries need not be there.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "#main/program.ts";

/** An installer and how its system handles it. */
interface Installation {
  readonly name: string;
  install(): void;
  /** The installed command. */
  command(): string;
  remove(): void;
  /** Folders in which it may write. */
  readonly roots: readonly string[];
}

const [folder = "dist", ...options] = process.argv.slice(2);
const withoutDependencies = options.includes("--without-dependencies");

function run(program: string, ...args: string[]): string {
  const done = spawnSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 26 });
  if (done.status === 0) return done.stdout;
  throw new Error(
    `${program} ${args.join(" ")} failed (${done.status}): ${done.error ?? ""}${done.stdout}${done.stderr}`,
  );
}

function asRoot(program: string, ...args: string[]): void {
  if (process.getuid?.() === 0) run(program, ...args);
  else run("sudo", program, ...args);
}

function has(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

const LINUX_ROOTS = ["/opt", "/usr", "/etc"];

function deb(file: string): Installation {
  return {
    name: file,
    install: () =>
      withoutDependencies
        ? asRoot("dpkg", "--force-depends", "--install", file)
        : asRoot("apt-get", "install", "-y", file),
    command: () => "zenith",
    remove: () => asRoot("dpkg", "--purge", "zenith-desk"),
    roots: LINUX_ROOTS,
  };
}

function rpm(file: string): Installation {
  return {
    name: file,
    install: () => (withoutDependencies ? asRoot("rpm", "-i", "--nodeps", file) : asRoot("dnf", "install", "-y", file)),
    command: () => "zenith",
    remove: () => asRoot("rpm", "-e", "zenith-desk"),
    roots: LINUX_ROOTS,
  };
}

function dmg(file: string): Installation {
  const app = "/Applications/Zenith Desk.app";
  return {
    name: file,
    install() {
      const volume = mkdtempSync(join(tmpdir(), "zenith-dmg-"));
      run("hdiutil", "attach", "-nobrowse", "-readonly", "-mountpoint", volume, file);
      try {
        run("cp", "-R", join(volume, "Zenith Desk.app"), app);
      } finally {
        run("hdiutil", "detach", volume);
      }
    },
    command: () => join(app, "Contents", "Resources", "bin", "zenith"),
    remove: () => rmSync(app, { recursive: true }),
    roots: ["/Applications"],
  };
}

function nsis(file: string, mode: "currentuser" | "allusers"): Installation {
  const { LOCALAPPDATA = "", APPDATA = "", PROGRAMFILES = "", PROGRAMDATA = "" } = process.env;
  const place = mode === "allusers" ? PROGRAMFILES : join(LOCALAPPDATA, "Programs");
  /** The folder that the installer chose, which Windows keeps for the uninstaller. */
  const installed = (): string => {
    const found = ["Zenith Desk", "zenith-desk"].map((name) => join(place, name)).find((path) => existsSync(path));
    if (found === undefined) throw new Error(`${file} installed nothing in ${place}.`);
    return found;
  };
  return {
    name: `${file} /${mode}`,
    install: () => void run(file, "/S", `/${mode}`),
    command: () => join(installed(), "resources", "bin", "zenith.cmd"),
    // The uninstaller copies itself and returns at once, unless it is told where it is.
    remove: () => void run(join(installed(), "Uninstall Zenith Desk.exe"), "/S", `/${mode}`, `_?=${installed()}`),
    roots: [
      place,
      LOCALAPPDATA,
      ...[APPDATA, PROGRAMDATA].map((menus) => join(menus, "Microsoft", "Windows", "Start Menu")),
    ],
  };
}

function installationsIn(path: string): Installation[] {
  const endsWith = (ending: string, make: (file: string) => Installation[]): Installation[] =>
    readdirSync(path)
      .filter((name) => name.endsWith(ending))
      .flatMap((name) => make(join(path, name)));
  const [debName, rpmName] = process.arch === "arm64" ? ["arm64", "aarch64"] : ["amd64", "x86_64"];
  switch (process.platform) {
    case "darwin":
      return endsWith(`-${process.arch}.dmg`, (file) => [dmg(file)]);
    case "win32":
      return endsWith(`-${process.arch}.exe`, (file) => [nsis(file, "currentuser"), nsis(file, "allusers")]);
    default:
      return [
        ...(has("dpkg") ? endsWith(`-${debName}.deb`, (file) => [deb(file)]) : []),
        ...(has("rpm") && (withoutDependencies || has("dnf"))
          ? endsWith(`-${rpmName}.rpm`, (file) => [rpm(file)])
          : []),
      ];
  }
}

/** Everything in these folders, and the PATH of new terminals on Windows. */
function contentOf(roots: readonly string[]): ReadonlySet<string> {
  const files = roots.flatMap((root) => namesIn(root));
  const environments = ["HKCU\\Environment", "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment"];
  const paths = process.platform === "win32" ? environments.map((key) => `PATH ${key}: ${registryPath(key)}`) : [];
  return new Set([...files, ...paths]);
}

function namesIn(root: string): string[] {
  try {
    return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
      const path = join(root, entry.name);
      return entry.isDirectory() ? [path, ...namesIn(path)] : [path];
    });
  } catch {
    return [];
  }
}

function registryPath(key: string): string {
  return spawnSync("reg", ["query", key, "/v", "Path"], { encoding: "utf8" }).stdout.trim();
}

/** Which files may stay: caches of the system, and of other programs that run meanwhile. */
const ELSEWHERE =
  /\/(mimeinfo\.cache|icon-theme\.cache|mime\/[^/]+|ld\.so\.cache|alternatives)$|\\(Temp|Microsoft|Packages|npm-cache)(\\|$)/;

function difference(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  const added = [...after].filter((path) => !before.has(path)).map((path) => `+ ${path}`);
  const removed = [...before].filter((path) => !after.has(path)).map((path) => `- ${path}`);
  return [...added, ...removed].filter((line) => !ELSEWHERE.test(line));
}

function use(command: string): void {
  const work = mkdtempSync(join(tmpdir(), "zenith-installed-"));
  try {
    const zenith = (...args: string[]) =>
      spawnSync(command, args, {
        cwd: work,
        encoding: "utf8",
        shell: process.platform === "win32",
        env: { ...process.env, ZENITH_HOME: join(work, "data") },
      });
    const version = zenith("--version");
    if (version.stdout?.trim() !== VERSION)
      throw new Error(`${command} --version prints “${version.stdout}${version.stderr}”.`);
    const demo = zenith("demo");
    const file = join(work, "demo-output");
    if (demo.status !== 0 || !existsSync(file) || readdirSync(file).length === 0)
      throw new Error(`${command} demo ended with code ${demo.status}: ${demo.stdout}${demo.stderr}`);
  } finally {
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

function check(installation: Installation): string[] {
  const untouched = contentOf(installation.roots);
  // Once before: what the system installs with it, and its caches, are there afterwards.
  installation.install();
  installation.remove();
  const before = contentOf(installation.roots);
  installation.install();
  const changes = difference(before, contentOf(installation.roots));
  const command = installation.command();
  console.log(`${installation.name} is installed: ${changes.length} files and entries`);
  for (const line of changes.filter((change) => !/(Zenith Desk|zenith-desk)[/\\]/.test(change)))
    console.log(`  ${line}`);
  use(command);
  console.log(`  ${command} --version and ${command} demo work`);
  installation.remove();
  const after = contentOf(installation.roots);
  // What both removals left is in neither difference of the second.
  return [
    ...new Set([...difference(untouched, after).filter((line) => /zenith/i.test(line)), ...difference(before, after)]),
  ];
}

const installations = installationsIn(folder);
if (installations.length === 0) throw new Error(`There is no installer for this system in ${folder}.`);
for (const installation of installations) {
  const left = check(installation);
  if (left.length > 0) throw new Error(`Uninstalling ${installation.name} leaves changes behind:\n${left.join("\n")}`);
  console.log(`  uninstalled: nothing is left`);
}
