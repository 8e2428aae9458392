import type { Schedule } from "#shared/schedule/schedule.ts";

/** A program that the system is to start. */
export interface TimedProgram {
  readonly schedule: Pick<Schedule, "name" | "when">;
  /** A name of a file on every system. */
  readonly id: string;
  /** The program and its arguments, with whole paths. */
  readonly words: readonly string[];
}
