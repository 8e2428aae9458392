import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { FormatFailure } from "../error.ts";
import { readUpTo } from "../fileBytes.ts";

/** A file of others, open for reading at any position: on this computer's disk, unpacked, or passed by another process. */
export interface ForeignFile {
  readonly bytes: number;
  /**
   * Fills the target from a position on, and returns the number of bytes read: fewer only at the end of the file.
   *
   * @throws FormatFailure (changed) if another program has changed the file since it was opened, and errors of the disk
   */
  read(target: Uint8Array, position: number): number;
  close(): void;
}

const CHUNK_BYTES = 1 << 20;

/** Yields the bytes of a file from its start, in new buffers. */
export function* chunksOf(file: ForeignFile, chunkBytes = CHUNK_BYTES): Iterable<Buffer<ArrayBuffer>> {
  for (let at = 0; at < file.bytes;) {
    const chunk = bytesIn(file, at, chunkBytes);
    if (chunk.length === 0) return;
    yield chunk;
    at += chunk.length;
  }
}

/** Returns the bytes at a position, fewer at the end of the file. */
export function bytesIn(file: ForeignFile, position: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(Math.max(0, Math.min(length, file.bytes - position)));
  return bytes.subarray(0, bytes.length === 0 ? 0 : file.read(bytes, position));
}

/**
 * Opens a file of the disk. A file that is moved, deleted or replaced by another one of its name is read on, because its
 * content is still there.
 *
 * @throws FormatFailure if it is not a file, and errors of the file system
 */
export function openLocal(path: string): ForeignFile {
  // Without waiting for the writer of a pipe.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const opened = fstatSync(descriptor, { bigint: true });
  if (!opened.isFile()) {
    closeSync(descriptor);
    throw noFile();
  }
  const assertUnchanged = (): void => {
    const { size, mtimeNs } = fstatSync(descriptor, { bigint: true });
    if (size !== opened.size || mtimeNs !== opened.mtimeNs) throw changed();
  };
  let isOpen = true;
  return {
    bytes: Number(opened.size),
    read(target, position) {
      const bytes = readUpTo(descriptor, target, position);
      // Values of one version do not belong to the times and positions of another.
      assertUnchanged();
      return bytes;
    },
    close() {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

export function noFile(): FormatFailure {
  return new FormatFailure("unreadable", "This is a pipe or a device. Save its output as a file, and open that.");
}

export function changed(): FormatFailure {
  return new FormatFailure(
    "changed",
    "Another program has changed this file since it was opened. Close it, and open it again.",
  );
}
