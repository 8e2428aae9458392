import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { childEnvironment } from "../environment.ts";

/** Whether someone sits before this computer who could see a browser open. */
export function hasDesktop(env: NodeJS.ProcessEnv = process.env, system = platform()): boolean {
  if (env["SSH_CONNECTION"]) return false;
  if (system === "win32" || system === "darwin") return true;
  return Boolean(env["DISPLAY"] ?? env["WAYLAND_DISPLAY"]);
}

/**
 * Opens an address in the user's browser. By way of a file that only its owner can read: the list of processes shows to
 * every user of a computer what a program was started with, and the address signs in whoever comes first.
 *
 * @returns takes the file away
 */
export function openBrowser(link: string, folder: string): () => void {
  const path = join(folder, "open.html");
  rmSync(path, { force: true });
  writeFileSync(
    path,
    `<!doctype html><meta http-equiv="refresh" content="0; url=${link}"><title>Zenith Desk</title>\n`,
    {
      mode: 0o600,
      flag: "wx",
    },
  );
  const [command, ...args] = OPENERS[platform()] ?? ["xdg-open"];
  const child = spawn(command ?? "", [...args, pathToFileURL(path).href], {
    stdio: "ignore",
    detached: true,
    env: childEnvironment(),
  });
  // Without such a program the printed address is there all the same.
  child.on("error", () => {});
  child.unref();
  return () => rmSync(path, { force: true });
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
};
