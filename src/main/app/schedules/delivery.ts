import { randomUUID } from "node:crypto";
import type { ScheduleStage } from "#shared/bridge/methods/jobs.ts";
import type { AppFault } from "#shared/fault.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import { type LedgerRange, ON_TIME_MS } from "#shared/schedule/ledger.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { formatRange, type TimeRange } from "#shared/time/range.ts";
import type { FigureSettings } from "#shared/file/figure.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Connections, OpenConnection } from "../connections/connections.ts";
import type { DrawFigure } from "../exports/figure.ts";
import type { SavedExports } from "../namedRecords.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { GuardedWrite } from "../storage/ownFiles.ts";
import type { ScheduleStore } from "./scheduleStore.ts";
import type { RangePlan } from "./plan.ts";
import { silentSentence, silentStations } from "#shared/schedule/silence.ts";
import { many } from "#shared/text.ts";
import { MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import { currentCatalogue, MAX_CATALOGUE_AGE_MS } from "../../sync/catalogue.ts";
import type { StoredSchedule, Unfinished } from "./ledger.ts";

/** Result of a download for a run. */
export interface Downloaded {
  /** Null if the job was removed. */
  readonly jobId: string | null;
  /** Null if it finished. */
  readonly fault: AppFault | null;
  readonly rows: number;
  readonly requests: number;
  readonly verdicts: readonly Verdict[];
}

/** What runs of schedules need of the application. */
export interface RunnerContext {
  readonly store: ScheduleStore;
  readonly connections: Pick<Connections, "find" | "open">;
  readonly jobs: Jobs;
  readonly queue: Pick<JobQueue, "list" | "remove">;
  readonly savedExports: Pick<SavedExports, "find">;
  readonly writeGuarded: GuardedWrite;
  readonly draw: DrawFigure;
  /** The user's settings for saved figures. */
  readonly look: () => FigureSettings;
  readonly clock: Clock;
  readonly dataFolder: string;
}

export interface ScheduleRunOptions {
  readonly trigger: ScheduleRun["trigger"];
  readonly signal: AbortSignal;
  /** Downloads missing data: in the queue, or for the command line. */
  readonly download: (connection: OpenConnection, spec: JobSpec) => Promise<Downloaded>;
  readonly onStage?: (stage: ScheduleStage) => void;
}

/** A range with its downloads and files. */
export interface PlannedRange {
  readonly range: LedgerRange;
  readonly plan: RangePlan;
  /** Whether its files are written even if nothing changed. */
  readonly isForced: boolean;
}

/** What became of the ranges that a run worked on. */
export interface Delivery {
  readonly loads: Downloaded[];
  readonly verdicts: Verdict[];
  readonly files: ScheduleRun["files"];
  readonly remarks: string[];
  readonly alarms: string[];
  delivered: number;
  /** Why the last range that was not delivered failed; null if all were. */
  fault: AppFault | null;
  /** Whether somebody removed the schedule during the run, which then wrote nothing more. */
  isRemoved: boolean;
}

/** Whether two ranges are the same one of a ledger. */
export function isSameRange(a: TimeRange, b: TimeRange): boolean {
  return a.startMs === b.startMs && a.endMs === b.endMs;
}

// What a run of a schedule says of itself: its record, state and sentences.

/** Abort reason of a run that the next start of the program repeats. */
export const CLOSING = "closing";

export function abortedState({ reason }: AbortSignal): Partial<ScheduleRun> {
  return reason === CLOSING
    ? { state: "interrupted", reason: "The program was closed before the run ended." }
    : { state: "stopped", reason: null, faultKind: "cancelled" };
}

export function failedBy({ message, kind }: AppFault): Partial<ScheduleRun> {
  return { state: "failed", reason: message, faultKind: kind };
}

/** A run as it is stored before any work is done. */
export function newRun(scheduleId: string, trigger: ScheduleRun["trigger"], startedMs: UtcMs): ScheduleRun {
  return {
    id: randomUUID(),
    scheduleId,
    startedMs,
    endedMs: null,
    trigger,
    state: "running",
    reason: null,
    faultKind: null,
    range: null,
    ranges: 0,
    delivered: 0,
    stations: 0,
    rows: 0,
    requests: 0,
    missing: [],
    remarks: [],
    alarms: [],
    files: [],
    forgottenRows: 0,
    jobIds: [],
  };
}

/** Sentences on stations that are silent, by a catalogue that is a minute old at most. */
export async function silenceAlarms(
  { session }: OpenConnection,
  { schedule: { silentMinutes } }: StoredSchedule,
  stationIds: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  if (silentMinutes === null || signal.aborted) return [];
  const catalogue = await currentCatalogue(session, MAX_CATALOGUE_AGE_MS, signal, 0);
  if (!catalogue.ok) return [`Silent stations could not be checked: ${catalogue.error.message}`];
  const limitMs = silentMinutes * MINUTE_MS;
  const silent = silentStations(catalogue.value, stationIds, limitMs, session.serverNowMs());
  return [silentSentence(silent, limitMs)].filter((sentence) => sentence !== null);
}

/** Why a run that nobody asked for starts now. */
export function triggerOf(ranges: readonly LedgerRange[], nowMs: UtcMs): ScheduleRun["trigger"] {
  const fresh = ranges.filter((range) => range.tries === 0);
  if (fresh.length === 0) return "retry";
  return fresh.some(({ dueMs }) => nowMs - dueMs > ON_TIME_MS) ? "missed" : "time";
}

/** Complete means complete since the schedule began, whatever this run did. */
export function runState({ counts }: Unfinished): ScheduleRun["state"] {
  const { due, failed, incomplete, mayStillArrive } = counts;
  if (due + failed + incomplete > 0) return "incomplete";
  return mayStillArrive > 0 ? "mayStillArrive" : "ok";
}

/**
 * `2 ranges are not delivered (2026-11-03 → 2026-11-05). 1 of them is not tried any more: it is older than 30 days.`; null
 * if all are delivered.
 */
export function openSentence({ counts, undelivered, tooOld }: Unfinished, catchUpDays: number): string | null {
  if (undelivered === null) return null;
  const missing = counts.due + counts.failed;
  const all = `${many(missing, "range")} ${missing === 1 ? "is" : "are"} not delivered (${formatRange(undelivered)}).`;
  if (tooOld === 0) return all;
  const old = tooOld === 1 ? "is not tried any more: it is" : "are not tried any more: they are";
  return `${all} ${tooOld} of them ${old} older than ${many(catchUpDays, "day")}.`;
}

/** Maximum number of remarks of a run. */
const MAX_REMARKS = 12;

export function shortened(remarks: readonly string[]): string[] {
  if (remarks.length <= MAX_REMARKS) return [...remarks];
  return [...remarks.slice(0, MAX_REMARKS), `And ${remarks.length - MAX_REMARKS} more remarks.`];
}
