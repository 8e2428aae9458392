import { homedir, platform } from "node:os";
import { join } from "node:path";

/** Where the application keeps its databases: `ZENITH_HOME`, or the usual place of the operating system. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env["ZENITH_HOME"]) return env["ZENITH_HOME"];
  const home = homedir();
  if (platform() === "win32") return join(env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "Zenith Desk");
  if (platform() === "darwin") return join(home, "Library", "Application Support", "Zenith Desk");
  return join(env["XDG_DATA_HOME"] ?? join(home, ".local", "share"), "zenith-desk");
}
