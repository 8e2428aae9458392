import { codeOf } from "#shared/thrown.ts";
import { LOG_LEVELS, type LogLevel, type LogLine } from "#shared/logLine.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LOG_NAME, ROTATED_LOG_NAME } from "./file.ts";

/** Longer texts are truncated, because a line is one write. */
const MAX_CHARACTERS = 6_000;
// oxlint-disable-next-line no-control-regex -- they are what is replaced
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/g;
const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\w+) +(\S+) (.*)$/;

/** Formats one line, such as `2026-11-23T01:25:00.123Z error core[1234] what happened`. */
export function formatLine(timeMs: number, level: LogLevel, source: string, text: string): string {
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  const plain = cut.toWellFormed().replaceAll(CONTROLS, (sign) => (sign === "\n" ? "\\n" : sign === "\t" ? " " : ""));
  return `${new Date(timeMs).toISOString()} ${level.padEnd(5)} ${source}[${process.pid}] ${plain}`;
}

/** Parses a line; null if it is invalid, for example truncated by a full disk. */
export function parseLine(text: string): LogLine | null {
  const [, time, level, source, message] = LINE.exec(text) ?? [];
  if (time === undefined || source === undefined || message === undefined) return null;
  return LOG_LEVELS.includes(level as LogLevel) ? { time, level: level as LogLevel, source, text: message } : null;
}

/** Reads the lines of a level and above from the log and the rotated one, oldest first. Both files are small. */
export function readLog(folder: string, level: LogLevel): LogLine[] {
  const wanted = LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(level) + 1);
  return [ROTATED_LOG_NAME, LOG_NAME]
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
