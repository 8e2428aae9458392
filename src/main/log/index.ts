import type { LogLevel } from "#shared/logLine.ts";
import { appendLine } from "./file.ts";
import { formatLine } from "./line.ts";
import { createKeyScrubber } from "./secrets.ts";

export { readLog } from "./line.ts";

/** Target of this process's lines; null before `startLog`. */
let target: { readonly folder: string; readonly source: string } | null = null;
const scrubber = createKeyScrubber();
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
export const scrubbedText = scrubber.scrub;

/** Failing to log must not stop the program: errors are reported elsewhere too. */
function write(level: LogLevel, text: string, cause?: unknown): void {
  if (target === null) return;
  const { folder, source } = target;
  const why = describe(cause);
  try {
    appendLine(folder, formatLine(Date.now(), level, source, scrubber.scrub(why === "" ? text : `${text} · ${why}`)));
  } catch {
    // There is nowhere to report it.
  }
}

/** Limits stacks, so that a log line has space for several causes. */
const MAX_STACK_LINES = 12;

/** An error as text, with its causes. */
function describe(cause: unknown): string {
  if (cause === null || cause === undefined) return "";
  if (!(cause instanceof Error)) return typeof cause === "string" ? cause : JSON.stringify(cause);
  const stack = (cause.stack ?? cause.message).split("\n").slice(0, MAX_STACK_LINES).join("\n");
  const source = describe(cause.cause);
  return source === "" ? stack : `${stack}\ncaused by ${source}`;
}

export const log = {
  /** Something failed. */
  error: (text: string, cause?: unknown) => write("error", text, cause),
  /** A handled problem. */
  warn: (text: string, cause?: unknown) => write("warn", text, cause),
  /** A start, an end, a change of files. */
  info: (text: string, cause?: unknown) => write("info", text, cause),
  debug: (text: string, cause?: unknown) => write("debug", text, cause),
};
