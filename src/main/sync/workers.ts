import type { JobState } from "#shared/job/job.ts";
import type { ServiceError } from "#shared/service/error.ts";
import { attemptRequest, type StoredResponse } from "./attempt.ts";
import type { RequestedStations } from "./judgement.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { JobStatistics } from "./jobStatistics.ts";
import type { Permit } from "./limiter.ts";
import type { NewestMeasurements } from "./newestMeasurements.ts";
import type { ClaimedRequest, RequestQueue } from "./requestQueue.ts";
import type { RetryDecision } from "./retry/decision.ts";
import type { RetryPolicy } from "./retry/policy.ts";
import type { Session } from "./session.ts";
import { patienceExceeded } from "./withRetries.ts";

interface WorkersContext {
  readonly queue: RequestQueue;
  readonly statistics: JobStatistics;
  readonly stations: RequestedStations;
  readonly newest: NewestMeasurements;
  readonly retryPolicy: RetryPolicy;
  /**
   * Small requests that show whether the service responds at all, after it did not respond to `request`.
   *
   * @param of whether its own stations may be requested, or only others
   */
  readonly controlsFor: (
    request: PlannedRequest,
    maxRequests: number,
    of?: "any" | "others",
  ) => Iterable<PlannedRequest>;
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
export function runWorkers(session: Session, context: WorkersContext): Promise<WorkersResult> {
  return new Workers(session, context).run();
}

/** Control requests before the rest of a job is given up; fewer if the service is slow to fail. */
const MAX_CONTROLS = 12;
const MAX_CONTROLS_MS = 180_000;

type Verification = Extract<RetryDecision, { readonly kind: "verify" }>;

class Workers {
  readonly #session: Session;
  readonly #context: WorkersContext;
  /** Also stops the workers from inside: if one fails, all end. */
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #earlyEnd: WorkersResult | null = null;
  #lastProbe: Promise<void> | null = null;

  constructor(session: Session, context: WorkersContext) {
    this.#session = session;
    this.#context = context;
    this.#signal = AbortSignal.any([context.signal, this.#stop.signal]);
  }

  async run(): Promise<WorkersResult> {
    const stopQueue = (): void => this.#context.queue.stop();
    this.#signal.addEventListener("abort", stopQueue, { once: true });
    const workers = Array.from({ length: this.#session.limiter.maxConcurrency() }, () => this.#work());
    const settled = await Promise.allSettled(workers);
    // A signal with a listener lives as long as the signals that it follows.
    this.#signal.removeEventListener("abort", stopQueue);
    const failed = settled.find((worker) => worker.status === "rejected");
    if (failed) throw failed.reason;
    if (this.#earlyEnd) return this.#earlyEnd;
    return { state: this.#context.signal.aborted ? "cancelled" : "finished", error: null, restFailed: null };
  }

  async #work(): Promise<void> {
    const { queue, retryPolicy } = this.#context;
    for (let claimed = await queue.take(); claimed !== null; claimed = await queue.take()) {
      const request = retryPolicy.permitted(claimed.request);
      if (request === null) {
        queue.settle(claimed);
        continue;
      }
      const permit = await this.#permitFor(request);
      if (permit === null) {
        queue.settle(claimed);
        return;
      }
      try {
        const replacement = retryPolicy.instead({ request, history: claimed.history });
        if (replacement) queue.settle(claimed, replacement);
        else if (await this.#isReachable(request, permit)) await this.#send({ ...claimed, request }, permit);
        else queue.settle(claimed, { first: [{ request, history: claimed.history }] });
      } catch (reason) {
        queue.settle(claimed);
        this.#stop.abort();
        throw reason;
      } finally {
        permit.release();
        this.#context.onProgress();
      }
    }
  }

  async #permitFor(request: PlannedRequest): Promise<Permit | null> {
    for (;;) {
      const permit = await this.#session.limiter.acquire(this.#signal, this.#session.patience.jobMs);
      if (permit !== null || this.#signal.aborted) return permit;
      await this.#probeOnceMore(request);
    }
  }

  async #send(claimed: ClaimedRequest, permit: Permit): Promise<void> {
    const { request, history } = claimed;
    const { statistics, retryPolicy, onProgress } = this.#context;
    retryPolicy.beforeSending(history);
    const attempted = this.#attempt(request, (bodyBytes, rows) => {
      statistics.arriving(request, bodyBytes, rows);
      onProgress();
    });
    onProgress();
    const result = await attempted;
    permit.ended(result.ok ? null : result.error);
    if (result.ok) this.#context.onCommit(request, result.value);
    if (result.ok && result.value.shiftedIds.length === 0) {
      statistics.arrived(request, result.value);
      retryPolicy.onSuccess(claimed, result.value.rows > 0);
      this.#context.queue.settle(claimed);
      return;
    }
    statistics.lost(request);
    let decision = result.ok
      ? retryPolicy.onShifted(claimed, result.value.shiftedIds)
      : retryPolicy.onError(claimed, result.error);
    while (decision.kind === "verify") {
      const controls = this.#controlsOf(decision, request);
      const { isAnswered } = await this.#sendControls(controls, permit, decision.about === "rest");
      decision = retryPolicy.onVerified(decision, isAnswered);
    }
    this.#follow(decision, claimed);
  }

  async #attempt(
    request: PlannedRequest,
    onProgress: (bodyBytes: number, rows: number) => void = () => undefined,
  ): ReturnType<typeof attemptRequest> {
    const { statistics, stations, newest } = this.#context;
    statistics.sent();
    const context = { stations, statistics, newest, signal: this.#signal, onProgress };
    const result = await attemptRequest(this.#session, request, context);
    statistics.ended();
    return result;
  }

  #controlsOf(decision: Verification, request: PlannedRequest): Iterable<PlannedRequest> {
    if (decision.about === "station") return this.#context.stationControlsFor(request);
    return decision.about === "others"
      ? this.#context.controlsFor(request, 1, "others")
      : this.#context.controlsFor(request, MAX_CONTROLS);
  }

  /**
   * Does what the policy decided after a failure. No `await` between `settle` and the release of the permit: another
   * worker would find it taken, and give up at the end of its patience.
   */
  #follow(decision: Exclude<RetryDecision, Verification>, claimed: ClaimedRequest): void {
    const { queue } = this.#context;
    if (decision.kind === "giveUpRest") this.#finish({ state: "finished", error: null, restFailed: decision.error });
    if (decision.kind === "stop") this.#finish({ state: decision.state, error: decision.error, restFailed: null });
    if (decision.kind !== "continue") {
      queue.settle(claimed);
      return;
    }
    // Waiting holds no permit; other requests continue meanwhile.
    const { replacement, waitMs } = decision;
    if (waitMs > 0) void this.#session.clock.sleep(waitMs, this.#signal).then(() => queue.settle(claimed, replacement));
    else queue.settle(claimed, replacement);
  }

