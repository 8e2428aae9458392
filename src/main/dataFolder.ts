import { homedir, platform } from "node:os";
import { join } from "node:path";
import { StoreError } from "./store/errors.ts";
import { makePrivateFolder, tighten, tightenFolder } from "./store/database/private.ts";

/** The folder of the databases: `ZENITH_HOME`, or the usual folder of the operating system. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env["ZENITH_HOME"] || systemFolder(env);
}

function systemFolder(env: NodeJS.ProcessEnv = process.env): string {
  const home = homedir();
  if (platform() === "win32") return join(env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "Zenith Desk");
  if (platform() === "darwin") return join(home, "Library", "Application Support", "Zenith Desk");
  return join(env["XDG_DATA_HOME"] ?? join(home, ".local", "share"), "zenith-desk");
}

/** Creates the data folder, private to the user. @throws StoreError if it cannot be created */
export function makeDataFolder(path: string): void {
  try {
    // Measurements are confidential: other users of this computer must not read them.
    makePrivateFolder(path);
    // Only the system's folder is tightened; another one may be shared on purpose.
    if (path === systemFolder()) tighten(path);
    tightenFolder(path);
  } catch (thrown) {
    const sentence = `The data folder ${path} cannot be created. Name another one with ZENITH_HOME or --data-folder.`;
    throw new StoreError("cannotOpen", path, sentence, thrown);
  }
}
