import { once } from "node:events";
import { fstatSync, writeFileSync } from "node:fs";
import { setImmediate as otherTurns } from "node:timers/promises";
import type { WriteStream } from "node:tty";
import { diskSentence } from "#formats/error.ts";
import { lowerFirst } from "#shared/text.ts";
import { messageOf } from "#shared/fault.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { EXIT, Stop } from "../exit.ts";
import { jsonText, snakeCase, visibleLines } from "./text.ts";

/** Errors of the output streams. */
interface StreamErrors {
  /** Whether the stream's reader closed it, such as `| head`. */
  isClosed(stream: NodeJS.WriteStream): boolean;
  /** Why writing failed, for example on a full disk; null without an error, or if the reader closed the pipe. */
  fault(): Stop | null;
  /** Resolves when everything was written, or writing failed: only then is `fault` complete. */
  settled(): Promise<void>;
}

type OutputStream = NodeJS.WriteStream & { readonly fd: number };

/**
 * Handles stream errors so that they do not end the program: file exports and downloads continue.
 */
function watchStreamErrors(streams: readonly OutputStream[]): StreamErrors {
  const closed = new Set<NodeJS.WriteStream>();
  let fault: Stop | null = null;
  for (const stream of streams) {
    writeCompletely(stream);
    stream.on("error", (reason: NodeJS.ErrnoException) => {
      closed.add(stream);
      if (reason.code !== "EPIPE") fault ??= new Stop(EXIT.disk, sentence(stream, reason), reason);
    });
  }
  return {
    isClosed: (stream) => closed.has(stream),
    fault: () => fault,
    async settled() {
      await Promise.all(streams.filter((stream) => stream.writableLength > 0).map(flushed));
      // A stream reports the error of a write a few ticks later.
      await otherTurns();
    },
  };
}

export const streamErrors = watchStreamErrors([process.stdout, process.stderr]);

function sentence(stream: NodeJS.WriteStream, reason: Error): string {
  const name = stream === process.stderr ? "standard error" : "standard output";
  const known = diskSentence(reason);
  const why = known === null ? messageOf(reason) : lowerFirst(known);
  return `The output could not be written: ${why} (${name}). It is incomplete.`;
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.write("", () => resolve());
  });
}

/**
 * If a disk fills up in the middle of a write, the system writes the first part and reports no error. The stream of
 * Node.js for a file then drops the rest; another write of the rest reports the error.
 */
function writeCompletely(stream: OutputStream): void {
  if (!isFile(stream)) return;
  stream._write = (chunk: Buffer, _encoding, done) => {
    try {
      writeFileSync(stream.fd, chunk);
    } catch (thrown) {
      return done(thrown as Error);
    }
    done();
  };
}

function isFile({ fd }: OutputStream): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

interface OutputOptions {
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
      if (json) write(stdout, `${jsonText(versioned(value), stdout.isTTY ? 2 : 0)}\n`);
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

/** Version of the form of all documents: a change that breaks a script raises it. */
export const JSON_VERSION = 1;

function versioned(value: unknown): unknown {
  const plain = toPlainJson(value);
  return typeof plain === "object" && plain !== null && !Array.isArray(plain)
    ? { version: JSON_VERSION, ...plain }
    : { version: JSON_VERSION, value: plain };
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
