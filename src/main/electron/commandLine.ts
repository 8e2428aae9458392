import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { app } from "electron";

/** Runs the command line of an installed program, which can start no other script of Node: its fuses forbid it. */
export async function runCommand(words: readonly string[]): Promise<void> {
  // Chromium wants a place of its own; a window may have the usual one.
  const profile = mkdtempSync(join(tmpdir(), "zenith-desk-"));
  const tidy = (): void => rmSync(profile, { recursive: true, force: true });
  process.on("exit", tidy);
  app.setPath("userData", profile);
  app.dock?.hide();
  // Chromium takes Ctrl+C for the wish to close all windows.
  app.on("before-quit", (event) => {
    event.preventDefault();
    process.emit("SIGINT");
  });
  process.argv = [process.execPath, "zenith", ...words];
  await import(pathToFileURL(join(import.meta.dirname, "zenith.js")).href);
  // Ending the application drops what its reader has not taken yet, and before Electron is ready it tells no listener.
  await Promise.all([process.stdout, process.stderr].map(written));
  tidy();
  app.exit(Number(process.exitCode ?? 0));
}

/** Resolves when a stream has passed on all that it was given, or its reader is gone. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write("", () => resolve()));
}
