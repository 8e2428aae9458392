import { z } from "zod";
import { VERDICT_STATES } from "../job/verdict.ts";

/** Runs of a schedule that are kept. */
export const MOST_RUNS = 100;
/** Causes of a run that are kept, and stations of each. */
export const MOST_CAUSES = 50;
export const MOST_STATIONS_OF_A_CAUSE = 50;

const moment = z.number();

/**
 * - running: under way, or its program was killed
 * - ok: everything that can be had is cached, and every file is written
 * - incomplete: the service withheld a part; files are written and say so
 * - failed: nothing came, or a file could not be written
 * - stopped: by the user
 * - interrupted: the program ended before the run did
 */
export const RUN_STATES = ["running", "ok", "incomplete", "failed", "stopped", "interrupted"] as const;

export const scheduleRun = z.object({
  id: z.string(),
  scheduleId: z.string(),
  startedMs: moment,
  endedMs: moment.nullable(),
  /** By its time, later than its time, or by the user. */
  trigger: z.enum(["time", "missed", "user"]),
  state: z.enum(RUN_STATES),
  /** A sentence for the user where the state needs one. */
  reason: z.string().nullable(),
  /** What kind of fault ended it, as exit codes have it. */
  faultKind: z.enum(["usage", "key", "network", "service", "disk", "engine", "cancelled"]).nullable(),
  range: z.object({ startMs: moment, endMs: moment }).nullable(),
  stations: z.number(),
  /** Rows that were downloaded, and requests that were sent for them. */
  rows: z.number(),
  requests: z.number(),
  /** Why parts of the range have no data, the worst first. */
  missing: z.array(
    z.object({
      state: z.enum(VERDICT_STATES),
      reason: z.string().nullable(),
      stations: z.number(),
      /** The first of them. */
      stationIds: z.array(z.string()),
    }),
  ),
  /** Sentences on stations with missing values, and on faults that left the data files intact, such as a missing figure. */
  remarks: z.array(z.string()).default([]),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), rows: z.number() })),
  /** Rows that were deleted from the cache for their age. */
  forgottenRows: z.number(),
  /** Downloads of this run that are still in the list of jobs. */
  jobIds: z.array(z.string()),
});

/** What a run of a schedule did. */
export type ScheduleRun = z.output<typeof scheduleRun>;
