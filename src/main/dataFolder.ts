import { homedir, platform } from "node:os";
import { join } from "node:path";
import { StoreError } from "./store/errors.ts";
import { makePrivateFolder, tighten, tightenFolder } from "./store/database/private.ts";

/** Where the application keeps its databases: `ZENITH_HOME`, or the usual place of the operating system. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env["ZENITH_HOME"] || systemPlace(env);
}

function systemPlace(env: NodeJS.ProcessEnv = process.env): string {
  const home = homedir();
  if (platform() === "win32") return join(env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "Zenith Desk");
  if (platform() === "darwin") return join(home, "Library", "Application Support", "Zenith Desk");
  return join(env["XDG_DATA_HOME"] ?? join(home, ".local", "share"), "zenith-desk");
}

/** @throws StoreError where a folder cannot be there */
export function makeDataFolder(path: string): void {
  try {
    // What an organization measures is its own affair: nobody else who works on this computer reads it.
    makePrivateFolder(path);
    // The system's place for it is nobody else's folder; any other one may be shared on purpose.
    if (path === systemPlace()) tighten(path);
    tightenFolder(path);
  } catch (thrown) {
    const sentence = `The data folder ${path} cannot be made: name one that can, with ZENITH_HOME or --data-folder.`;
    throw new StoreError("cannotOpen", path, sentence, thrown);
  }
}
