import { once } from "node:events";
import { setImmediate as otherTurns } from "node:timers/promises";
import type { WriteStream } from "node:tty";
import { EXIT, Stop } from "../exit.ts";
import { readers } from "./readers.ts";
import { jsonText, visibleLines } from "./text.ts";
import { formatUtcShort } from "#shared/time/utc.ts";

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
}

/**
 * Everything the program says. Results go to stdout; notes, warnings and progress to stderr, so that a pipe carries
 * results only. With `--json`, stdout is exactly one JSON document and stderr is one JSON object per line.
 */
export interface Output extends OutputOptions {
  /** Columns of the terminal behind stdout; null where there is none, and nothing should be cut. */
  readonly width: number | null;
  /** The result for people; nothing with `--json`. */
  print(text: string | readonly string[]): void;
  /** The result for machines; nothing without `--json`. */
  document(value: unknown): void;
  /** A piece of a large result as it is, waiting where the reader is slower. @throws Stop where there is none any more */
  stream(text: string): Promise<void>;
  /** What helps but is no result; nothing with `--quiet`. */
  note(text: string): void;
  /** What must not be missed. */
  warn(text: string): void;
  /** For machines that follow: a line on stderr with `--json`, unless `--quiet`. */
  event(name: string, data: object): void;
}

export function createOutput(
  options: OutputOptions,
  stdout: NodeJS.WriteStream = process.stdout,
  stderr: NodeJS.WriteStream = process.stderr,
): Output {
  const { json, quiet } = options;
  const tell = (kind: string, text: string): void => {
    say(stderr, `${json ? jsonText({ event: kind, message: text }) : visibleLines(text)}\n`);
  };
  return {
    json,
    quiet,
    width: stdout.isTTY ? columnsOf(stdout) : null,
    print(text) {
      if (!json) say(stdout, `${visibleLines(typeof text === "string" ? text : text.join("\n"))}\n`);
    },
    document(value) {
      if (json) say(stdout, `${jsonText(plain(value), stdout.isTTY ? 2 : 0)}\n`);
    },
    async stream(text) {
      // A pipe gets it as it is; a terminal would obey what strangers wrote into it.
      const safe = stdout.isTTY ? visibleLines(text) : text;
      // A stream that fails has been heard of: see `readers`.
      if (!say(stdout, safe) && !readers.isGone(stdout)) await once(stdout, "drain").catch(() => undefined);
      await otherTurns();
      if (readers.isGone(stdout)) throw readers.fault() ?? new Stop(EXIT.ok, "The reader closed the output.");
    },
    note: (text) => void (quiet || tell("note", text)),
    warn: (text) => tell("warning", text),
    event(name, data) {
      if (json && !quiet) say(stderr, `${jsonText({ event: name, ...(plain(data) as object) })}\n`);
    },
  };
}

export function columnsOf(stream: Pick<WriteStream, "columns">): number {
  return Math.max(20, stream.columns || 80);
}

/** @returns whether the stream takes more at once */
function say(stream: NodeJS.WriteStream, text: string): boolean {
  return readers.isGone(stream) || stream.write(text);
}

/**
 * A value as `--json` prints it: names in the service's style (`display_name`), moments (`…Ms`) as ISO 8601 texts in
 * UTC under the name without `Ms`, and null for a number that JSON does not have.
 */
export function plain(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    if (!name.endsWith("Ms") || typeof inner !== "number") return [snake(name.replace(/Ms$/, "")), plain(inner)];
    return [snake(name.slice(0, -2)), formatUtcShort(inner)];
  });
  return Object.fromEntries(entries);
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
}
