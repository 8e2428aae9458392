import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { childEnvironment } from "../program.ts";

/** Whether a browser could open on the user's screen. */
export function hasDesktop(env: NodeJS.ProcessEnv = process.env, system = platform()): boolean {
  if (env["SSH_CONNECTION"]) return false;
  if (system === "win32" || system === "darwin") return true;
  return Boolean(env["DISPLAY"] ?? env["WAYLAND_DISPLAY"]);
}

/**
 * Opens an address in the user's browser. Passes it in a file that only its owner can read, because every user of the
 * computer can see the arguments of a process, and the address signs in whoever opens it first.
 *
 * @returns a function that deletes the file
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
  // Without such a program, the user still has the printed address.
  child.on("error", () => {});
  child.unref();
  return () => rmSync(path, { force: true });
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
};
