import { failure, type Result, success } from "#shared/service/error.ts";
import { contentOf, type FileContent } from "./content.ts";
import { asFormatError, type FormatError } from "./error.ts";
import { lockNames } from "./fileLock.ts";

/** Options of a file that is written under a temporary name. */
export interface TargetOptions {
  /** Stops waiting for the reader of a named pipe. */
  readonly signal?: AbortSignal | undefined;
  /** Complete files wait here for their names. Without a group, a file gets its name when it is complete. */
  readonly group?: FileGroup | undefined;
}

/** A complete file or folder that waits for its name. */
export interface CompleteFile {
  readonly path: string;
  /** Where it is until then. */
  readonly temporaryPath: string;
  /** @throws an error if the name cannot be taken */
  readonly check: () => Promise<void>;
  /** Gives the file its name. @throws an error, with nothing changed */
  readonly place: () => Promise<PlacedFile>;
  readonly discard: () => Promise<void>;
}

export interface PlacedFile {
  /** Restores what had the name before. */
  readonly undo: () => Promise<void>;
  /** Deletes what had the name before. */
  readonly settle: () => Promise<void>;
}

/**
 * The files of one export, which get their names together when the last one is complete: until then, files of these names
 * stay as they are. What has no name at the end of the scope is deleted.
 */
export class FileGroup implements AsyncDisposable {
  #files: CompleteFile[] = [];

  add(file: CompleteFile): void {
    this.#files.push(file);
  }

  /** Size and checksum of a complete file, or of all files in a complete folder. @throws errors of the file system */
  async contentOf(path: string): Promise<FileContent> {
    const file = this.#files.find((each) => each.path === path);
    return contentOf(file?.temporaryPath ?? path);
  }

  /** Gives all files their names, or none. Of two exports to the same names, all files are of one. */
  async place(): Promise<Result<null, FormatError>> {
    using _names = await lockNames(this.#files.map((file) => file.path));
    const placed: PlacedFile[] = [];
    let path = "";
    try {
      for (const file of this.#files) {
        path = file.path;
        await file.check();
      }
      for (const file of this.#files) {
        path = file.path;
        placed.push(await file.place());
      }
    } catch (thrown) {
      this.#files.splice(0, placed.length);
      for (const file of placed.toReversed()) await file.undo().catch(() => undefined);
      return failure(asFormatError(thrown, path));
    }
    this.#files = [];
    for (const file of placed) await file.settle().catch(() => undefined);
    return success(null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const file of this.#files.splice(0)) await file.discard().catch(() => undefined);
  }
}
