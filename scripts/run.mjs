// Starts a task of this project, even in a fresh clone: installs the required Node and packages first.
// Plain JavaScript without dependencies, because it runs before anything is installed, on any Node from 18.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === "win32";
/** TypeScript runs without a build step and better-sqlite3 loads from this version on. */
const oldestNode = [22, 18];
/** Node for this system; the lock file of scripts/node has its version and checksum. */
const nodePackage = `${process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node"}-${windows ? "win" : process.platform}-${process.arch}`;

/** The command line, and its bundle, which starts four times faster. */
const cli = { source: "src/main/cli/index.ts", bundle: "out/main/zenith.js" };
/** Sources of the bundle. */
const cliSources = ["src/formats", "src/main", "src/service", "src/shared", "package-lock.json", "package.json"];

const tasks = {
  test: ["scripts/test.ts"],
  check: ["scripts/test.ts", "--checks-only"],
  dev: ["scripts/dev.ts"],
  endurance: ["scripts/endurance.ts"],
  steady: ["scripts/steady.ts"],
  mutants: ["scripts/mutants.ts"],
  schemas: ["scripts/schemas.ts"],
  format: ["scripts/format.ts"],
  kernels: ["scripts/kernels.ts"],
  bench: ["bench/index.ts"],
  engines: ["bench/engines/index.ts"],
  demo: [cli.source, "demo"],
  service: [cli.source, "service"],
  zenith: [cli.source],
  start: ["scripts/start.ts"],
  package: ["scripts/package.ts"],
};
/** Folders with packages that only some tasks need. */
const ownPackages = {
  bench: "bench/peerPage",
  endurance: "scripts/makers",
  kernels: "scripts/makers",
  package: "scripts/makers",
  testAll: "scripts/makers",
};
/** Builds the window and runs the command line. */
const withWindow = ["scripts/web.ts"];

function stop(sentence, detail = "") {
  console.error(detail ? `${detail.trim()}\n\n${sentence}` : sentence);
  process.exit(1);
}

function recentEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
}

function npm(node, args, cwd = root) {
  const script = process.env.npm_execpath;
  const env = { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH };
  const done = script?.endsWith(".js")
    ? spawnSync(node, [script, ...args], { cwd, env, encoding: "utf8" })
    : spawnSync("npm", args, { cwd, env, encoding: "utf8", shell: windows });
  return { ok: done.status === 0, text: `${done.stdout ?? ""}${done.stderr ?? ""}${done.error ?? ""}` };
}

/** The path of a recent Node: this one, the one in .node/, or a new copy from the package registry. */
function findNode() {
  if (recentEnough(process.version)) return process.execPath;
  const home = join(root, ".node");
  const kept = join(home, "node_modules", nodePackage, "bin", windows ? "node.exe" : "node");
  if (!existsSync(kept)) {
    console.error(`Node ${process.version} is too old here; installing Node 24 into .node/ …`);
    cpSync(join(root, "scripts", "node"), home, { recursive: true });
    const done = npm(process.execPath, ["ci", "--ignore-scripts"], home);
    if (!done.ok || !existsSync(kept)) {
      stop(
        "Zenith Desk needs Node 24: install it (for example with your system's package manager or nvm) and run the command again.",
        done.text,
      );
    }
  }
  return kept;
}

/** The packages of a lock file, by their folder; none if there is no such file. */
function packagesIn(path) {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")).packages ?? {}) : {};
}

/** Installs the packages of a folder's lock file unless npm's list of installed packages has all of them. */
function ensurePackages(node, folder) {
  const installed = packagesIn(join(folder, "node_modules", ".package-lock.json"));
  const isInstalled = ([path, { version, optional }]) =>
    path === "" || optional || installed[path]?.version === version;
  if (Object.entries(packagesIn(join(folder, "package-lock.json"))).every(isInstalled)) return;
  console.error("Installing packages …");
  const done = npm(node, ["ci", "--ignore-scripts"], folder);
  if (!done.ok)
    stop("The packages could not be installed: check the network connection and run the command again.", done.text);
}

/** Whether the bundle of the command line exists and no source is newer. A folder's time covers added and removed files. */
function isBundled() {
  const stamp = statSync(join(root, "out", ".built-from"), { throwIfNoEntry: false });
  if (!stamp || !existsSync(join(root, cli.bundle))) return false;
  const isOlder = (path) => statSync(path).mtimeMs < stamp.mtimeMs;
  return cliSources.every((source) => {
    const path = join(root, source);
    const inside = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : [];
    return isOlder(path) && inside.every((name) => isOlder(join(path, name)));
  });
}

const [name = "", ...rest] = process.argv.slice(2);
if (name === "install") {
  ensurePackages(findNode(), root);
  process.exit();
}
// Of all commands, only this one needs the built window. Another command with this word, such as the name of a station,
// runs the same way.
const task = name === "zenith" && rest.includes("web") ? withWindow : tasks[name];
if (!task) stop(`There is no task “${name}”; the tasks are ${Object.keys(tasks).join(", ")}.`);

const node = findNode();
ensurePackages(node, root);
const own = ownPackages[name === "test" && rest.includes("--all") ? "testAll" : name];
if (own) ensurePackages(node, join(root, own));
const [source, ...fixed] = task;
const script = source === cli.source && isBundled() ? cli.bundle : source;
const env = {
  ...process.env,
  PATH: dirname(node) + delimiter + process.env.PATH,
  // Caches the sources with types stripped until they change.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, "node_modules", ".compile-cache"),
};
// A small young generation, because streamed buffers die at once: their memory, which lies outside the heap, is freed
// early only by frequent minor collections.
const flags = ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=2"];
const child = spawn(node, [...flags, join(root, script), ...fixed, ...rest], {
  stdio: "inherit",
  env,
});
// The terminal sends Ctrl+C to the child too; this process has to outlive it to return its exit code.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// npm passes a signal only to the shell that it started. When that ends, this process gets another parent.
if (process.env.npm_lifecycle_event) {
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    child.kill("SIGTERM");
  }, 500);
}
child.on("exit", (code, signal) => process.exit(signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1)));
