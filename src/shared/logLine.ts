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
