import type { ScheduleStage } from "#shared/bridge/methods/jobs.ts";
import type { AppFault } from "#shared/fault.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import type { LedgerRange } from "#shared/schedule/ledger.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import type { TimeRange } from "#shared/time/range.ts";
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
