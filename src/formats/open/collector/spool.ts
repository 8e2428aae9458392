import { bytesOf } from "#shared/arrays.ts";
import { openScratch } from "../../foreign/scratch.ts";

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

/** Creates a spool. @throws FormatFailure, as does `append`, if the disk is full */
export function openSpool(): Spool {
  const file = openScratch();
  let endBytes = 0;
  return {
    append(values) {
      const atBytes = endBytes;
      file.write(bytesOf(values), atBytes);
      endBytes += values.byteLength;
      return { atBytes, length: values.length };
    },
    read(parts) {
      const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const { atBytes, length } of parts) {
        const target = bytesOf(all.subarray(at, at + length));
        if (file.read(target, atBytes) < target.length) throw new Error("A temporary file is shorter than it was.");
        at += length;
      }
      return all;
    },
    close: () => file.close(),
  };
}
