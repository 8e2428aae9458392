import { readdirSync } from "node:fs";
import { homedir, platform } from "node:os";
import { join } from "node:path";
import { makeFolder } from "#formats/makeFolder.ts";
import { StoreError } from "./store/errors.ts";
import { tighten } from "./store/database/private.ts";

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
    makeFolder(path, 0o700);
    // Only the system's folder is tightened; another one may be shared on purpose.
    if (path === systemFolder()) tighten(path);
    tightenFolder(path);
  } catch (thrown) {
    const sentence = `The data folder ${path} cannot be created. Name another one with ZENITH_HOME or --data-folder.`;
    throw new StoreError("cannotOpen", path, sentence, thrown);
  }
}

/** Files of a data folder: databases with their logs, copies and backups, and the lock files. */
const OURS = /^(user\.db|claims\.db|open\.(lock|pid)|log\.|cache-[^/]*\.db)/;
/** Folders that this program creates in a data folder. */
const OUR_FOLDERS = ["keys", "exports"];

/**
 * Revokes the permissions that an older version, another tool or a loose umask gave to others on files of a data
 * folder. The folder itself is the user's, who may share it: only what this program created in it is restricted.
 */
function tightenFolder(folder: string): void {
  if (process.platform === "win32") return;
  for (const name of OUR_FOLDERS) tighten(join(folder, name));
  try {
    for (const name of readdirSync(folder)) if (OURS.test(name)) tighten(join(folder, name));
  } catch {
    // A folder that cannot be listed cannot be used either, which opening a file in it reports.
  }
}
