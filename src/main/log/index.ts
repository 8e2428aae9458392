import type { LogLevel } from "#shared/bridge/methods/log.ts";
import { appendLine } from "./file.ts";
import { formatLine } from "./line.ts";
import { createKeyScrubber } from "./secrets.ts";

export { readLog } from "./line.ts";

/** Where lines of this process go; null before `startLog`. */
let target: { readonly folder: string; readonly source: string } | null = null;
const scrubber = createKeyScrubber();
const onHidden = new Set<(key: string) => void>();

/**
 * From now on this process writes the log of a data folder, which must be there, for the part of the program that is
 * named.
 */
export function startLog(folder: string, source: string): void {
  target = { folder, source };
}

/** This key is in no line from now on, in whatever spelling. */
export function hideInLog(key: string): void {
  if (scrubber.hide(key)) for (const tell of onHidden) tell(key);
}

/** Tells of each key, so that another process or thread that writes for this one hides it too. */
export function followHidden(tell: (key: string) => void): void {
  onHidden.add(tell);
}

/** A text without the keys that this process knows, and without what is named like one. */
export const scrubbedText = scrubber.scrub;

/** A disk that refuses a line of the log is no reason to stop: what is said there is said elsewhere too. */
function write(level: LogLevel, text: string, cause?: unknown): void {
  if (target === null) return;
  const { folder, source } = target;
  const why = wordsOf(cause);
  try {
    appendLine(folder, formatLine(Date.now(), level, source, scrubber.scrub(why === "" ? text : `${text} · ${why}`)));
  } catch {
    // Nowhere to tell it.
  }
}

/** Lines of a stack that are kept: a line of the log has room for a few causes. */
const MOST_STACK_LINES = 12;

/** With its causes. */
function wordsOf(cause: unknown): string {
  if (cause === null || cause === undefined) return "";
  if (!(cause instanceof Error)) return typeof cause === "string" ? cause : JSON.stringify(cause);
  const stack = (cause.stack ?? cause.message).split("\n").slice(0, MOST_STACK_LINES).join("\n");
  const source = wordsOf(cause.cause);
  return source === "" ? stack : `${stack}\ncaused by ${source}`;
}

export const log = {
  /** Something failed. */
  error: (text: string, cause?: unknown) => write("error", text, cause),
  /** Something is not as it should be, and was dealt with. */
  warn: (text: string, cause?: unknown) => write("warn", text, cause),
  /** A start, an end, a change of the files. */
  info: (text: string, cause?: unknown) => write("info", text, cause),
  debug: (text: string, cause?: unknown) => write("debug", text, cause),
};
