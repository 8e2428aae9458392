import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { openingError } from "#formats/error.ts";
import { EXIT, Stop, usage } from "../exit.ts";
import { userPath } from "./paths.ts";

/**
 * Replaces `@FILE`, and `-` for stdin, among the stations of a command by the words in them: one a line, without empty
 * lines and lines that begin with `#`.
 *
 * @param values of the words of a command
 * @throws Stop
 */
export async function withListedStations(values: Readonly<Record<string, unknown>>): Promise<object> {
  const { stations } = values;
  if (!Array.isArray(stations)) return values;
  const lists = await Promise.all((stations as string[]).map(listed));
  return { ...values, stations: lists.flat() };
}

async function listed(word: string): Promise<string[]> {
  if (word === "-") return linesOf(await text(process.stdin), "stdin");
  return word.startsWith("@") ? linesOf(await readList(word.slice(1)), word.slice(1)) : [word];
}

async function readList(file: string): Promise<string> {
  try {
    return await readFile(userPath(file), "utf8");
  } catch (thrown) {
    throw new Stop(EXIT.disk, `The list of stations cannot be read. ${openingError(thrown, file).message}`, thrown);
  }
}

function linesOf(content: string, from: string): string[] {
  const lines = content
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length === 0) throw usage(`There is no station in ${from}. Write a name or an id a line.`);
  return lines;
}
