import { existsSync } from "node:fs";
import type { Tool } from "../harness/types.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "chromium-headless-shell"];
const PATHS = NAMES.map((name) => `/usr/bin/${name}`);

/** The browser in which the window is measured. */
export function findBrowser(): Tool {
  const path = [process.env["CHROMIUM"], ...PATHS].find((p) => p !== undefined && existsSync(p));
  return path === undefined ? { absent: "apt-get install chromium, or CHROMIUM=<path>" } : { path };
}

/** @throws if there is no browser */
export function browserPath(): string {
  const tool = findBrowser();
  if ("absent" in tool) throw new Error(`There is no Chromium: ${tool.absent}`);
  return tool.path;
}
