import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { codeOf, messageOf } from "#shared/fault.ts";
import type { ChosenColumns } from "#shared/file/columns.ts";
import { FormatFailure } from "#formats/error.ts";
import { changed, noFile } from "#formats/foreign/file.ts";
import { createLocalScratch, type Scratch } from "#formats/foreign/scratch.ts";
import { folderFiles } from "#formats/open/folder.ts";
import { type GuestAnswer, type GuestCall, type GuestSource, MAX_CALL_BYTES } from "./protocol.ts";

/** What a guest can reach: the files that it was given, and its own temporary data. */
export interface GuestFiles {
  /** Opens a granted file or folder for the guest. @throws FormatFailure, and errors of the file system */
  add(path: string, name: string): Promise<GuestSource>;
  answer(call: GuestCall): Promise<GuestAnswer>;
  /** Closes all files. */
  close(): void;
}

interface OpenFile {
  readonly file: FileHandle;
  readonly opened: { readonly size: bigint; readonly mtimeNs: bigint };
}

/** Unpacked files are limited to 8 GiB. */
const MAX_SCRATCH_BYTES = 16 * 2 ** 30;

/** @param scratchFolder for temporary data @param remembered see `GuestCall` */
export function createGuestFiles(
  scratchFolder: () => string,
  remembered: (header: string) => ChosenColumns | null | Promise<ChosenColumns | null>,
): GuestFiles {
  const files = new Map<number, OpenFile>();
  const scratches = new Map<number, Scratch>();
  const folders = new Map<number, readonly string[]>();
  let lastHandle = 0;

  async function opened(path: string): Promise<{ handle: number; bytes: number }> {
    // Without waiting for the writer of a pipe.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = await file.stat({ bigint: true });
    if (!found.isFile()) {
      await file.close();
      throw noFile();
    }
    const handle = ++lastHandle;
    files.set(handle, { file, opened: found });
    return { handle, bytes: Number(found.size) };
  }

  async function read(handle: number, position: number, length: number): Promise<Uint8Array> {
    const target = new Uint8Array(Math.min(length, MAX_CALL_BYTES));
    const scratch = scratches.get(handle);
    if (scratch) return target.subarray(0, scratch.read(target, position));
    const { file, opened: before } = given(files.get(handle));
    let done = 0;
    for (let bytesRead = 1; bytesRead > 0 && done < target.length; done += bytesRead)
      ({ bytesRead } = await file.read(target, done, target.length - done, position + done));
    const { size, mtimeNs } = await file.stat({ bigint: true });
    // Values of one version do not belong to the times and positions of another.
    if (size !== before.size || mtimeNs !== before.mtimeNs) throw changed();
    return target.subarray(0, done);
  }

  function closeHandle(handle: number): void {
    scratches.get(handle)?.close();
    scratches.delete(handle);
    void files.get(handle)?.file.close();
    files.delete(handle);
  }

  async function valueOf(call: GuestCall): Promise<unknown> {
    switch (call.op) {
      case "part":
        return opened(given(folders.get(call.folder)?.[call.index]));
      case "scratch": {
        const handle = ++lastHandle;
        scratches.set(handle, createLocalScratch(scratchFolder()));
        return { handle };
      }
      case "write":
        if (call.position + call.bytes.length > MAX_SCRATCH_BYTES) throw new Error("too many temporary data");
        return given(scratches.get(call.handle)).write(call.bytes, call.position);
      case "close":
        return closeHandle(call.handle);
      case "remembered":
        return remembered(call.header);
      case "read":
        return null;
    }
  }

  return {
    async add(path, name) {
      if (!(await stat(path)).isDirectory()) return { kind: "file", name, ...(await opened(path)) };
      const found = await folderFiles(path);
      const folder = ++lastHandle;
      folders.set(
        folder,
        found.map((file) => file.path),
      );
      return { kind: "folder", name, folder, names: found.map((file) => file.name) };
    },
    async answer(call) {
      try {
        if (call.op === "read") return { kind: "answer", bytes: await read(call.handle, call.position, call.length) };
        return { kind: "answer", value: (await valueOf(call)) ?? null };
      } catch (thrown) {
        const kind = thrown instanceof FormatFailure ? thrown.error.kind : null;
        return { kind: "answer", error: { kind, message: messageOf(thrown), code: codeOf(thrown) } };
      }
    },
    close() {
      for (const handle of [...files.keys(), ...scratches.keys()]) closeHandle(handle);
    },
  };
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The guest has no such file.");
  return value;
}
