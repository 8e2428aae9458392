import type { JobState } from "#shared/job/job.ts";
import type { ServiceError } from "#shared/service/error.ts";
import type { PlannedRequest } from "../planner/types.ts";
import { attempt, type AskedStations } from "./attempt.ts";
import { MOST_CONTROLS, type RetryPolicy } from "./retryPolicy.ts";
import { outOfPatience } from "./withRetries.ts";
import type { Session } from "./session.ts";
import type { JobStatistics } from "./jobStatistics.ts";
import type { Permit } from "./limiter.ts";
import type { Piece, Waiting, Work } from "./work.ts";

export interface WorkersContext {
  readonly work: Work;
  readonly statistics: JobStatistics;
  readonly stations: AskedStations;
  readonly retryPolicy: RetryPolicy;
  /** Small requests that show whether the service answers at all, apart from one that it does not answer. */
  readonly controlsFor: (request: PlannedRequest, most: number) => Iterable<PlannedRequest>;
  readonly signal: AbortSignal;
  readonly onCommit: () => void;
  readonly onProgress: () => void;
}

export interface WorkersEnd {
  readonly state: Exclude<JobState, "running">;
  /** Why it ended early; null if it did not. */
  readonly error: ServiceError | null;
  /** Why the rest was not requested although the job ended normally; null if everything was requested. */
  readonly restFailed: ServiceError | null;
}

/** Works through a job with as many concurrent requests as the limiter permits. */
export async function runWorkers(session: Session, context: WorkersContext): Promise<WorkersEnd> {
  const { work, statistics, retryPolicy } = context;
  // Also stops the workers from inside: if one fails, all end.
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  signal.addEventListener("abort", work.stop, { once: true });
  let end: WorkersEnd | null = null;

  async function send(piece: Piece, permit: Permit): Promise<void> {
    const { request, history } = piece;
    retryPolicy.beforeSending(history);
    statistics.sent();
    context.onProgress();
    const result = await attempt(
      session,
      request,
      context.stations,
      (bodyBytes, rows) => {
        statistics.arriving(request, bodyBytes, rows);
        context.onProgress();
      },
      signal,
    );
    statistics.ended();
    if (result.ok) {
      context.onCommit();
      statistics.arrived(request, result.value);
      if (result.value.doubt === null) {
        retryPolicy.onAnswer(piece, permit);
        work.settle(piece);
        return;
      }
    } else statistics.lost(request);
    let decision = result.ok
      ? retryPolicy.onDoubt(piece, result.value.doubt!, permit)
      : retryPolicy.onError(piece, result.error, permit);
    if (decision.do === "verify")
      decision = retryPolicy.onVerified(decision, (await askOthers(request, permit, decision.most)).answered);
    if (decision.do !== "go") {
      if (decision.do === "giveUpRest") finish({ state: "finished", error: null, restFailed: decision.error });
      if (decision.do === "stop") finish({ state: decision.state, error: decision.error, restFailed: null });
      work.settle(piece);
      return;
    }
    // Waiting holds no permit; other requests continue meanwhile.
    const { again, waitMs } = decision;
    if (waitMs > 0) void session.clock.sleep(waitMs, signal).then(() => work.settle(piece, again));
    else work.settle(piece, again);
  }

  function finish(how: WorkersEnd): void {
    end ??= how;
    stop.abort();
  }

  /**
   * Whether the service answers a request that should be no harder than the one without an answer. If not, the last
   * failure; it is null if there was nothing to request, or if a response did not settle its cells.
   */
  async function askOthers(
    request: PlannedRequest,
    permit: Permit,
    most: number,
  ): Promise<{ readonly answered: boolean; readonly error: ServiceError | null }> {
    let error: ServiceError | null = null;
    for (const control of context.controlsFor(request, most)) {
      statistics.sent();
      const result = await attempt(session, control, context.stations, () => undefined, signal);
      statistics.ended();
      if (result.ok) permit.refused();
      if (result.ok && result.value.doubt === null) return { answered: true, error: null };
      error = result.ok ? null : result.error;
      if (signal.aborted) break;
    }
    return { answered: false, error };
  }

  let isTurnOfOthers = true;
  /**
   * Whether a probe during an outage may be the request itself. A request that is lost because of what it asks would
   * cause an outage of its own, and wait for each of its parts; so every second probe requests something else.
   */
  async function isForItself({ request, history }: Waiting, permit: Permit): Promise<boolean> {
    if (!permit.isTry || history.failures === 0) return true;
    isTurnOfOthers = !isTurnOfOthers;
    if (isTurnOfOthers) return true;
    const { answered, error } = await askOthers(request, permit, 1);
    isTurnOfOthers = answered;
    if (error) permit.lost(error);
    return error === null;
  }

  let looking: Promise<void> | null = null;
  /** Nobody waits longer for the end of the outage: the job ends, unless only its last request has no answer. */
  function lookOnceMore(request: PlannedRequest): Promise<void> {
    return (looking ??= look(request).finally(() => (looking = null)));
  }

  async function look(request: PlannedRequest): Promise<void> {
    const { limiter } = session;
    const outage = limiter.outage();
    // Another job received an answer meanwhile.
    if (outage === null) return;
    if (!outage.error.isUnsent) {
      limiter.tryNow();
      const permit = await limiter.acquire(signal);
      const isThere = permit !== null && (await askOthers(request, permit, MOST_CONTROLS)).answered;
      permit?.release();
      if (isThere) return;
    }
    finish({ state: "broken", error: outOfPatience(session), restFailed: null });
  }

  async function permitFor(request: PlannedRequest): Promise<Permit | null> {
    for (;;) {
      const permit = await session.limiter.acquire(signal, session.patience.jobMs);
      if (permit !== null || signal.aborted) return permit;
      await lookOnceMore(request);
    }
  }

  async function worker(): Promise<void> {
    for (let piece = await work.take(); piece !== null; piece = await work.take()) {
      const request = retryPolicy.permitted(piece.request);
      if (request === null) {
        work.settle(piece);
        continue;
      }
      const permit = await permitFor(request);
      if (permit === null) {
        work.settle(piece);
        return;
      }
      try {
        if (await isForItself(piece, permit)) await send({ ...piece, request }, permit);
        else work.settle(piece, { first: [{ request, history: piece.history }] });
      } catch (reason) {
        work.settle(piece);
        stop.abort();
        throw reason;
      } finally {
        permit.release();
        context.onProgress();
      }
    }
  }

  const workers = Array.from({ length: session.limiter.maxConcurrency() }, worker);
  const settled = await Promise.allSettled(workers);
  // A signal with a listener lives as long as the signals that it follows.
  signal.removeEventListener("abort", work.stop);
  const failed = settled.find((s) => s.status === "rejected");
  if (failed) throw failed.reason;
  if (end) return end;
  return { state: context.signal.aborted ? "cancelled" : "finished", error: null, restFailed: null };
}
