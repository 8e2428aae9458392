// node scripts/smoke.ts <folder of packed programs>: starts the program as released, with its fuses, opens the demo in its
// window and closes it, and opens a database of SQLite on the command line. A fuse disables Node's inspector, so the page is
// controlled through Chromium's.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { chromium, type Browser } from "playwright-core";
import { packedPrograms } from "./fuses.ts";
import { VERSION } from "#main/program.ts";

const START_MS = 60_000;
const END_MS = 20_000;

/** The program for this computer's architecture, which is the only one sure to start. */
function programHere(output: string): string {
  const all = packedPrograms(output);
  const found = all.find((path) => path.includes("arm64") === (process.arch === "arm64")) ?? all[0];
  if (found === undefined) throw new Error(`There is no program in ${output}.`);
  return found;
}

function executableOf(program: string): string {
  return program.endsWith(".app") ? join(program, "Contents", "MacOS", "Zenith Desk") : program;
}

/** Connects to the port that Chromium writes to a file. */
async function connect(portFile: string): Promise<Browser> {
  const endMs = Date.now() + START_MS;
  while (!existsSync(portFile)) {
    if (Date.now() > endMs) throw new Error("The program did not start within a minute.");
    await setTimeout(100);
  }
  const [port = ""] = readFileSync(portFile, "utf8").split("\n");
  return chromium.connectOverCDP(`http://127.0.0.1:${port}`);
}

const [output = "dist", ...switches] = process.argv.slice(2);
const executable = executableOf(programHere(output));
const folder = mkdtempSync(join(tmpdir(), "zenith-smoke-"));
const child = spawn(executable, ["--remote-debugging-port=0", `--data-folder=${folder}`, ...switches], {
  stdio: "inherit",
});
const ended = once(child, "exit");
try {
  const browser = await connect(join(folder, "electron", "DevToolsActivePort"));
  const [context] = browser.contexts();
  if (!context) throw new Error("The program has no window.");
  const page = context.pages()[0] ?? (await context.waitForEvent("page"));
  if (!page.url().startsWith("app://zenith/")) throw new Error(`The window shows ${page.url()}.`);
  await page.getByRole("button", { name: "Explore the demo" }).click({ timeout: START_MS });
  await page.getByText("Kirkkolahti").first().waitFor({ timeout: START_MS });
  console.log("The window opened and showed the demo.");
  await page.close();
  const isEnded = await Promise.race([ended.then(() => true), setTimeout(END_MS, false)]);
  // On macOS, a program outlives its windows.
  if (!isEnded && process.platform !== "darwin") throw new Error("The program did not end with its window.");
  if (isEnded && child.exitCode !== 0) throw new Error(`The program ended with code ${child.exitCode}.`);
} finally {
  child.kill();
  await Promise.race([ended, setTimeout(END_MS)]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function commandLine(...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(executable, ["--disable-gpu", "--cli", "--", ...args], { encoding: "utf8" });
  return stdout.trim() || stderr;
}

const version = commandLine("--version");
if (version !== VERSION) throw new Error(`The command line prints “${version}”.`);
console.log("The command line prints its version.");

const own = mkdtempSync(join(tmpdir(), "zenith-smoke-"));
try {
  const path = join(own, "a.sqlite");
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE a (time, ztd_mm); INSERT INTO a VALUES ('2026-03-01T00:05Z', 2403.5)");
  database.close();
  const opened = commandLine("open", path, "--json", "--data-folder", own);
  if (!/"variable":\s*"ztd"/.test(opened)) throw new Error(`The database opens as “${opened}”.`);
  console.log("The command line opens a database.");
} finally {
  rmSync(own, { recursive: true, force: true, maxRetries: 5 });
}
