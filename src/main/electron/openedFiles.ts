import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { OPENED_EXTENSIONS } from "#shared/file/opened.ts";
import { VIEW_FILE_EXTENSION } from "#shared/views/file.ts";

/** Endings of files that can be opened from the command line. The format is determined by the first bytes. */
const ENDINGS: readonly string[] = [...OPENED_EXTENSIONS.map((ending) => `.${ending}`), VIEW_FILE_EXTENSION];

const FOLDER = "--data-folder";

/**
 * The files in a command line that the system or the user asks the program to open. Linux file managers pass URLs
 * (`file:///…`) instead of paths.
 *
 * @param argv as `process.argv`, with the program first; may contain switches of Chromium
 * @param workingFolder base of relative paths
 */
export function filesOfCommandLine(argv: readonly string[], workingFolder: string): string[] {
  return argv
    .slice(1)
    .filter((argument) => !argument.startsWith("-"))
    .map((argument) => pathOf(argument, workingFolder))
    .filter((path) => path !== null)
    .filter((path) => ENDINGS.some((ending) => path.toLowerCase().endsWith(ending)) && !path.includes("\0"));
}

/** The arguments of a command line without the files to open, for a restart. */
export function switchesOf(argv: readonly string[]): string[] {
  return argv.slice(1).filter((argument) => !filesOfCommandLine(["", argument], "/").length);
}

/**
 * The data folder in a command line: `--data-folder <folder>` or `--data-folder=<folder>`; null without the option.
 *
 * @param workingFolder base of a relative path
 */
export function folderOfCommandLine(argv: readonly string[], workingFolder: string): string | null {
  const at = argv.findIndex((argument) => argument === FOLDER || argument.startsWith(`${FOLDER}=`));
  const folder = argv[at] === FOLDER ? argv[at + 1] : argv[at]?.slice(FOLDER.length + 1);
  return folder ? resolve(workingFolder, folder) : null;
}

/** An installation's `zenith` script puts this switch and “--” before the arguments of a command. */
const COMMAND_SWITCH = "--cli";

/** The arguments of a command; null if the program was started for a window. */
export function commandArguments(argv: readonly string[]): readonly string[] | null {
  // Chromium ignores arguments after the first “--”, so none is mistaken for its switches.
  const at = argv.indexOf("--");
  return at > 0 && argv[at - 1] === COMMAND_SWITCH ? argv.slice(at + 1) : null;
}

function pathOf(argument: string, workingFolder: string): string | null {
  if (!/^[a-z][\w+.-]+:\/\//i.test(argument)) return resolve(workingFolder, argument);
  try {
    return fileURLToPath(argument);
  } catch {
    return null;
  }
}

/** Queues files that the system asks to open, because macOS sends them before the program is ready. */
export class OpenFileQueue {
  #kept: string[] = [];
  #take: ((paths: readonly string[]) => void) | null = null;

  put(paths: readonly string[]): void {
    if (paths.length === 0) return;
    if (this.#take) this.#take(paths);
    else this.#kept.push(...paths);
  }

  /** Passes all files to `take` from now on, and queued ones at once. */
  follow(taker: (paths: readonly string[]) => void): void {
    this.#take = taker;
    const before = this.#kept;
    this.#kept = [];
    if (before.length > 0) taker(before);
  }
}
