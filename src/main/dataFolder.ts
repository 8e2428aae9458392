import { existsSync, mkdirSync, readdirSync, statfsSync } from "node:fs";
import { homedir, platform, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "#formats/makeFolder.ts";
import { StoreError } from "./store/errors.ts";
import { tighten } from "./store/permission.ts";

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
 * Revokes the permissions that another tool or a loose umask gave to others on files of a data
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

/** Folder of temporary data in a data folder, which only its user can enter. */
const NAME = "temporary";

/** Returns the folder for temporary data; the system's one if the data folder cannot be written to. */
export function temporaryData(dataFolder: string): string {
  const folder = join(dataFolder, NAME);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch {
    return tmpdir();
  }
}

/** `f_type` of network file systems (Linux, statfs(2)). */
const REMOTE: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "CIFS",
  0xfe534d42: "SMB 2",
  0x564c: "NCP",
  0x5346414f: "AFS",
  0x6b414653: "AFS",
  0x73757245: "Coda",
  0x00c36400: "Ceph",
  0x01021997: "9P",
};

/**
 * Warns if a file would be on a network share, where SQLite's write-ahead log may be corrupted, because its shared
 * memory does not reach other computers. Recognizes the usual types on Linux and `\\server\share` on Windows, but not
 * macOS and mapped drives.
 *
 * @returns a sentence for the user; null if the place is fine
 */
export function shareWarning(path: string, typeOf: (folder: string) => number = fileSystemType): string | null {
  const kind = /^[\\/]{2}[^\\/?.]/.test(path) ? "Windows" : REMOTE[typeOf(existingFolder(path)) >>> 0];
  if (kind === undefined) return null;
  return `${path}: This folder is on a network share (${kind}), where the cache can be damaged. Choose a folder on this computer.`;
}

function fileSystemType(folder: string): number {
  if (process.platform !== "linux") return 0;
  try {
    return statfsSync(folder).type;
  } catch {
    return 0;
  }
}

function existingFolder(path: string): string {
  let folder = resolve(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
