import { z } from "zod";
import { moment } from "../bridge/methods/schemas.ts";
import { variableSchema } from "../service/query.ts";

import type { TimeRange } from "../time/range.ts";
import { DAY_MS, MINUTE_MS, type UtcMs } from "../time/utc.ts";
import { missingPart, scheduledFile } from "./run.ts";
import { type Schedule, scheduledRange } from "./schedule.ts";
import { nextTime } from "./when.ts";

/** Maximum number of stored ranges of a schedule: a month of one a minute. */
export const MAX_RANGES = 50_000;

/**
 * - due: not tried yet
 * - failed: tried, and the files are not written
 * - incomplete: delivered, without parts that the service withheld or did not answer
 * - mayStillArrive: delivered, but data may still arrive or change
 * - final: delivered, and nothing will change any more
 */
export const RANGE_STATES = ["due", "failed", "incomplete", "mayStillArrive", "final"] as const;
export type RangeState = (typeof RANGE_STATES)[number];

export const ledgerRange = z.object({
  /** The range of the data; end excluded. */
  startMs: moment,
  endMs: moment,
  /** The planned time that made it due. */
  dueMs: moment,
  state: z.enum(RANGE_STATES),
  /** Tries since the state last improved, and the start of the last one. */
  tries: z.number().int(),
  triedMs: moment.nullable(),
  /** No further try before this time, unless the user asks for one. */
  nextTryMs: moment.nullable(),
  /** A sentence on why the last try did not deliver it, or why parts are missing. */
  reason: z.string().nullable(),
  /** When its files were written last; without files, when its data were complete in the cache. */
  deliveredMs: moment.nullable(),
  /** Received share of the expected values of the least complete quantity, and which that is; null if unknown. */
  complete: z.number().nullable(),
  completeOf: variableSchema.nullable(),
  /** Whether a run has raised an alarm for it. */
  hasAlarm: z.boolean(),
  /** Why parts have no data, worst first. */
  missing: z.array(missingPart),
  files: z.array(scheduledFile),
  /** Checksum of the rows from which the files were written; null before. */
  content: z.string().nullable(),
  /** What the cache knew of them then, as a number that differs once it has changed; null before. */
  mark: z.number().nullable(),
  /** The list of stations of its files; null before. */
  stations: z.string().nullable(),
  /** Complete files that a run was about to give their names: after a kill they are files of this schedule, too. */
  writing: z.array(scheduledFile),
});

/** A range of a schedule: when it was due, tried and delivered. */
export type LedgerRange = z.output<typeof ledgerRange>;

export const RANGE_STATE_WORDS: Readonly<Record<RangeState, string>> = {
  due: "due",
  failed: "failed",
  incomplete: "incomplete",
  mayStillArrive: "data may still arrive",
  final: "final",
};

/** A range that has just become due. */
export function dueRange({ startMs, endMs }: TimeRange, dueMs: UtcMs): LedgerRange {
  return {
    startMs,
    endMs,
    dueMs,
    state: "due",
    tries: 0,
    triedMs: null,
    nextTryMs: null,
    reason: null,
    deliveredMs: null,
    complete: null,
    completeOf: null,
    hasAlarm: false,
    missing: [],
    files: [],
    content: null,
    mark: null,
    stations: null,
    writing: [],
  };
}

/** Delivered ranges are checked for late data at least this long. */
const WATCHED_MS = 4 * DAY_MS;
/** A run may start this late without having missed its time. */
export const ON_TIME_MS = 2 * MINUTE_MS;

/** A time service corrects a clock by less than this. */
export const CORRECTION_MS = 2 * MINUTE_MS;

/** Whether a range has become due; one that has not was entered while the clock of this computer was ahead. */
export function isPlannedBy({ dueMs }: Pick<LedgerRange, "dueMs">, nowMs: UtcMs): boolean {
  return dueMs <= nowMs + CORRECTION_MS;
}

/**
 * Returns whether runs still work on a range: it is neither final nor too old. Several planned times can have the same
 * range, such as the last month; it is too old once the last of them is. A delivered one counts from when its files were
 * written last. One that was never delivered is never too old if the user chose a start of the first range.
 */
export function openAt(schedule: Schedule, nowMs: UtcMs): (range: LedgerRange) => boolean {
  const { catchUpDays, sinceMs, when } = schedule;
  const since = (shortestMs: number) => {
    const fromMs = nowMs - Math.max(catchUpDays * DAY_MS, shortestMs);
    const plannedMs = nextTime(when, fromMs - 1);
    return { fromMs, again: plannedMs > nowMs ? null : scheduledRange(schedule, plannedMs) };
  };
  const waiting = since(ON_TIME_MS);
  const delivered = since(WATCHED_MS);
  return (range) => {
    const { state, dueMs, deliveredMs, startMs, endMs } = range;
    if (state === "final" || !isPlannedBy(range, nowMs)) return false;
    const isWaiting = state === "due" || state === "failed";
    if (isWaiting && sinceMs !== null) return true;
    const { fromMs, again } = isWaiting ? waiting : delivered;
    return Math.max(dueMs, deliveredMs ?? dueMs) >= fromMs || (again?.startMs === startMs && again.endMs === endMs);
  };
}

const SHORTEST_WAIT_MS = 5 * MINUTE_MS;

/**
 * When a range is tried again: after about 5 minutes, 10 … 320 after failures, 10 … 640 for data that may still arrive.
 * Each wait ends at a multiple of itself, where all shorter ones end, too: ranges that wait are tried together, so that
 * what they lack is requested once, however many there are.
 */
export function nextTryAt(state: RangeState, tries: number, nowMs: UtcMs): UtcMs {
  const { first, last } = state === "mayStillArrive" ? { first: 1, last: 7 } : { first: 0, last: 6 };
  const waitMs = SHORTEST_WAIT_MS * 2 ** Math.min(first + Math.max(tries, 1) - 1, last);
  return Math.round(nowMs / waitMs + 1) * waitMs;
}

/** Number of ranges in each state. */
export type LedgerCounts = Readonly<Record<RangeState, number>>;

export function countStates(ranges: readonly Pick<LedgerRange, "state">[]): Record<RangeState, number> {
  const counts = { due: 0, failed: 0, incomplete: 0, mayStillArrive: 0, final: 0 };
  for (const { state } of ranges) counts[state]++;
  return counts;
}
