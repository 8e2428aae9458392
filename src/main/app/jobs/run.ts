import type { JobProgress, JobSpec } from "#shared/job/job.ts";
import type { Verdict, VerdictCounts } from "#shared/job/verdict.ts";
import { alignOutward } from "#shared/time/interval.ts";
import type { Cache, CacheReader, JobRecord, UserStore } from "../../store/types.ts";
import { type JobOutcome, runJob } from "../../sync/job.ts";
import { stationVerdicts } from "../../sync/verdicts.ts";
import { politely } from "../politely.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { mergeProgress } from "./progress.ts";

/** Why a run is stopped. `interrupted`: by the program, the job goes on by itself. */
export type StopReason = "paused" | "cancelled" | "interrupted";

/** A run under way. */
export interface Run {
  readonly signal: AbortSignal;
  /** Why the signal was raised; null where that cancels the job. */
  stoppedFor: StopReason | null;
  /** Figures of the whole job, not only of this run. */
  progress: JobProgress | null;
}

/** How a run left its job. */
export interface RunEnd {
  readonly record: JobRecord;
  readonly state: JobOutcome["state"] | "paused" | "interrupted";
  /** Figures of the whole job: whoever shows a job shows these. */
  readonly figures: JobProgress;
  /** Of this run alone. */
  readonly outcome: JobOutcome;
  /** Empty where the job is not over. */
  readonly verdicts: readonly Verdict[];
}

/** Points per second of the last job with enough points to tell, kept with the connection for the next estimate. */
const POINT_RATE = "pointsPerSecond";
const TELLING_POINTS = 10_000;
/** The same of requests, of jobs whose requests were many and small: their points take no time beside them. */
const REQUEST_RATE = "requestsPerSecond";
const TELLING_REQUESTS = 20;
const SMALL_POINTS = 2_000;
/** The server's clock is known to two seconds; asked too early, an answer of just before would still count as young. */
const CLOCK_DOUBT_MS = 3_000;

/** `waitingForNetwork` is how earlier versions kept a job that waited for the service. */
const UNENDED: ReadonlySet<string> = new Set(["queued", "running", "waitingForNetwork"]);

/** Whether a job has still to be run, or is under way. */
export function isUnended({ state }: Pick<JobRecord, "state">): boolean {
  return UNENDED.has(state);
}

/**
 * Runs a job once, for a window or the command line, and keeps how it ended. A job that keeps up asks up to the
 * server's now from its second time on.
 *
 * @returns null where another run has the job, here or in another process, or has ended it since it was given
 * @throws StoreError
 */
export async function runOnce(
  users: UserStore,
  connection: OpenConnection,
  given: JobRecord,
  run: Run,
  onProgress: (progress: JobProgress) => void,
): Promise<RunEnd | null> {
  const release = connection.session.claims.claimJob(given.id);
  if (release === null) return null;
  try {
    const job = users.job(given.id) ?? given;
    if (isUnended(given) && !isUnended(job)) return null;
    return await runTaken(users, connection, job, run, onProgress);
  } finally {
    release();
  }
}

async function runTaken(
  users: UserStore,
  { session, cache }: OpenConnection,
  job: JobRecord,
  run: Run,
  onProgress: (progress: JobProgress) => void,
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
  const before = job.counters;
  const outcome = await runJob(session, spec, {
    signal: run.signal,
    onProgress(progress) {
      const isFirst = (run.progress?.pointsTotal ?? 0) === 0 && progress.pointsTotal > 0;
      run.progress = mergeProgress(before, progress);
      // Whatever ends the process, the job goes on with its whole known.
      if (isFirst) keepFigures(users, started, run.progress);
      onProgress(run.progress);
    },
  });
  keepRate(cache, outcome.progress);
  const isStopped = run.signal.aborted && outcome.state !== "finished";
  const state = (isStopped ? run.stoppedFor : null) ?? outcome.state;
  const isOver = state !== "interrupted" && state !== "paused";
  const verdicts: Verdict[] = [];
  if (isOver) await politely(stationVerdicts(session, spec, outcome), (found) => verdicts.push(...found));

  const figures = figuresOf(outcome, before);
  if (state === "interrupted") keepFigures(users, started, figures);
  // As it is kept now: the user may have changed what it does next while it ran.
  const kept = users.job(job.id) ?? started;
  if (state === "interrupted") return { record: kept, state, figures, outcome, verdicts };
  const now = clock.wallMs();
  const record: JobRecord = {
    ...kept,
    spec,
    state,
    reason: isStopped ? null : outcome.reason,
    updatedAtMs: now,
    counters: figures,
  };
  if (!isOver) {
    users.putJob(record);
    return { record, state, figures, outcome, verdicts };
  }
  const asksAgain = kept.keepUp && (state === "finished" || state === "broken");
  const judged: JobRecord = {
    ...record,
    verdictCounts: countStates(verdicts),
    nextRunMs: asksAgain ? now + session.provisionalAgeMs + CLOCK_DOUBT_MS : null,
  };
  users.putJob(judged, verdicts);
  return { record: judged, state, figures, outcome, verdicts };
}

function upTo(spec: JobSpec, serverNowMs: number): JobSpec {
  return aligned({ ...spec, range: { ...spec.range, endMs: Math.max(spec.range.endMs, serverNowMs) } });
}

/** A run that did not even get the catalogue has no figures of its own: those of before stand. */
function figuresOf({ state, progress }: JobOutcome, before: JobProgress | null): JobProgress {
  const isEmpty = progress.pointsTotal === 0 && progress.requestsSent === 0;
  return state !== "finished" && isEmpty && before !== null ? before : mergeProgress(before, progress);
}

function keepFigures(users: UserStore, job: JobRecord, figures: JobProgress): void {
  users.putJob({ ...(users.job(job.id) ?? job), counters: figures });
}

/** An interval job is one of whole intervals: a mean of a part is not what the cache may keep under its name. */
export function aligned(spec: JobSpec): JobSpec {
  return spec.intervalSeconds === null ? spec : { ...spec, range: alignOutward(spec.range, spec.intervalSeconds) };
}

/** How fast the service was, as earlier jobs found; null where none could tell. */
export function speedOf(cache: Pick<CacheReader, "setting">): {
  readonly pointsPerSecond: number | null;
  readonly requestsPerSecond: number | null;
} {
  const points = cache.setting(POINT_RATE);
  const requests = Number(cache.setting(REQUEST_RATE));
  return {
    pointsPerSecond: points === null ? null : Number(points),
    requestsPerSecond: requests > 0 ? requests : null,
  };
}

/** Remembers how fast the service was, where the job was long enough to tell. */
function keepRate(
  cache: Pick<Cache, "setSetting">,
  { pointsTotal, pointsPerSecond, requestsSent, requestsPerSecond = null }: JobProgress,
): void {
  const isOfSmallOnes = requestsSent >= TELLING_REQUESTS && pointsTotal <= SMALL_POINTS * requestsSent;
  if (isOfSmallOnes && requestsPerSecond !== null) cache.setSetting(REQUEST_RATE, String(requestsPerSecond));
  if (pointsTotal >= TELLING_POINTS && pointsPerSecond !== null) cache.setSetting(POINT_RATE, String(pointsPerSecond));
}

function countStates(verdicts: readonly Verdict[]): VerdictCounts {
  const counts: VerdictCounts = {};
  for (const { state } of verdicts) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
