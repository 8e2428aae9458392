import { createHash } from "node:crypto";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { failure, type Result, success } from "#shared/service/error.ts";
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

/** A complete file, or a folder, as it will have its name. */
interface FileMark {
  readonly path: string;
  readonly bytes: number;
  /** UTC milliseconds. */
  readonly modifiedMs: number;
}

/** Called when all files of an export are complete and none has its name yet. @throws an error that refuses the names */
export type OnComplete = (files: readonly FileMark[]) => Promise<void>;

/**
 * The files of one export, which get their names together when the last one is complete: until then, files of these names
 * stay as they are. What has no name at the end of the scope is deleted.
 */
export class FileGroup implements AsyncDisposable {
  readonly #onComplete: OnComplete | undefined;
  #files: CompleteFile[] = [];

  constructor(onComplete?: OnComplete) {
    this.#onComplete = onComplete;
  }

  add(file: CompleteFile): void {
    this.#files.push(file);
  }

  /** Size and checksum of a complete file, or of all files in a complete folder. @throws errors of the file system */
  async contentOf(path: string): Promise<FileContent> {
    const file = this.#files.find((each) => each.path === path);
    return readContent(file?.temporaryPath ?? path);
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
      await this.#onComplete?.(await Promise.all(this.#files.map(markOf)));
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

async function markOf({ path, temporaryPath }: CompleteFile): Promise<FileMark> {
  const { size, mtimeMs } = await stat(temporaryPath);
  return { path, bytes: size, modifiedMs: Math.floor(mtimeMs) };
}

/** What a file, or a folder of files, contains. */
export interface FileContent {
  readonly bytes: number;
  /**
   * SHA-256 of a file in hex. Of a folder, that of its files as `sha256sum` lists them, in the order of their names with
   * slashes.
   */
  readonly sha256: string;
}

/** Reads all bytes of a file or a folder. @throws errors of the file system */
async function readContent(path: string): Promise<FileContent> {
  const found = await stat(path);
  if (!found.isDirectory()) return { bytes: found.size, sha256: await digestOf(path) };
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(path.length + 1)
        .replaceAll("\\", "/"),
    )
    .toSorted();
  const all = createHash("sha256");
  let bytes = 0;
  for (const name of names) {
    all.update(`${await digestOf(join(path, name))}  ${name}\n`);
    bytes += (await stat(join(path, name))).size;
  }
  return { bytes, sha256: all.digest("hex") };
}

/** Reads into one buffer: a stream would allocate as much memory as the file has bytes. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafeSlow(1 << 20);
  await using file = await open(path);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(buffer.subarray(0, bytesRead));
  }
}
