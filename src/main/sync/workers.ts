import type { JobState } from "#shared/job/job.ts";
import type { ServiceError } from "#shared/service/error.ts";
import { attempt, type RequestedStations, type StoredResponse } from "./attempt.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { JobStatistics } from "./jobStatistics.ts";
import type { Permit } from "./limiter.ts";
import type { ClaimedRequest, QueuedRequest, RequestQueue } from "./requestQueue.ts";
import type { RetryDecision } from "./retry/decision.ts";
import type { RetryPolicy } from "./retry/policy.ts";
import { MAX_CONTROLS } from "./retry/division.ts";
import type { Session } from "./session.ts";
import { patienceExceeded } from "./withRetries.ts";

interface WorkersContext {
  readonly queue: RequestQueue;
  readonly statistics: JobStatistics;
  readonly stations: RequestedStations;
  readonly retryPolicy: RetryPolicy;
  /** Small requests that show whether the service responds at all, after it did not respond to `request`. */
  readonly controlsFor: (request: PlannedRequest, maxRequests: number) => Iterable<PlannedRequest>;
  /** Small requests that show whether the service refuses the station of `request`. */
  readonly stationControlsFor: (request: PlannedRequest) => Iterable<PlannedRequest>;
  readonly signal: AbortSignal;
  /** Called for each stored response. */
  readonly onCommit: (request: PlannedRequest, stored: StoredResponse) => void;
  readonly onProgress: () => void;
}

export interface WorkersResult {
  readonly state: Exclude<JobState, "running">;
  /** Why it ended early; null if it did not. */
  readonly error: ServiceError | null;
  /** Why the rest was not requested although the job ended normally; null if everything was requested. */
  readonly restFailed: ServiceError | null;
}

