import type { JobProgress, JobSpec } from "#shared/job/job.ts";
import type { Verdict, VerdictCounts } from "#shared/job/verdict.ts";
import { sumIrregularities } from "#shared/series/rows.ts";
import { type JobOutcome, runJob } from "../../sync/job.ts";
import { seriesVerdicts } from "../../sync/verdicts.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { Session } from "../../sync/session.ts";
import { aligned, isPending } from "./records.ts";
import { openRefresh, type Refresh } from "./refresh.ts";
import { saveSpeed } from "./speed.ts";
import { createPace } from "../pace.ts";
import type { Cache, JobRecord, UserStore } from "../../store/index.ts";

/**
 * Adds the statistics of a resumed run to those of the whole job. Data that was missing at its start counts as done once
 * it is cached, whoever downloaded it. A finished job starts from zero.
 *
 * @param before the stored statistics; null if it never ran
 */
function mergeProgress(before: JobProgress | null, run: JobProgress): JobProgress {
  if (before === null || before.state === "finished") return run;
  // It waits for the service and has not counted missing data yet.
  if (run.state === "running" && run.pointsTotal === 0) {
    const { waitingUntilMs, outage = null } = run;
    return { ...before, state: "running", secondsLeft: null, waitingUntilMs, outage };
  }
  const pointsTotal = Math.max(before.pointsTotal, run.pointsTotal);
  return {
    ...run,
    pointsTotal,
    pointsDone: pointsTotal - run.pointsTotal + run.pointsDone,
    rows: before.rows + run.rows,
    bodyBytes: before.bodyBytes + run.bodyBytes,
    requestsSent: before.requestsSent + run.requestsSent,
    splits: before.splits + run.splits,
    retries: before.retries + run.retries,
    putOff: before.putOff + run.putOff,
    irregularities: sumIrregularities([before.irregularities, run.irregularities]),
  };
}

/** Why a run is stopped. `interrupted`: by the program; the job continues by itself. */
export type StopReason = "paused" | "cancelled" | "interrupted";

/** A run in progress. */
export interface Run {
  readonly signal: AbortSignal;
  /** Why the signal was aborted; null if that cancels the job. */
  stoppedFor: StopReason | null;
  /** Statistics of the whole job, not only of this run. */
  progress: JobProgress | null;
  /** Called with the statistics of the whole job whenever they change. */
  onProgress?: ((progress: JobProgress) => void) | undefined;
}

/** State of a job after a run. */
export interface RunEnd {
  readonly record: JobRecord;
  readonly state: JobOutcome["state"] | "paused" | "interrupted";
  /** Statistics of the whole job, for display. */
  readonly statistics: JobProgress;
  /** Result of this run alone. */
  readonly outcome: JobOutcome;
  /** Empty if the job has not ended. */
  readonly verdicts: readonly Verdict[];
}

/** Margin for the service's clock, known to 2 s: a run that starts too early would treat provisional data as recent. */
const CLOCK_MARGIN_MS = 3_000;

/**
 * Runs a job once, for a window or the command line, and stores the result. A job that keeps up requests data up to the
 * service's current time from its second run on.
 *
 * @returns null if another run, here or in another process, has claimed the job or ended it meanwhile
 * @throws StoreError
 */
export async function runOnce(
  users: UserStore,
  connection: OpenConnection,
  given: JobRecord,
  run: Run,
): Promise<RunEnd | null> {
  const release = connection.session.claims.claimJob(given.id);
  if (release === null) return null;
  try {
    const job = users.job(given.id) ?? given;
    if (isPending(given) && !isPending(job)) return null;
    return await runClaimed(users, connection, job, run);
  } finally {
    release();
  }
}

async function runClaimed(
  users: UserStore,
  { session, cache }: OpenConnection,
  job: JobRecord,
  run: Run,
): Promise<RunEnd> {
  const { clock } = session;
  const spec = job.keepUp && job.verdictCounts !== null ? upTo(job.spec, session.serverNowMs()) : job.spec;
  const started: JobRecord = {
    ...job,
    spec,
    state: "running",
    reason: null,
    nextRunMs: null,
    updatedAtMs: clock.wallMs(),
  };
  users.putJob(started);
  const refresh = spec.refresh ? openRefresh(users, session, { id: job.id, spec }) : null;
  try {
    return await runStarted(users, { session: refresh?.session ?? session, cache, refresh }, started, run);
  } finally {
    refresh?.close();
  }
}

