import type { JobProgress, JobSpec } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import type { JobRecord, UserStore } from "../../store/types.ts";
import { type JobOutcome, runJob } from "../../sync/job.ts";
import { judgeStations } from "../../sync/judge.ts";
import { politely } from "../politely.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { aligned, countStates, keepRate } from "./jobs.ts";
import { mergeProgress } from "./progress.ts";

/** Why a run is stopped. `interrupted`: by the program, the job goes on by itself. */
export type StopReason = "paused" | "cancelled" | "interrupted";

/** A run under way. */
export interface Run {
  readonly stop: AbortController;
  stoppedFor: StopReason | null;
  progress: JobProgress | null;
  /** Where it waits for the end of an outage, the service is asked at once. */
  tryNow: () => void;
  ended: Promise<void>;
}

/** How a run left its job. */
export interface RunEnd {
  readonly record: JobRecord;
  readonly state: JobOutcome["state"] | "paused" | "interrupted";
  readonly outcome: JobOutcome;
}

/** The server's clock is known to two seconds; asked too early, an answer of just before would still count as young. */
const CLOCK_DOUBT_MS = 3_000;

/**
 * Runs a job once, and keeps how it ended. A job that keeps up asks up to the server's now from its second time on.
 *
 * @throws StoreError
 */
export async function runOnce(
  users: UserStore,
  { session, cache }: OpenConnection,
  job: JobRecord,
  run: Run,
  onProgress: () => void,
): Promise<RunEnd> {
  const spec = job.keepUp && job.verdictCounts !== null ? upTo(job.spec, session.serverNowMs()) : job.spec;
  users.putJob({ ...job, spec });
  const before = job.counters;
  const outcome = await runJob(session, spec, {
    signal: run.stop.signal,
    onProgress(progress) {
      const isFirst = (run.progress?.pointsTotal ?? 0) === 0 && progress.pointsTotal > 0;
      run.progress = mergeProgress(before, progress);
      // Whatever ends the process, the job goes on with its whole known.
      if (isFirst) keepFigures(users, job, run.progress);
      onProgress();
    },
  });
  keepRate(cache, outcome.progress);
  const isStopped = run.stop.signal.aborted && outcome.state !== "finished";
  const state = (isStopped ? run.stoppedFor : null) ?? outcome.state;
  const isOver = state !== "interrupted" && state !== "paused";
  const verdicts: Verdict[] = [];
  if (isOver) await politely(judgeStations(session, spec, outcome), (found) => verdicts.push(...found));

  const figures = figuresOf(outcome, before);
  if (state === "interrupted") keepFigures(users, job, figures);
  // As it is kept now: the user may have changed what it does next while it ran.
  const kept = users.job(job.id) ?? job;
  const told = { ...outcome, progress: figures };
  if (state === "interrupted") return { record: kept, state, outcome: told };
  const now = session.clock.wallMs();
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
    return { record, state, outcome: told };
  }
  const asksAgain = kept.keepUp && (state === "finished" || state === "broken");
  const judged: JobRecord = {
    ...record,
    verdictCounts: countStates(verdicts),
    nextRunMs: asksAgain ? now + session.provisionalAgeMs + CLOCK_DOUBT_MS : null,
  };
  users.putJob(judged, verdicts);
  return { record: judged, state, outcome: told };
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
