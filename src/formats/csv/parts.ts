import { open, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { besideName } from "#shared/file/besideName.ts";
import { FormatFailure } from "../error.ts";
import { resolveTarget } from "../target.ts";
import { createTemporary, discard, promote, type TemporaryFile } from "../temporary.ts";

/** What a finished set of files consists of; one path unless the rows had to be split. */
export interface FinishedParts {
  readonly paths: readonly string[];
  readonly bytes: number;
}

const DONE = Promise.resolve();
/** So often bytes are brought to the disk while more of them are made: all at once at the end would have to be waited for. */
const SYNC_BYTES = 1 << 24;

/**
 * Rows on their way into one file, or, where a file may hold only so many, into several that are numbered. All of them
 * are temporary siblings until the last row is written; then they get their names, one after the other.
 */
export class CsvParts {
  readonly #path: string;
  readonly #head: Uint8Array;
  readonly #maxRows: number;
  readonly #files: TemporaryFile[] = [];
  #handle: FileHandle | null = null;
  #room = 0;
  /** What the disk is busy with beside us: the bytes handed over last, and bringing those before them to safety. */
  #writing: Promise<void> = DONE;
  #syncing: Promise<void> | null = null;
  #unsynced = 0;

  /** @param head what every file begins with; @param maxRows rows of one file beside the header, or Infinity */
  constructor(path: string, head: Uint8Array, maxRows: number) {
    this.#path = path;
    this.#head = head;
    this.#maxRows = maxRows;
  }

  /** Starts the first file, or the next one where the current one is full, and tells how many rows it still takes. */
  async room(): Promise<number> {
    if (this.#handle === null || this.#room === 0) {
      await this.#closeCurrent();
      if (this.#files[0]?.target.kind === "stream")
        throw new FormatFailure(
          "invalid",
          `${this.#path}: These rows take several files, and a stream holds one. Name a file.`,
        );
      const file = await createTemporary(this.#path);
      this.#files.push(file);
      this.#handle = await open(file.path, "r+");
      await writeAll(this.#handle, this.#head);
      this.#room = this.#maxRows;
    }
    return this.#room;
  }

  /**
   * Begins to append bytes that hold `rows` whole rows, at most as many as `room` told, once those before them are
   * written; the bytes must be left alone until the next call is through. A write that fails is told by the next call.
   */
  async hand(bytes: Uint8Array, rows: number): Promise<void> {
    await this.#writing;
    const handle = this.#handle!;
    this.#syncNowAndThen(handle);
    this.#room -= rows;
    this.#unsynced += bytes.length;
    this.#writing = writeAll(handle, bytes);
    // Whoever waits for it is told; until then nobody waits.
    this.#writing.catch(() => undefined);
  }

  /** Waits until everything that was handed over is written. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  /** Gives the files their names: the asked one, or `name-1.csv`, `name-2.csv` … where there are several. */
  async finish(signal?: AbortSignal): Promise<FinishedParts> {
    await this.#closeCurrent();
    const paths: string[] = [];
    let bytes = 0;
    while (this.#files.length > 0) {
      const single = paths.length === 0 && this.#files.length === 1;
      const file = this.#files[0]!;
      const path = single
        ? this.#path
        : join(dirname(this.#path), besideName(basename(this.#path), `-${paths.length + 1}`));
      bytes += await promote(single ? file : { path: file.path, target: await resolveTarget(path) }, signal);
      this.#files.shift();
      paths.push(path);
    }
    return { paths, bytes };
  }

  async abandon(): Promise<void> {
    await this.#closeCurrent().catch(() => undefined);
    for (const file of this.#files) await discard(file).catch(() => undefined);
  }

  #syncNowAndThen(handle: FileHandle): void {
    if (this.#unsynced < SYNC_BYTES || this.#syncing) return;
    this.#unsynced = 0;
    // What fails here fails again, and is told, when the whole file is brought to the disk.
    this.#syncing = handle
      .datasync()
      .catch(() => undefined)
      .finally(() => (this.#syncing = null));
  }

  async #closeCurrent(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    try {
      await this.#writing;
    } finally {
      this.#writing = DONE;
      await this.#syncing;
      await handle?.close();
    }
  }
}

/** A single write may take less than all of it, as when the disk is nearly full. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten;
  }
}
