import type { JobProgress, JobSpec } from "#shared/job/job.ts";
import type { VerdictCounts } from "#shared/job/verdict.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** A service that the user connected to. The operating system keeps its key. */
export interface ConnectionRecord {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly createdAtMs: UtcMs;
  /** Its cache file: a name in the data folder or, if it was moved, an absolute path. No two connections share one. */
  readonly cacheFile: string;
  /** `demo` is the embedded reference service; a `file` is a cache from somebody else, without a key. */
  readonly kind: "service" | "demo" | "file";
  /** Its proxy and file of certificates, see `NetworkRoute`; absent or null: as the system says. */
  readonly proxy?: string | null;
  readonly caFile?: string | null;
  /**
   * A move of its cache, by absolute paths, until the old file is deleted; both are the same for one that arrives from a
   * session file.
   */
  readonly moving?: { readonly from: string; readonly to: string } | null;
  /** Sentence that says why the connection cannot be used, if its stored record is damaged. */
  readonly damage?: string;
}

/** A stored download job, without its verdicts. */
export interface JobRecord {
  readonly id: string;
  readonly connectionId: string;
  readonly spec: JobSpec;
  /** A `JobViewState`; a job that was `running` when the program ended is resumed automatically. */
  readonly state: string;
  /** Sentence for the user, in states that need one. */
  readonly reason: string | null;
  readonly createdAtMs: UtcMs;
  readonly updatedAtMs: UtcMs;
  /** null before the first progress. */
  readonly counters: JobProgress | null;
  readonly verdictCounts: VerdictCounts | null;
  readonly keepUp: boolean;
  /** Next run of a job that keeps up with the service; clock of this computer. */
  readonly nextRunMs: UtcMs | null;
  /** Sentence that says why the job cannot run, if its stored record is damaged: it can only be deleted. */
  readonly damage?: string;
}

/** Kinds of records that the user names. */
export type NamedKind = "view" | "savedExport" | "schedule";

/** A value for JSON. Saved exports and schedules belong to a connection, views may. */
export interface NamedValue {
  readonly name: string;
  readonly connectionId?: string | null;
}

/** A saved view, a saved export or a schedule. The id of a view or an export is its name. */
export interface NamedRecord {
  readonly id: string;
  readonly name: string;
  /** null: the record is damaged. */
  readonly value: NamedValue | null;
}

/** A range in the ledger of a schedule. */
export interface ScheduleRangeRecord {
  readonly scheduleId: string;
  readonly startMs: UtcMs;
  readonly endMs: UtcMs;
  readonly dueMs: UtcMs;
  readonly isFinal: boolean;
  /** Names of its files, by which it is found. */
  readonly fileNames: readonly string[];
  /** A value for JSON. */
  readonly content: unknown;
}

/** Ranges of one state, from the first start to the last end. */
export interface RangeTally {
  readonly state: string | null;
  readonly count: number;
  readonly startMs: UtcMs;
  readonly endMs: UtcMs;
}

export interface ScheduleRunRecord {
  readonly id: string;
  readonly scheduleId: string;
  readonly startedMs: UtcMs;
  /** A value for JSON. */
  readonly content: unknown;
}
