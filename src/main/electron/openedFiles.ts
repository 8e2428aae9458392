import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { OPENED_ENDINGS } from "#shared/file/opened.ts";
import { VIEW_FILE_ENDING } from "#shared/views/file.ts";

/** Endings of the files that this program opens from its command line; what a file is, its first bytes tell. */
const ENDINGS: readonly string[] = [...OPENED_ENDINGS.map((ending) => `.${ending}`), VIEW_FILE_ENDING];

const FOLDER = "--data-folder";

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
    .filter((path) => ENDINGS.some((ending) => path.toLowerCase().endsWith(ending)) && !path.includes("\0"));
}

/** A command line without the program and without the files that it asks to open: what another start of it needs as well. */
export function switchesOf(argv: readonly string[]): string[] {
  return argv.slice(1).filter((argument) => !filesOfCommandLine(["", argument], "/").length);
}

/**
 * The data folder that a command line names, with `--data-folder <folder>` or `--data-folder=<folder>`; null where it
 * names none.
 *
 * @param workingFolder what a path is relative to
 */
export function folderOfCommandLine(argv: readonly string[], workingFolder: string): string | null {
  const at = argv.findIndex((argument) => argument === FOLDER || argument.startsWith(`${FOLDER}=`));
  const folder = argv[at] === FOLDER ? argv[at + 1] : argv[at]?.slice(FOLDER.length + 1);
  return folder ? resolve(workingFolder, folder) : null;
}

/** With “--” after it what the `zenith` of an installation puts before the words of a command. */
const MARK = "--cli";

/** The words of a command line, where this start is one; null where a window is wanted. */
export function wordsOfCommand(argv: readonly string[]): readonly string[] | null {
  // Chromium reads nothing after the first “--”, and so nobody's words are taken for switches of its own.
  const at = argv.indexOf("--");
  return at > 0 && argv[at - 1] === MARK ? argv.slice(at + 1) : null;
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
