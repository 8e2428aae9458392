import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesOf } from "#shared/arrays.ts";
import { codeOf } from "#shared/fault.ts";
import { FormatFailure } from "../../error.ts";
import { readFully, writeFully } from "../../fileBytes.ts";

/** A temporary file of numbers. */
export interface Spool {
  append(values: Float64Array): SpooledRange;
  read(parts: readonly SpooledRange[]): Float64Array<ArrayBuffer>;
  /** Closes and removes the file. */
  close(): void;
}

/** Position of numbers in a spool. */
export interface SpooledRange {
  readonly atBytes: number;
  readonly length: number;
}

/** Creates a spool. @throws FormatFailure, as does `append`, if the temporary folder is full */
export function openSpool(): Spool {
  const folder = withSpaceError(() => mkdtempSync(join(tmpdir(), "zenith-columns-")));
  const file = withSpaceError(() => openSync(join(folder, "columns"), "wx+"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // Unlinked at once where the system allows it, so that not even a kill leaves the file.
  if (process.platform !== "win32") remove();
  let endBytes = 0;
  let isOpen = true;
  return {
    append(values) {
      const atBytes = endBytes;
      withSpaceError(() => writeFully(file, bytesOf(values), atBytes));
      endBytes += values.byteLength;
      return { atBytes, length: values.length };
    },
    read(parts) {
      const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const { atBytes, length } of parts) {
        if (!readFully(file, bytesOf(all.subarray(at, at + length)), atBytes))
          throw new Error("A temporary file is shorter than it was.");
        at += length;
      }
      return all;
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      closeSync(file);
      remove();
    },
  };
}

function withSpaceError<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw new FormatFailure(
      "noSpace",
      `This file needs room for its numbers in the folder for temporary files, ${tmpdir()}, which cannot be written ` +
        `to (${codeOf(thrown)}). Free some room there, then open it again.`,
    );
  }
}
