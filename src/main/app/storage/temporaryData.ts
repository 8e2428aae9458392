import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