interface RunTarget {
  readonly session: Session;
  readonly cache: Cache;
  readonly refresh: Refresh | null;
}

async function runStarted(
  users: UserStore,
  { session, cache, refresh }: RunTarget,
  started: JobRecord,
  run: Run,
): Promise<RunEnd> {
  const { clock } = session;
  const { id, spec, counters: before } = started;
  // Stopped in it, the job ends as one that is stopped before its first request.
  await refresh?.resume(run.signal).catch((thrown: unknown) => {
    if (!run.signal.aborted) throw thrown;
  });
  const downloaded = await runJob(session, spec, {
    signal: run.signal,
    onProgress(progress) {
      const isFirst = (run.progress?.pointsTotal ?? 0) === 0 && progress.pointsTotal > 0;
      run.progress = mergeProgress(before, progress);
      // Stored early, so that a job resumed after a kill knows its total.
      if (isFirst) saveStatistics(users, started, run.progress);
      run.onProgress?.(run.progress);
    },
  });
  saveSpeed(cache, downloaded.progress);
  const outcome = await applied(refresh, downloaded, run.signal);
  const isStopped = run.signal.aborted && outcome.state !== "finished";
  const state = (isStopped ? run.stoppedFor : null) ?? outcome.state;
  const isOver = state !== "interrupted" && state !== "paused";
  const verdicts: Verdict[] = [];
  const pace = createPace(new AbortController().signal);
  for (const found of isOver ? seriesVerdicts({ cache: refresh?.answered ?? cache }, spec, outcome) : []) {
    verdicts.push(...found);
    await pace.yieldIfDue();
  }

  const statistics = jobStatistics(outcome, before);
  if (state === "interrupted") saveStatistics(users, started, statistics);
  // Read again: the user may have changed its next run meanwhile.
  const kept = users.job(id) ?? started;
  if (state === "interrupted") return { record: kept, state, statistics, outcome, verdicts };
  const now = clock.wallMs();
  const record: JobRecord = {
    ...kept,
    spec,
    state,
    reason: isStopped ? null : outcome.reason,
    updatedAtMs: now,
    counters: statistics,
  };
  if (!isOver) {
    users.putJob(record);
    return { record, state, statistics, outcome, verdicts };
  }
  const repeats = kept.keepUp && (state === "finished" || state === "broken");
  const judged: JobRecord = {
    ...record,
    verdictCounts: countStates(verdicts),
    nextRunMs: repeats ? now + session.provisionalAgeMs + CLOCK_MARGIN_MS : null,
  };
  users.putJob(judged, verdicts);
  return { record: judged, state, statistics, outcome, verdicts };
}

/** Transfers the data of a refresh to the cache. If that is interrupted, the job continues with it. */
async function applied(refresh: Refresh | null, outcome: JobOutcome, signal: AbortSignal): Promise<JobOutcome> {
  if (refresh === null || outcome.state !== "finished") return outcome;
  try {
    return { ...outcome, progress: { ...outcome.progress, refreshed: await refresh.apply(signal) } };
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    return { ...outcome, state: "cancelled" };
  }
}

function upTo(spec: JobSpec, serverNowMs: number): JobSpec {
  return aligned({ ...spec, range: { ...spec.range, endMs: Math.max(spec.range.endMs, serverNowMs) } });
}

/** A run that did not even get the catalogue has no statistics; the earlier ones remain. */
function jobStatistics({ state, progress }: JobOutcome, before: JobProgress | null): JobProgress {
  const isEmpty = progress.pointsTotal === 0 && progress.requestsSent === 0;
  return state !== "finished" && isEmpty && before !== null ? before : mergeProgress(before, progress);
}

function saveStatistics(users: UserStore, job: JobRecord, statistics: JobProgress): void {
  users.putJob({ ...(users.job(job.id) ?? job), counters: statistics });
}

function countStates(verdicts: readonly Verdict[]): VerdictCounts {
  const counts: VerdictCounts = {};
  for (const { state } of verdicts) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
