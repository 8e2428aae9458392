import { statSync } from "node:fs";

// An update replaces these files. In an archive of Electron, which is read once, only the first shows it.
const FILES = [process.execPath, import.meta.filename];
const atStart = FILES.map(versionOf);

/** What an unexpected failure means if the files of the program were replaced while it ran. */
export const UPDATED = "The program was updated while it ran: restart it. Received data are kept.";

/** Whether the files of this program were replaced since it started, so that it cannot load further parts of itself. */
export function isReplaced(): boolean {
  return FILES.some((path, i) => versionOf(path) !== atStart[i]);
}

function versionOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return "";
  }
}
