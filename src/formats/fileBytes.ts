import { readSync, writeSync } from "node:fs";

// A single call of the system may read or write only some of the bytes.

/** Writes all bytes into an open file, from a position on. */
export function writeFully(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, position + done);
}

/** Reads from a position on until the target is full or the file ends. Returns whether the target is full. */
export function readFully(file: number, target: Uint8Array, position: number): boolean {
  return readUpTo(file, target, position) === target.length;
}

/** The same, and returns the number of bytes read. */
export function readUpTo(file: number, target: Uint8Array, position: number): number {
  let done = 0;
  while (done < target.length) {
    const read = readSync(file, target, done, target.length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}
