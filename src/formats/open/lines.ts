import { createReadStream } from "node:fs";
import { FormatFailure } from "../error.ts";

/** No line of the formats that are read so is longer than some hundred characters. */
const MOST_LINE_CHARACTERS = 100_000;

/** Of UTF-8, each byte as one character. */
const BYTE_ORDER_MARK = /^\u00ef\u00bb\u00bf/;

/**
 * The lines of a text file, in batches, whatever ends them, without a byte order mark; each byte is one character.
 * @throws FormatFailure
 */
export async function* textLines(path: string): AsyncIterable<string[]> {
  let rest = "";
  let isFirst = true;
  for await (const piece of createReadStream(path, { encoding: "latin1", highWaterMark: 1 << 20 })) {
    const text = isFirst ? (piece as string).replace(BYTE_ORDER_MARK, "") : (piece as string);
    isFirst = false;
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MOST_LINE_CHARACTERS)
      throw new FormatFailure("unreadable", "A line of this file does not end: it is not what its first line says.");
    yield lines.map(withoutReturn);
  }
  if (rest !== "") yield [withoutReturn(rest)];
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
