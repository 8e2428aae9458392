// npm start: builds changes and opens the window, in a browser if Electron or a display is not available.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { hasDesktop } from "#main/cli/browser.ts";
import { BUNDLED_CLI, ensureBuilt } from "./build.ts";
import { electronOrNull } from "./electron.ts";

const root = join(import.meta.dirname, "..");
/** An application that fails within this time had no window. */
const FAILED_START_MS = 5_000;

const args = process.argv.slice(2);
const say = (text: string): void => console.error(text);

/** Runs the application. @returns its exit code, or null if it opened no window */
async function runElectron(program: string): Promise<number | null> {
  const startedMs = performance.now();
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const child = spawn(program, [root, ...args], { cwd: root, env, stdio: "inherit" });
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  const code = await once(child, "exit").then(
    ([exitCode]) => exitCode as number | null,
    () => 1,
  );
  return code !== 0 && performance.now() - startedMs < FAILED_START_MS ? null : (code ?? 0);
}

/** Opens the application and exits when it ends. @returns a sentence about why it has no window */
async function openApplication(): Promise<string> {
  if (!hasDesktop()) return "There is no display here";
  const program = await electronOrNull(say);
  if (program === null) return "The Electron runtime cannot be downloaded here";
  const code = await runElectron(program);
  if (code === null) return "The Electron runtime does not start here";
  process.exit(code);
}

ensureBuilt(() => say("Building …"));
const wantsBrowser = args.includes("--web");
const reason = wantsBrowser ? null : await openApplication();
if (reason !== null) say(`${reason}: the window is served to a browser instead.`);
process.removeAllListeners("SIGINT").removeAllListeners("SIGTERM");
process.argv.splice(2, args.length, "web", ...args.filter((a) => a !== "--web"));
await import(BUNDLED_CLI);
