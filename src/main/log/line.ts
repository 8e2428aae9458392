import { codeOf } from "#shared/thrown.ts";
import { LOG_LEVELS, type LogLevel, type LogLine } from "#shared/bridge/methods/log.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LOG_NAME, OLDER_NAME } from "./file.ts";

/** Longer texts are cut: one line is one write. */
const MOST_CHARACTERS = 6_000;
// oxlint-disable-next-line no-control-regex -- they are what is replaced
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/g;
const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\w+) +(\S+) (.*)$/;

/** `2026-11-23T01:25:00.123Z error core[1234] what happened`: one line, whatever is in the text. */
export function formatLine(timeMs: number, level: LogLevel, source: string, text: string): string {
  const cut = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  const plain = cut.toWellFormed().replaceAll(CONTROLS, (sign) => (sign === "\n" ? "\\n" : sign === "\t" ? " " : ""));
  return `${new Date(timeMs).toISOString()} ${level.padEnd(5)} ${source}[${process.pid}] ${plain}`;
}

/** The parts of a line; null where it is none, such as one that a full disk cut off. */
export function parseLine(text: string): LogLine | null {
  const [, time, level, source, said] = LINE.exec(text) ?? [];
  if (time === undefined || source === undefined || said === undefined) return null;
  return LOG_LEVELS.includes(level as LogLevel) ? { time, level: level as LogLevel, source, text: said } : null;
}

/** Lines of the log and the one before it, of a level and those above, oldest first. Both files are small. */
export function readLog(folder: string, level: LogLevel): LogLine[] {
  const wanted = LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(level) + 1);
  return [OLDER_NAME, LOG_NAME]
    .flatMap((name) => textOf(join(folder, name)).split("\n"))
    .map(parseLine)
    .filter((line) => line !== null)
    .filter((line) => wanted.includes(line.level));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return "";
    throw thrown;
  }
}
