import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { codeOf, messageOf } from "#shared/fault.ts";
import type { Remember } from "#shared/file/columns.ts";
import { FormatFailure } from "#formats/error.ts";
import { changed, createLocalScratch, noFile, type Scratch } from "#formats/foreign/index.ts";
import { folderFiles } from "#formats/folderFiles.ts";
import { type GuestAnswer, type GuestCall, type GuestSource, MAX_CALL_BYTES } from "./protocol.ts";

interface OpenFile {
  readonly file: FileHandle;
  readonly opened: { readonly size: bigint; readonly mtimeNs: bigint };
}

/** Unpacked files are limited to 8 GiB. */
const MAX_SCRATCH_BYTES = 16 * 2 ** 30;

/** What a guest can reach: the files that it was given, and its own temporary data. */
export class GuestFiles {
  readonly #scratchFolder: () => string;
  readonly #remembered: Remember;
  readonly #files = new Map<number, OpenFile>();
  readonly #scratches = new Map<number, Scratch>();
  readonly #folders = new Map<number, readonly string[]>();
  #lastHandle = 0;

  /** @param scratchFolder for temporary data @param remembered see `GuestCall` */
  constructor(scratchFolder: () => string, remembered: Remember) {
    this.#scratchFolder = scratchFolder;
    this.#remembered = remembered;
  }

  /** Opens a granted file or folder for the guest. @throws FormatFailure, and errors of the file system */
  async add(path: string, name: string): Promise<GuestSource> {
    if (!(await stat(path)).isDirectory()) return { kind: "file", name, ...(await this.#opened(path)) };
    const found = await folderFiles(path);
    const folder = ++this.#lastHandle;
    this.#folders.set(
      folder,
      found.map((file) => file.path),
    );
    return { kind: "folder", name, folder, names: found.map((file) => file.name) };
  }

  /** Closes what was opened for a guest that does not get it. */
  release(source: GuestSource): void {
    if (source.kind === "file") this.#closeHandle(source.handle);
  }

  async answer(call: GuestCall): Promise<GuestAnswer> {
    try {
      if (call.op === "read")
        return { kind: "answer", bytes: await this.#read(call.handle, call.position, call.length) };
      return { kind: "answer", value: (await this.#valueOf(call)) ?? null };
    } catch (thrown) {
      const kind = thrown instanceof FormatFailure ? thrown.error.kind : null;
      return { kind: "answer", error: { kind, message: messageOf(thrown), code: codeOf(thrown) } };
    }
  }

  /** Closes all files. */
  close(): void {
    for (const handle of [...this.#files.keys(), ...this.#scratches.keys()]) this.#closeHandle(handle);
  }

  async #opened(path: string): Promise<{ handle: number; bytes: number }> {
    // Without waiting for the writer of a pipe.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = await file.stat({ bigint: true });
    if (!found.isFile()) {
      await file.close();
      throw noFile();
    }
    const handle = ++this.#lastHandle;
    this.#files.set(handle, { file, opened: found });
    return { handle, bytes: Number(found.size) };
  }

  async #read(handle: number, position: number, length: number): Promise<Uint8Array> {
    const target = new Uint8Array(Math.min(length, MAX_CALL_BYTES));
    const scratch = this.#scratches.get(handle);
    if (scratch) return target.subarray(0, scratch.read(target, position));
    const { file, opened: before } = given(this.#files.get(handle));
    let done = 0;
    for (let bytesRead = 1; bytesRead > 0 && done < target.length; done += bytesRead)
      ({ bytesRead } = await file.read(target, done, target.length - done, position + done));
    const { size, mtimeNs } = await file.stat({ bigint: true });
    // Values of one version do not belong to the times and positions of another.
    if (size !== before.size || mtimeNs !== before.mtimeNs) throw changed();
    return target.subarray(0, done);
  }

  #closeHandle(handle: number): void {
    this.#scratches.get(handle)?.close();
    this.#scratches.delete(handle);
    void this.#files.get(handle)?.file.close();
    this.#files.delete(handle);
  }

  async #valueOf(call: GuestCall): Promise<unknown> {
    switch (call.op) {
      case "part":
        return this.#opened(given(this.#folders.get(call.folder)?.[call.index]));
      case "scratch": {
        const handle = ++this.#lastHandle;
        this.#scratches.set(handle, createLocalScratch(this.#scratchFolder()));
        return { handle };
      }
      case "write":
        if (call.position + call.bytes.length > MAX_SCRATCH_BYTES) throw new Error("too many temporary data");
        return given(this.#scratches.get(call.handle)).write(call.bytes, call.position);
      case "close":
        return this.#closeHandle(call.handle);
      case "remembered":
        return this.#remembered(call.header, call.now);
      case "read":
        return null;
    }
  }
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The guest has no such file.");
  return value;
}
