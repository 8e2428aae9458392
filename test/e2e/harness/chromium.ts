import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

// First the shell of Chromium that has no windows: the same engine for two thirds of the processor time.
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * The browser of this computer: CHROMIUM, the first of the usual names on the path, or the one that Playwright has
 * installed; null where there is none.
 */
export function chromiumPath(): string | null {
  const given = process.env["CHROMIUM"];
  if (given) return given;
  const folders = ["/usr/bin", ...(process.env["PATH"] ?? "").split(delimiter)];
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...paths, chromium.executablePath()].find((path) => existsSync(path)) ?? null;
}

/** Why nothing can be tested in a browser here, in a sentence; null where it can. */
export function chromiumMissing(): string | null {
  return chromiumPath() === null ? "there is no Chromium on this computer (CHROMIUM names one)" : null;
}

let shared: Promise<Browser> | null = null;

/**
 * The browser of this process: test files that follow one another here share it, each test in contexts of its own, which
 * it closes. It ends with the process; it asks no one for updates.
 */
export async function chromiumBrowser(): Promise<Browser> {
  if (shared !== null && (await shared).isConnected()) return shared;
  shared = launch();
  return shared;
}

function launch(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error("There is no Chromium on this computer.");
  if (shared === null) process.once("SIGTERM", () => void close());
  return chromium.launch({
    executablePath,
    // Playwright's own would keep this process, which is told to end, from ending.
    handleSIGTERM: false,
    // Its own sandbox needs rights that a container does not give; what is tested here is this program's walls.
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      // Nothing draws sixty frames to get from one state to the next.
      "--force-prefers-reduced-motion",
    ],
  });
}

async function close(): Promise<void> {
  await (await shared?.catch(() => null))?.close();
  process.exit();
}
