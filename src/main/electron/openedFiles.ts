import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Endings of the files that this program opens from its command line; what a file is, its first bytes tell. */
const ENDINGS = /\.(nc|nc4|cdf|netcdf|csv|zenith)$/i;

/**
 * The files in a command line: those that the system, or the user, asks the program to open. File managers of Linux
 * give addresses (`file:///…`) in the place of paths.
 *
 * @param argv as `process.argv`, with the program first; switches of Chromium may stand anywhere in it
 * @param workingFolder what paths are relative to
 */
export function filesOfCommandLine(argv: readonly string[], workingFolder: string): string[] {
  return argv
    .slice(1)
    .filter((argument) => !argument.startsWith("-"))
    .map((argument) => pathOf(argument, workingFolder))
    .filter((path) => path !== null)
    .filter((path) => ENDINGS.test(path) && !path.includes("\0"));
}

function pathOf(argument: string, workingFolder: string): string | null {
  if (!/^[a-z][\w+.-]+:\/\//i.test(argument)) return resolve(workingFolder, argument);
  try {
    return fileURLToPath(argument);
  } catch {
    return null;
  }
}

/** Files that the system asks to open, kept until somebody takes them: macOS tells of them before the program is ready. */
export interface FileInlet {
  put(paths: readonly string[]): void;
  /** From now on `take` gets them, those that came before at once. */
  follow(take: (paths: readonly string[]) => void): void;
}

export function createFileInlet(): FileInlet {
  let kept: string[] = [];
  let take: ((paths: readonly string[]) => void) | null = null;
  return {
    put(paths) {
      if (paths.length === 0) return;
      if (take) take(paths);
      else kept.push(...paths);
    },
    follow(taker) {
      take = taker;
      const before = kept;
      kept = [];
      if (before.length > 0) taker(before);
    },
  };
}
