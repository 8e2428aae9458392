import { open } from "node:fs/promises";
import { hasFields } from "./lines.ts";

/** First number of bytes to read; doubled until there are enough lines. */
const FIRST_BYTES = 64 * 1024;
/** A text without enough lines in this size is no table. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The complete lines at the beginning of a text. */
export interface FirstLines {
  readonly lines: readonly string[];
  /** Whether these are all lines of the file. */
  readonly isWhole: boolean;
}

/** Reads lines until `count` of them are rows of fields, because comments and headings may be of any length. */
export async function firstLines(path: string, count: number): Promise<FirstLines> {
  const handle = await open(path, "r");
  try {
    for (let size = FIRST_BYTES; ; size *= 2) {
      // The next byte shows whether these are all.
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(size + 1), 0, size + 1, 0);
      const isWhole = bytesRead <= size;
      const all = new TextDecoder().decode(buffer.subarray(0, Math.min(bytesRead, size))).split(/\r?\n|\r/);
      // The last line is empty, or may be incomplete.
      const lines = isWhole && all.at(-1) !== "" ? all : all.slice(0, -1);
      if (isWhole || size >= MAX_BYTES || lines.filter(hasFields).length >= count) return { lines, isWhole };
    }
  } finally {
    await handle.close();
  }
}
