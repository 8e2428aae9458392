import { once } from "node:events";
import { setImmediate as otherTurns } from "node:timers/promises";
import type { WriteStream } from "node:tty";
import { EXIT, Stop } from "../exit.ts";
import { streamErrors } from "./streamErrors.ts";
import { jsonText, visibleLines, snakeCase } from "./text.ts";
import { formatUtcShort } from "#shared/time/utc.ts";

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
}

/**
 * All output of the program. Results go to stdout; notes, warnings and progress to stderr, so that a pipe contains only
 * results. With `--json`, stdout is exactly one JSON document and stderr is one JSON object per line.
 */
export interface Output extends OutputOptions {
  /** Columns of the terminal at stdout; null if stdout is not a terminal: do not truncate. */
  readonly width: number | null;
  /** Prints the result for people; nothing with `--json`. */
  print(text: string | readonly string[]): void;
  /** Prints the result as JSON; nothing without `--json`. */
  document(value: unknown): void;
  /** Writes a part of a large result unchanged, with backpressure. @throws Stop if the reader closed the pipe */
  stream(text: string): Promise<void>;
  /** Prints a hint; nothing with `--quiet`. */
  note(text: string): void;
  /** Prints a warning. */
  warn(text: string): void;
  /** Prints an event as a JSON line on stderr, with `--json` and without `--quiet`. */
  event(name: string, data: object): void;
}

export function createOutput(
  options: OutputOptions,
  stdout: NodeJS.WriteStream = process.stdout,
  stderr: NodeJS.WriteStream = process.stderr,
): Output {
  const { json, quiet } = options;
  const message = (kind: string, text: string): void => {
    write(stderr, `${json ? jsonText({ event: kind, message: text }) : visibleLines(text)}\n`);
  };
  return {
    json,
    quiet,
    width: stdout.isTTY ? columnsOf(stdout) : null,
    print(text) {
      if (!json) write(stdout, `${visibleLines(typeof text === "string" ? text : text.join("\n"))}\n`);
    },
    document(value) {
      if (json) write(stdout, `${jsonText(toPlainJson(value), stdout.isTTY ? 2 : 0)}\n`);
    },
    async stream(text) {
      // Escaped on a terminal only, which would execute control sequences from others.
      const safe = stdout.isTTY ? visibleLines(text) : text;
      // `streamErrors` handles errors of the stream.
      if (!write(stdout, safe) && !streamErrors.isClosed(stdout)) await once(stdout, "drain").catch(() => undefined);
      await otherTurns();
      if (streamErrors.isClosed(stdout))
        throw streamErrors.fault() ?? new Stop(EXIT.ok, "The reader closed the output.");
    },
    note: (text) => void (quiet || message("note", text)),
    warn: (text) => message("warning", text),
    event(name, data) {
      if (json && !quiet) write(stderr, `${jsonText({ event: name, ...(toPlainJson(data) as object) })}\n`);
    },
  };
}

export function columnsOf(stream: Pick<WriteStream, "columns">): number {
  return Math.max(20, stream.columns || 80);
}

/** @returns false if the stream's buffer is full */
function write(stream: NodeJS.WriteStream, text: string): boolean {
  return streamErrors.isClosed(stream) || stream.write(text);
}

/**
 * Converts a value for `--json`: names in the service's style (`display_name`), times (`…Ms`) as ISO 8601 texts in UTC
 * under the name without `Ms`, and null for NaN and infinities.
 */
export function toPlainJson(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(toPlainJson);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    if (!name.endsWith("Ms") || typeof inner !== "number")
      return [snakeCase(name.replace(/Ms$/, "")), toPlainJson(inner)];
    return [snakeCase(name.slice(0, -2)), formatUtcShort(inner)];
  });
  return Object.fromEntries(entries);
}
