import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

// The headless shell of Chromium comes first: the same engine for two thirds of the processor time.
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Finds the browser of this computer: CHROMIUM, the first of the usual names on the PATH, or the one installed by
 * Playwright; null if there is none.
 */
export function chromiumPath(): string | null {
  const given = process.env["CHROMIUM"];
  if (given) return given;
  const folders = ["/usr/bin", ...(process.env["PATH"] ?? "").split(delimiter)];
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...paths, chromium.executablePath()].find((path) => existsSync(path)) ?? null;
}

/** Why browser tests cannot run here, in a sentence; null if they can. */
export function chromiumMissing(): string | null {
  return chromiumPath() === null ? "there is no Chromium on this computer (CHROMIUM names one)" : null;
}

let shared: Promise<Browser> | null = null;

/**
 * The browser of this process, shared by its test files; each test closes the contexts that it opens. It ends with the
 * process and does not look for updates.
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
    // Playwright's signal handlers would keep this process from ending.
    handleSIGTERM: false,
    // Scrollbars are shown, as on the screens of most users.
    ignoreDefaultArgs: ["--hide-scrollbars"],
    // Chromium's sandbox needs privileges that containers lack; the tests only concern the protections of this program.
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      // No animations between states.
      "--force-prefers-reduced-motion",
      // Pages live for seconds here: only the fast compiler pays off, and collecting garbage rarely, in one thread.
      "--js-flags=--no-turbofan --single-threaded-gc --min-semi-space-size=16",
    ],
  });
}

async function close(): Promise<void> {
  await (await shared?.catch(() => null))?.close();
  process.exit();
}
