import { z } from "zod";
import { method } from "../method.ts";

/** In order of decreasing severity. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A line of the log. */
export interface LogLine {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly level: LogLevel;
  /** Part of the program with its process id: `core[1234]`. */
  readonly source: string;
  /** Line breaks are escaped as `\n`. */
  readonly text: string;
}

/** The log of the data folder: starts, ends, failures and their causes. It contains no API key. */
export const log = {
  /** The newest lines of at least this severity, oldest first. Faults: disk. */
  read: method<{ readonly path: string; readonly lines: readonly LogLine[] }>()(
    z.object({ level: z.enum(LOG_LEVELS), most: z.number().int().min(1).max(5_000) }),
  ),
  /** Adds an error of the page. */
  report: method<null>()(z.object({ text: z.string().min(1).max(20_000) })),
};
