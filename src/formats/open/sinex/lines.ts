import { createReadStream } from "node:fs";
import { FormatFailure } from "../../error.ts";

/** No line of the format is longer than some hundred characters. */
const MOST_LINE_CHARACTERS = 100_000;

/** The lines of a text file, in batches, whatever ends them; each byte is one character. @throws FormatFailure */
export async function* textLines(path: string): AsyncIterable<string[]> {
  let rest = "";
  for await (const piece of createReadStream(path, { encoding: "latin1", highWaterMark: 1 << 20 })) {
    const lines = (rest + (piece as string)).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MOST_LINE_CHARACTERS)
      throw new FormatFailure("unreadable", "A line of this file does not end: it begins like SINEX_TRO, and is none.");
    yield lines.map(withoutReturn);
  }
  if (rest !== "") yield [withoutReturn(rest)];
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
