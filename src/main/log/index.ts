import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { LOG_LEVELS, type LogLevel, type LogLine } from "#shared/logLine.ts";
import { codeOf } from "#shared/fault.ts";
import { appendLine, LOG_NAME, ROTATED_LOG_NAME } from "./file.ts";
import { KeyScrubber } from "./secrets.ts";

/** Longer texts are truncated, because a line is one write. */
const MAX_CHARACTERS = 6_000;
// oxlint-disable-next-line no-control-regex -- they are what is replaced
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/g;
const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\w+) +(\S+) (.*)$/;

/** Formats one line, such as `2026-11-23T01:25:00.123Z error core[1234] what happened`. */
function formatLine(timeMs: number, level: LogLevel, source: string, text: string): string {
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  const plain = cut.toWellFormed().replaceAll(CONTROLS, (sign) => (sign === "\n" ? "\\n" : sign === "\t" ? " " : ""));
  return `${new Date(timeMs).toISOString()} ${level.padEnd(5)} ${source}[${process.pid}] ${plain}`;
}

/** Parses a line; null if it is invalid, for example truncated by a full disk. */
function parseLine(text: string): LogLine | null {
  const [, time, level, source, message] = LINE.exec(text) ?? [];
  if (time === undefined || source === undefined || message === undefined) return null;
  return LOG_LEVELS.includes(level as LogLevel) ? { time, level: level as LogLevel, source, text: message } : null;
}

/** Reads the lines of a level and above from the log and the rotated one, oldest first. Both files are small. */
export function readLog(folder: string, level: LogLevel): LogLine[] {
  return logLines(folder, level)();
}

/** Returns a function that returns the lines of `readLog` at the first call, and those since the last call afterwards. */
export function logLines(folder: string, level: LogLevel): () => LogLine[] {
  const [path, rotated] = [join(folder, LOG_NAME), join(folder, ROTATED_LOG_NAME)];
  const wanted = LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(level) + 1);
  let seen: { readonly ino: number | undefined; readonly bytes: number } = { ino: undefined, bytes: 0 };
  return () => {
    const ino = inodeOf(path);
    const isSame = ino === seen.ino;
    const isRotated = !isSame && inodeOf(rotated) === seen.ino;
    const before = isSame ? "" : textFrom(rotated, isRotated ? seen.bytes : 0);
    const offset = isSame ? seen.bytes : 0;
    const text = textFrom(path, offset);
    // A line that is still being written is read next time.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    seen = { ino, bytes: offset + Buffer.byteLength(whole) };
    return `${before}${whole}`
      .split("\n")
      .map(parseLine)
      .filter((line) => line !== null)
      .filter((line) => wanted.includes(line.level));
  };
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** The rest of a file after a byte offset; empty if it cannot be read. */
function textFrom(path: string, offset: number): string {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - offset));
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, offset));
    } finally {
      closeSync(file);
    }
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return "";
    throw thrown;
  }
}

/** Target of this process's lines; null before `startLog`. */
let target: { readonly folder: string; readonly source: string } | null = null;
const scrubber = new KeyScrubber();
const listeners = new Set<(key: string) => void>();

/**
 * Starts logging of this process to an existing data folder.
 *
 * @param source name of this part of the program
 */
export function startLog(folder: string, source: string): void {
  target = { folder, source };
}

/** Removes a key from all later lines, in every encoding. */
export function hideInLog(key: string): void {
  if (scrubber.hide(key)) for (const listener of listeners) listener(key);
}

/** Calls a listener for each hidden key, so that a process that logs for this one hides it too. */
export function onKeyHidden(listener: (key: string) => void): void {
  listeners.add(listener);
}

/** Removes keys that this process knows, and values that are named like a key, from a text. */
export const scrubbedText = (text: string): string => scrubber.scrub(text);

/** Failing to log must not stop the program: errors are reported elsewhere too. */
function writeLine(level: LogLevel, text: string, cause?: unknown): void {
  if (target === null) return;
  const { folder, source } = target;
  const why = causesText(cause);
  try {
    appendLine(folder, formatLine(Date.now(), level, source, scrubber.scrub(why === "" ? text : `${text} · ${why}`)));
  } catch {
    // There is nowhere to report it.
  }
}

/** Limits stacks, so that a log line has space for several causes. */
const MAX_STACK_LINES = 12;

/** An error as text, with its causes. */
function causesText(cause: unknown): string {
  if (cause === null || cause === undefined) return "";
  if (!(cause instanceof Error)) return typeof cause === "string" ? cause : JSON.stringify(cause);
  const stack = (cause.stack ?? cause.message).split("\n").slice(0, MAX_STACK_LINES).join("\n");
  const source = causesText(cause.cause);
  return source === "" ? stack : `${stack}\ncaused by ${source}`;
}

export const log = {
  /** Something failed. */
  error: (text: string, cause?: unknown) => writeLine("error", text, cause),
  /** A handled problem. */
  warn: (text: string, cause?: unknown) => writeLine("warn", text, cause),
  /** A start, an end, a change of files. */
  info: (text: string, cause?: unknown) => writeLine("info", text, cause),
  debug: (text: string, cause?: unknown) => writeLine("debug", text, cause),
};

/** Logs problems that every further attempt meets again, such as a full disk: each once, until it changes or ends. */
export class RepeatedProblems {
  readonly #write: (thrown: unknown) => void;
  readonly #last = new Map<string, string>();

  constructor(write: (thrown: unknown) => void) {
    this.#write = write;
  }

  /** @param about what was attempted, such as the id of a schedule */
  failed(about: string, thrown: unknown): void {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    if (this.#last.get(about) === reason) return;
    this.#last.set(about, reason);
    this.#write(thrown);
  }

  worked(about: string): void {
    this.#last.delete(about);
  }
}
