import { z } from "zod";
import { LOG_LEVELS, type LogLine } from "#shared/logLine.ts";
import { method } from "../method.ts";

/** The log of the data folder: starts, ends, failures and their causes. It contains no API key. */
export const log = {
  /** The newest lines of at least this severity, oldest first. Faults: disk. */
  read: method<{ readonly path: string; readonly lines: readonly LogLine[] }>()(
    z.object({ level: z.enum(LOG_LEVELS), most: z.number().int().min(1).max(5_000) }),
  ),
  /** Adds an error of the page. */
  report: method<null>()(z.object({ text: z.string().min(1).max(20_000) })),
};
