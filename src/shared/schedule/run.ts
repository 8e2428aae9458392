import { z } from "zod";
import { moment } from "../bridge/methods/schemas.ts";
import { VERDICT_STATES } from "../job/verdict.ts";

/** Maximum number of stored runs of a schedule. */
export const MAX_RUNS = 100;
/** Maximum number of stored causes of a run, and of stations of each. */
export const MAX_CAUSES = 50;
export const MAX_STATIONS_PER_CAUSE = 50;

/** Why a part of a range has no data. */
export const missingPart = z.object({
  state: z.enum(VERDICT_STATES),
  reason: z.string().nullable(),
  stations: z.number(),
  /** The first stations. */
  stationIds: z.array(z.string()),
});

/** A file that a run wrote. */
export const scheduledFile = z.object({
  path: z.string(),
  bytes: z.number(),
  rows: z.number(),
  /** Time of its last change after the run, as the disk reports it; null if unknown. */
  modifiedMs: moment.nullable(),
});

/**
 * - running: in progress, or its program was killed
 * - ok: every range since the schedule began is delivered and complete
 * - mayStillArrive: every range is delivered; data of some may still arrive or change
 * - incomplete: a range was not delivered, or the service withheld a part of one
 * - failed: no range was delivered
 * - stopped: by the user
 * - interrupted: the program ended before the run did
 */
const RUN_STATES = ["running", "ok", "mayStillArrive", "incomplete", "failed", "stopped", "interrupted"] as const;

export const scheduleRun = z.object({
  id: z.string(),
  scheduleId: z.string(),
  startedMs: moment,
  endedMs: moment.nullable(),
  /** Started on time, for missed ranges, to try again or look for late data, or by the user. */
  trigger: z.enum(["time", "missed", "retry", "user"]),
  state: z.enum(RUN_STATES),
  /** A sentence for the user if the state needs one. */
  reason: z.string().nullable(),
  /** Kind of the fault that ended it, for exit codes. */
  faultKind: z.enum(["usage", "key", "network", "service", "disk", "core", "cancelled"]).nullable(),
  /** From the first to the last range that it worked on; null if there was none. */
  range: z.object({ startMs: moment, endMs: moment }).nullable(),
  /** Ranges that it worked on, and those of them with files written. */
  ranges: z.number(),
  delivered: z.number(),
  stations: z.number(),
  /** Downloaded rows and sent requests. */
  rows: z.number(),
  requests: z.number(),
  /** Why parts of the range have no data, worst first. */
  missing: z.array(missingPart),
  /** Sentences on stations with missing values, and on faults that left the data files intact, such as a missing figure. */
  remarks: z.array(z.string()),
  /** Sentences on stations that are silent, or less complete than the schedule allows. */
  alarms: z.array(z.string()),
  files: z.array(scheduledFile),
  /** Rows deleted from the cache because of their age. */
  forgottenRows: z.number(),
  /** Downloads of this run that are still in the list of jobs. */
  jobIds: z.array(z.string()),
});

/** A run of a schedule and its results. */
export type ScheduleRun = z.output<typeof scheduleRun>;
