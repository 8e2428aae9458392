import { existsSync, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";

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