/** Sends the requests of a job, as many concurrently as the limiter permits. */
export async function runWorkers(session: Session, context: WorkersContext): Promise<WorkersResult> {
  const { queue, statistics, retryPolicy } = context;
  // Also stops the workers from inside: if one fails, all end.
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  signal.addEventListener("abort", queue.stop, { once: true });
  let earlyEnd: WorkersResult | null = null;

  async function send(claimed: ClaimedRequest, permit: Permit): Promise<void> {
    const { request, history } = claimed;
    retryPolicy.beforeSending(history);
    statistics.sent();
    context.onProgress();
    const result = await attempt(session, request, {
      stations: context.stations,
      signal,
      onProgress(bodyBytes, rows) {
        statistics.arriving(request, bodyBytes, rows);
        context.onProgress();
      },
    });
    statistics.ended();
    permit.ended(result.ok ? null : result.error);
    let decision: RetryDecision;
    if (result.ok) {
      context.onCommit(request, result.value);
      const { shiftedIds } = result.value;
      if (shiftedIds.length === 0) {
        statistics.arrived(request, result.value);
        retryPolicy.onSuccess(claimed);
        queue.settle(claimed);
        return;
      }
      statistics.lost(request);
      decision = retryPolicy.onShifted(claimed, shiftedIds);
    } else {
      statistics.lost(request);
      decision = retryPolicy.onError(claimed, result.error);
    }
    while (decision.kind === "verify") {
      const controls =
        decision.about === "station"
          ? context.stationControlsFor(request)
          : context.controlsFor(request, decision.maxRequests);
      const { isAnswered } = await sendControls(controls, permit);
      decision = retryPolicy.onVerified(decision, isAnswered);
    }
    if (decision.kind === "giveUpRest") finish({ state: "finished", error: null, restFailed: decision.error });
    if (decision.kind === "stop") finish({ state: decision.state, error: decision.error, restFailed: null });
    if (decision.kind !== "continue") {
      queue.settle(claimed);
      return;
    }
    // Waiting holds no permit; other requests continue meanwhile. No `await` between `settle` and the release of the
    // permit: another worker would find it taken, and give up at the end of its patience.
    const { replacement, waitMs } = decision;
    if (waitMs > 0) void session.clock.sleep(waitMs, signal).then(() => queue.settle(claimed, replacement));
    else queue.settle(claimed, replacement);
  }

  function finish(result: WorkersResult): void {
    earlyEnd ??= result;
    stop.abort();
  }

  /**
   * Tests whether the service responds to a request that should be no harder than the one without a response. If not,
   * `error` is the last failure; it is null if there was nothing to request, or if the times of a response were shifted.
   */
  async function sendControls(
    controls: Iterable<PlannedRequest>,
    permit: Permit,
  ): Promise<{ readonly isAnswered: boolean; readonly error: ServiceError | null }> {
    let error: ServiceError | null = null;
    for (const control of controls) {
      statistics.sent();
      const result = await attempt(session, control, {
        stations: context.stations,
        signal,
        onProgress: () => undefined,
      });
      statistics.ended();
      if (result.ok) permit.ended(null);
      if (result.ok && result.value.shiftedIds.length === 0) return { isAnswered: true, error: null };
      error = result.ok ? null : result.error;
      if (signal.aborted) break;
    }
    return { isAnswered: false, error };
  }

  let isTurnOfControl = true;
  /**
   * Whether a probe during an outage may be the request itself. A request that is lost because of its contents would
   * cause an outage of its own, and wait for each of its parts, so every second probe is a control request.
   */
  async function mayProbeItself({ request, history }: QueuedRequest, permit: Permit): Promise<boolean> {
    if (!permit.isProbe || history.failures === 0) return true;
    isTurnOfControl = !isTurnOfControl;
    if (isTurnOfControl) return true;
    const { isAnswered, error } = await sendControls(context.controlsFor(request, 1), permit);
    isTurnOfControl = isAnswered;
    if (error) permit.ended(error);
    return error === null;
  }

  let lastProbe: Promise<void> | null = null;
  /**
   * The job's patience has ended: it ends too, unless only its last request has no response. Shared by all workers.
   */
  function probeOnceMore(request: PlannedRequest): Promise<void> {
    return (lastProbe ??= probeLast(request).finally(() => (lastProbe = null)));
  }

  async function probeLast(request: PlannedRequest): Promise<void> {
    const { limiter } = session;
    const outage = limiter.outage();
    // Another job received a response meanwhile.
    if (outage === null) return;
    if (!outage.error.isUnsent) {
      limiter.probeNow();
      const permit = await limiter.acquire(signal);
      const controls = context.controlsFor(request, MAX_CONTROLS);
      const isReachable = permit !== null && (await sendControls(controls, permit)).isAnswered;
      permit?.release();
      if (isReachable) return;
    }
    finish({ state: "broken", error: patienceExceeded(session), restFailed: null });
  }

  async function permitFor(request: PlannedRequest): Promise<Permit | null> {
    for (;;) {
      const permit = await session.limiter.acquire(signal, session.patience.jobMs);
      if (permit !== null || signal.aborted) return permit;
      await probeOnceMore(request);
    }
  }

  async function work(): Promise<void> {
    for (let claimed = await queue.take(); claimed !== null; claimed = await queue.take()) {
      const request = retryPolicy.permitted(claimed.request);
      if (request === null) {
        queue.settle(claimed);
        continue;
      }
      const permit = await permitFor(request);
      if (permit === null) {
        queue.settle(claimed);
        return;
      }
      try {
        const smaller = retryPolicy.withinLimits({ request, history: claimed.history });
        if (smaller) queue.settle(claimed, smaller);
        else if (await mayProbeItself(claimed, permit)) await send({ ...claimed, request }, permit);
        else queue.settle(claimed, { first: [{ request, history: claimed.history }] });
      } catch (reason) {
        queue.settle(claimed);
        stop.abort();
        throw reason;
      } finally {
        permit.release();
        context.onProgress();
      }
    }
  }

  const workers = Array.from({ length: session.limiter.maxConcurrency() }, work);
  const settled = await Promise.allSettled(workers);
  // A signal with a listener lives as long as the signals that it follows.
  signal.removeEventListener("abort", queue.stop);
  const failed = settled.find((worker) => worker.status === "rejected");
  if (failed) throw failed.reason;
  if (earlyEnd) return earlyEnd;
  return { state: context.signal.aborted ? "cancelled" : "finished", error: null, restFailed: null };
}
