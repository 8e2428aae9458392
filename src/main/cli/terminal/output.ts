import { once } from "node:events";
import { fstatSync, writeFileSync } from "node:fs";
import { setImmediate as otherTurns } from "node:timers/promises";
import type { WriteStream } from "node:tty";
import { diskSentence } from "#formats/error.ts";
import { lowerFirst } from "#shared/text.ts";
import { messageOf } from "#shared/fault.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { csvLine } from "#shared/file/csv.ts";
import { EXIT, Stop, usage } from "../exit.ts";
import { chosenColumns, csvCells, type Columns, columnWord, table } from "./table.ts";
import { jsonText, snakeCase, visibleLines } from "./text.ts";

type OutputStream = NodeJS.WriteStream & { readonly fd: number };

/** Handles stream errors so that they do not end the program: file exports and downloads continue. */
class StreamErrors {
  readonly #streams: readonly OutputStream[];
  readonly #closed = new Set<NodeJS.WriteStream>();
  #fault: Stop | null = null;

  constructor(streams: readonly OutputStream[]) {
    this.#streams = streams;
    for (const stream of streams) {
      writeCompletely(stream);
      stream.on("error", (reason: NodeJS.ErrnoException) => {
        this.#closed.add(stream);
        if (reason.code !== "EPIPE") this.#fault ??= new Stop(EXIT.disk, sentence(stream, reason), reason);
      });
    }
  }

  /** Whether the stream's reader closed it, such as `| head`. */
  isClosed(stream: NodeJS.WriteStream): boolean {
    return this.#closed.has(stream);
  }

  /** Why writing failed, for example on a full disk; null without an error, or if the reader closed the pipe. */
  fault(): Stop | null {
    return this.#fault;
  }

  /** Resolves when everything was written, or writing failed: only then is `fault` complete. */
  async settled(): Promise<void> {
    await Promise.all(this.#streams.filter((stream) => stream.writableLength > 0).map(flushed));
    // A stream reports the error of a write a few ticks later.
    await otherTurns();
  }
}

export const streamErrors = new StreamErrors([process.stdout, process.stderr]);

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
  /** Tables as CSV on stdout, and all other text on stderr. */
  readonly csv?: boolean;
  /** The columns of tables, by their titles. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * All output of the program. Results go to stdout; notes, warnings and progress to stderr, so that a pipe contains only
 * results. With `--json`, stdout is exactly one JSON document and stderr is one JSON object per line.
 *
 * `--quiet` leaves errors, why a result is not what was asked for, and data for programs: documents, CSV, piped rows, scripts.
 */
export class Output {
  readonly #options: OutputOptions;
  readonly #stdout;
  readonly #stderr;
  readonly json;
  readonly quiet;
  readonly csv;
  /** Columns of the terminal at stdout; null if stdout is not a terminal: do not truncate. */
  readonly width: number | null;

  constructor(
    options: OutputOptions,
    stdout: NodeJS.WriteStream = process.stdout,
    stderr: NodeJS.WriteStream = process.stderr,
  ) {
    this.#options = options;
    this.#stdout = stdout;
    this.#stderr = stderr;
    ({ json: this.json, quiet: this.quiet, csv: this.csv } = options);
    this.width = stdout.isTTY ? terminalWidth(stdout) : null;
  }

  /** Prints text for people: what was found, or what a command did; nothing with `--json` or `--quiet`. */
  print(text: string | readonly string[]): void {
    if (!this.json && !this.quiet)
      writeText(
        this.csv ? this.#stderr : this.#stdout,
        `${visibleLines(typeof text === "string" ? text : text.join("\n"))}\n`,
      );
  }

  /** Prints a text that was asked for as such, such as a script; nothing with `--json`. */
  text(text: string): void {
    if (!this.json) writeText(this.#stdout, `${visibleLines(text)}\n`);
  }

  /**
   * Prints a table with a row for each item, with `--quiet` as CSV only; nothing with `--json`.
   *
   * @param ifEmpty a sentence instead of a table without rows
   * @throws Stop for a chosen column that it lacks
   */
  table<T>(items: readonly T[], columns: Columns<T>, ifEmpty?: string): void {
    if (items.length === 0 && ifEmpty !== undefined) return this.print(ifEmpty);
    if (this.json) return;
    const { columns: names } = this.#options;
    const chosen = names === undefined ? columns : chosenColumns(columns, names);
    const titles = Object.keys(columns).map(columnWord);
    if (chosen === null) throw usage(`--columns: this table has ${titles.join(", ")}, and no others.`);
    if (this.quiet && !this.csv) return;
    const lines = this.csv ? csvCells(items, chosen).map(csvLine) : table(items, chosen, this.width);
    if (lines.length > 0) writeText(this.#stdout, `${visibleLines(lines.join("\n"))}\n`);
  }

  /**
   * Prints the result as JSON; nothing without `--json`. `scripts/jsonSchemas.ts` writes the schema of each name from the
   * types of the values.
   */
  document(name: string, value: object): void {
    const plain = { ...documentHead(name), ...(toPlainJson(value) as object) };
    if (this.json) writeText(this.#stdout, `${jsonText(plain, this.#stdout.isTTY ? 2 : 0)}\n`);
  }

  /** Writes a part of a large result unchanged, with backpressure. @throws Stop if the reader closed the pipe */
  async stream(text: string): Promise<void> {
    // Escaped on a terminal only, which would execute control sequences from others.
    const safe = this.#stdout.isTTY ? visibleLines(text) : text;
    // `streamErrors` handles errors of the stream.
    if (!writeText(this.#stdout, safe) && !streamErrors.isClosed(this.#stdout))
      await once(this.#stdout, "drain").catch(() => undefined);
    await otherTurns();
    if (streamErrors.isClosed(this.#stdout))
      throw streamErrors.fault() ?? new Stop(EXIT.ok, "The reader closed the output.");
  }

  /** Prints a hint; nothing with `--quiet`. */
  note(text: string): void {
    if (!this.quiet) this.#message("note", text);
  }

  /** Prints a warning; nothing with `--quiet`. */
  warn(text: string): void {
    if (!this.quiet) this.#message("warning", text);
  }

  /** Prints an error. */
  error(text: string): void {
    this.#message("error", text);
  }

  /** Prints why a result is not what was asked for, also with `--quiet`: as a note, because the exit code says so too. */
  shortfall(text: string): void {
    this.#message("note", text);
  }

  /** Prints an event as a JSON line on stderr, with `--json` and without `--quiet`. */
  event(name: string, data: object): void {
    if (this.json && !this.quiet)
      writeText(this.#stderr, `${jsonText({ event: name, ...(toPlainJson(data) as object) })}\n`);
  }

  #message(kind: string, text: string): void {
    writeText(this.#stderr, `${this.json ? jsonText({ event: kind, message: text }) : visibleLines(text)}\n`);
  }
}

/** Version of the form of all documents: a change that breaks a script raises it. */
export const JSON_VERSION = 1;

/** The first fields of every document; its name is that of its schema in docs/json. */
export function documentHead(name: string): { readonly version: number; readonly document: string } {
  return { version: JSON_VERSION, document: name };
}

export function terminalWidth(stream: Pick<WriteStream, "columns">): number {
  return Math.max(20, stream.columns || 80);
}

/** @returns false if the stream's buffer is full */
function writeText(stream: NodeJS.WriteStream, text: string): boolean {
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
