import type { Schedule } from "#shared/schedule/schedule.ts";

/** A program for the system to start. */
export interface TimedProgram {
  readonly schedule: Pick<Schedule, "name" | "when">;
  /** Valid as a file name on every system. */
  readonly id: string;
  /** The program and its arguments, with absolute paths. */
  readonly words: readonly string[];
}
