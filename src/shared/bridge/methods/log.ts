import { z } from "zod";
import { method } from "../method.ts";

/** From what went wrong to what is only of use to developers. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A line of the log. */
export interface LogLine {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly level: LogLevel;
  /** Part of the program, with the number of its process: `core[1234]`. */
  readonly source: string;
  /** Line breaks are written as `\n`. */
  readonly text: string;
}

/** The log of the data folder: what was started, what ended, what failed and why. No API key is in it. */
export const log = {
  /** The newest lines of a level and those above it, oldest first. Faults: disk. */
  read: method<{ readonly path: string; readonly lines: readonly LogLine[] }>()(
    z.object({ level: z.enum(LOG_LEVELS), most: z.number().int().min(1).max(5_000) }),
  ),
  /** Adds what failed in the page itself. */
  report: method<null>()(z.object({ text: z.string().min(1).max(20_000) })),
};
