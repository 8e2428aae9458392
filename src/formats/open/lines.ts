import { createReadStream } from "node:fs";
import { FormatFailure } from "../error.ts";

/** Lines of the supported formats have at most a few hundred characters. */
const MAX_LINE_CHARACTERS = 100_000;

/** The UTF-8 byte order mark, decoded as Latin-1. */
const BYTE_ORDER_MARK = /^\u00ef\u00bb\u00bf/;

/**
 * Yields the lines of a text file in batches, with any line ending, without a byte order mark, decoded as Latin-1.
 * @throws FormatFailure
 */
export async function* textLines(path: string): AsyncIterable<string[]> {
  let rest = "";
  let isFirst = true;
  for await (const chunk of createReadStream(path, { encoding: "latin1", highWaterMark: 1 << 20 })) {
    const text = isFirst ? (chunk as string).replace(BYTE_ORDER_MARK, "") : (chunk as string);
    isFirst = false;
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new FormatFailure("unreadable", "A line of this file does not end: it is not what its first line says.");
    yield lines.map(withoutReturn);
  }
  if (rest !== "") yield [withoutReturn(rest)];
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
