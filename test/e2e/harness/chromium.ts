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

/** A browser with a profile of its own, gone when it is closed; it asks no one for updates. */
export function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error("There is no Chromium on this computer.");
  return chromium.launch({
    executablePath,
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
