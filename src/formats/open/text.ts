import { unreadable } from "../error.ts";
import { chunksOf, type ForeignFile } from "../foreign/file.ts";

/** Lines of the supported formats have at most a few hundred characters. */
const MAX_LINE_CHARACTERS = 100_000;

/** The UTF-8 byte order mark, decoded as Latin-1. */
const BYTE_ORDER_MARK = /^\u00ef\u00bb\u00bf/;

/** Yields the content of a text file in parts, without a byte order mark, decoded as Latin-1. */
export function* latin1Chunks(file: ForeignFile): Iterable<string> {
  let isFirst = true;
  for (const chunk of chunksOf(file)) {
    const text = chunk.toString("latin1");
    yield isFirst ? text.replace(BYTE_ORDER_MARK, "") : text;
    isFirst = false;
  }
}

/** Yields the lines of a text file in batches, with any line ending, as `latin1Chunks` decodes them. @throws FormatFailure */
export function* textLines(file: ForeignFile): Iterable<string[]> {
  let rest = "";
  for (const text of latin1Chunks(file)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_CHARACTERS)
      throw unreadable("A line of this file does not end: it is not what its first line says.");
    yield lines.map(withoutReturn);
  }
  if (rest !== "") yield [withoutReturn(rest)];
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Bytes of a text, decoded as Latin-1, that are not ASCII. */
const OTHER_THAN_ASCII = /[\u0080-\u00ff]/;

export function isAscii(latin1: string): boolean {
  return !OTHER_THAN_ASCII.test(latin1);
}

/** Words that languages of Western Europe hardly have, of several letters other than ASCII, and bytes that are none of Windows-1252. */
const OTHER_WORDS =
  /(?!(.)\1\1)[\u0080-\u00ff]{3}|(?<![A-Za-z\u0080-\u00ff])[\u00b6-\u00f7][\u00a1-\u00fe](?![A-Za-z\u0080-\u00ff])|[\u0081\u008d\u008f\u0090\u009d]/;

/**
 * Decodes the bytes of texts, which are given as Latin-1, as UTF-8 without a byte order mark. Texts that are not valid UTF-8
 * are Windows-1252, which spreadsheets write, unless their words belong to other languages.
 */
export class TextBytes {
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true });
  readonly #windows = new TextDecoder("windows-1252");
  #other: "Windows" | "unknown" | null = null;

  decode(latin1: string): string {
    if (isAscii(latin1)) return latin1;
    const bytes = Buffer.from(latin1, "latin1");
    try {
      return this.#utf8.decode(bytes);
    } catch {
      if (this.#other !== "unknown") this.#other = OTHER_WORDS.test(latin1) ? "unknown" : "Windows";
      if (this.#other === "Windows") return this.#windows.decode(bytes);
      return latin1.replaceAll(/[\u0080-\u00ff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
    }
  }

  remarks(): string[] {
    if (this.#other === null) return [];
    return [this.#other === "Windows" ? WINDOWS : UNKNOWN];
  }
}

/** The bytes of a text in an unknown encoding. */
export const UNREAD = /\\x[89a-f][\da-f]/;

const WINDOWS = "Texts that are not UTF-8 are read as Windows-1252 (Latin-1).";
const UNKNOWN =
  "The encoding of this text is not known: characters other than ASCII are shown as their bytes. Save it as UTF-8 to read them.";
