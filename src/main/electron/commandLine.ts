import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { app } from "electron";

/** Runs the command line of an installed program, which can start no other script of Node: its fuses forbid it. */
export async function runCommand(words: readonly string[]): Promise<void> {
  // Chromium wants a place of its own; a window may have the usual one.
  const profile = mkdtempSync(join(tmpdir(), "zenith-desk-"));
  process.on("exit", () => rmSync(profile, { recursive: true, force: true }));
  app.setPath("userData", profile);
  app.dock?.hide();
  // Chromium takes Ctrl+C for the wish to close all windows.
  app.on("before-quit", (event) => {
    event.preventDefault();
    process.emit("SIGINT");
  });
  process.argv = [process.execPath, "zenith", ...words];
  await import(pathToFileURL(join(import.meta.dirname, "zenith.js")).href);
  app.exit(Number(process.exitCode ?? 0));
}