  #finish(result: WorkersResult): void {
    this.#earlyEnd ??= result;
    this.#stop.abort();
  }

  /**
   * Tests whether the service responds to a request that should be no harder than the one without a response. If not,
   * `error` is the last failure; it is null if there was nothing to request, or if the times of a response were shifted.
   *
   * @param needsRows whether a response without rows decides nothing beside failed ones: `isAnswered` is then null
   */
  async #sendControls(
    controls: Iterable<PlannedRequest>,
    permit: Permit,
    needsRows: boolean = false,
  ): Promise<{ readonly isAnswered: boolean | null; readonly error: ServiceError | null }> {
    let error: ServiceError | null = null;
    let hasEmpty = false;
    const untilMs = this.#session.clock.monotonicMs() + MAX_CONTROLS_MS;
    for (const control of controls) {
      const result = await this.#attempt(control);
      if (result.ok) permit.ended(null);
      if (!result.ok) error = result.error;
      else if (result.value.shiftedIds.length === 0) {
        if (!needsRows || result.value.rows > 0) return { isAnswered: true, error: null };
        hasEmpty = true;
      }
      if (this.#signal.aborted || this.#session.clock.monotonicMs() > untilMs) break;
    }
    if (hasEmpty) return { isAnswered: error === null ? true : null, error };
    return { isAnswered: false, error };
  }

  /**
   * Whether the service answers: during an outage, a control request probes it. A request that is lost because of its
   * contents would cause an outage of its own, and wait for each of its parts.
   */
  async #isReachable(request: PlannedRequest, permit: Permit): Promise<boolean> {
    if (!permit.isProbe) return true;
    const { error } = await this.#sendControls(this.#context.controlsFor(request, 1), permit);
    if (error) permit.ended(error);
    return error === null;
  }

  /** The job's patience has ended: it ends too, unless only its last request has no response. Shared by all workers. */
  #probeOnceMore(request: PlannedRequest): Promise<void> {
    return (this.#lastProbe ??= this.#probeLast(request).finally(() => (this.#lastProbe = null)));
  }

  async #probeLast(request: PlannedRequest): Promise<void> {
    const { limiter } = this.#session;
    const outage = limiter.outage();
    // Another job received a response meanwhile.
    if (outage === null) return;
    if (!outage.error.isUnsent) {
      limiter.probeNow();
      const permit = await limiter.acquire(this.#signal);
      const controls = this.#context.controlsFor(request, MAX_CONTROLS);
      const isReachable = permit !== null && (await this.#sendControls(controls, permit)).isAnswered === true;
      permit?.release();
      if (isReachable) return;
    }
    this.#finish({ state: "broken", error: patienceExceeded(this.#session), restFailed: null });
  }
}
