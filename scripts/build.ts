// Builds the bundles of the application and the page into out/, if sources have changed since the last build.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { StoreError } from "#main/store/errors.ts";
import { lockFile } from "#main/store/fileLock.ts";
import { tool } from "./tools.ts";

const root = join(import.meta.dirname, "..");
const out = join(root, "out");
/** Fingerprint of the built sources; its time is when they were read: `run.mjs` uses the bundles if no source is newer. */
const stamp = join(out, ".built-from");
/** Where a build is written until it is complete. */
const unfinished = join(out, ".building");
/** The command line, which loads three times faster than its sources. */
export const BUNDLED_CLI = pathToFileURL(join(out, "main", "zenith.js")).href;
export const BUNDLED_SHELL = pathToFileURL(join(out, "main", "web-shell.js")).href;
const PARTS = ["main", "preload", "renderer"];
const WAIT_MS = 200;

/**
 * Builds the current sources into out/, if necessary. If several processes call this at once, one builds and the others
 * wait for it.
 *
 * @param onStart called before this process builds
 * @returns whether a build was necessary
 * @throws Error with the bundler's output
 */
export function ensureBuilt(onStart: () => void = () => {}): boolean {
  mkdirSync(out, { recursive: true });
  if (isCurrent()) return false;
  const release = takeLock();
  try {
    if (isCurrent()) return false;
    onStart();
    const readMs = Date.now();
    const wanted = fingerprint();
    build();
    writeFileSync(stamp, wanted);
    setTime(readMs);
    return true;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    release();
  }
}

function build(): void {
  const done = spawnSync(process.execPath, [tool("electron-vite"), "build", "--outDir", unfinished], {
    cwd: root,
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`The application could not be built.\n${done.stdout}${done.stderr}`);
  rmSync(stamp, { force: true });
  // Moved when complete, so that a running shell lacks its page only for a moment.
  for (const part of PARTS) {
    rmSync(join(out, part), { recursive: true, force: true });
    renameSync(join(unfinished, part), join(out, part));
  }
}

function isCurrent(): boolean {
  if (!exists(stamp) || !PARTS.every((part) => exists(join(out, part)))) return false;
  const readMs = Date.now();
  if (readFileSync(stamp, "utf8") !== fingerprint()) return false;
  setTime(readMs);
  return true;
}

function setTime(readMs: number): void {
  utimesSync(stamp, readMs / 1_000, readMs / 1_000);
}

/** Hashes the content of everything that a build reads, because a checkout changes the times of unchanged files. */
function fingerprint(): string {
  const hash = createHash("sha256");
  for (const path of [
    ...files(join(root, "src")),
    ...files(join(root, "docs", "guide")),
    ...files(join(root, "docs", "pictures")),
    ...files(join(root, "resources", "licences")),
    join(root, "scripts", "licences.ts"),
    join(root, "scripts", "programs.ts"),
    join(root, "electron.vite.config.ts"),
    join(root, "package.json"),
    join(root, "package-lock.json"),
  ]) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update("\0");
  }
  return hash.digest("hex");
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** Waits until no other process builds. @returns a function that releases the lock, which the system does for a killed process */
function takeLock(): () => void {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return lockFile(unfinished, "build the application");
    } catch (thrown) {
      if (!(thrown instanceof StoreError && thrown.kind === "busy")) throw thrown;
      if (isFirst) console.error("Another program is building the application; waiting for its end …");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

if (import.meta.main) console.log(ensureBuilt() ? "Built into out/." : "out/ is up to date.");
