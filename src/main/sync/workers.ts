import type { JobState } from "#shared/job/job.ts";
import type { ServiceError } from "#shared/service/error.ts";
import type { PlannedRequest } from "../planner/types.ts";
import { attempt, type AskedStations } from "./attempt.ts";
import type { Reactions } from "./reactions.ts";
import { outOfPatience } from "./patiently.ts";
import type { Session } from "./session.ts";
import type { Tally } from "./tally.ts";
import type { Pass } from "./turnstile.ts";
import type { Piece, Work } from "./work.ts";

export interface WorkersContext {
  readonly work: Work;
  readonly tally: Tally;
  readonly stations: AskedStations;
  readonly reactions: Reactions;
  /** Small requests by which it shows whether the service answers at all, beside one that it does not answer. */
  readonly controlsFor: (request: PlannedRequest, most: number) => Iterable<PlannedRequest>;
  readonly signal: AbortSignal;
  readonly onCommit: () => void;
  readonly onProgress: () => void;
}

export interface WorkersEnd {
  readonly state: Exclude<JobState, "running">;
  /** Why it ended before its time; null where it did not. */
  readonly error: ServiceError | null;
  /** Why what was left was not asked any more, although the job came to its end; null where all was asked. */
  readonly restFailed: ServiceError | null;
}

/** Works through a job with as many requests at once as the turnstile lets through. */
export async function runWorkers(session: Session, context: WorkersContext): Promise<WorkersEnd> {
  const { work, tally, reactions } = context;
  // Stops the workers from inside, too: a failure of one is the end of all.
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  signal.addEventListener("abort", () => work.stop(), { once: true });
  let end: WorkersEnd | null = null;

  async function send(piece: Piece, pass: Pass): Promise<void> {
    const { request, history } = piece;
    reactions.beforeSending(history);
    tally.sent();
    context.onProgress();
    const result = await attempt(
      session,
      request,
      context.stations,
      (bodyBytes, rows) => {
        tally.arriving(request, bodyBytes, rows);
        context.onProgress();
      },
      signal,
    );
    tally.ended();
    if (result.ok) {
      context.onCommit();
      tally.arrived(request, result.value);
      if (result.value.doubt === null) {
        reactions.onAnswer(piece, pass);
        work.settle(piece);
        return;
      }
    } else tally.lost(request);
    let reaction = result.ok
      ? reactions.onDoubt(piece, result.value.doubt!, pass)
      : reactions.onError(piece, result.error, pass);
    if (reaction.do === "verify")
      reaction = reactions.onVerified(
        reaction.waiting,
        reaction.error,
        await answersOthers(request, pass, reaction.most),
      );
    if (reaction.do !== "go") {
      if (reaction.do === "giveUpRest") finish({ state: "finished", error: null, restFailed: reaction.error });
      if (reaction.do === "stop") finish({ state: reaction.state, error: reaction.error, restFailed: null });
      work.settle(piece);
      return;
    }
    // Waiting holds no place at the turnstile; other requests go on meanwhile.
    const { again, waitMs } = reaction;
    if (waitMs > 0) void session.clock.sleep(waitMs, signal).then(() => work.settle(piece, again));
    else work.settle(piece, again);
  }

  function finish(how: WorkersEnd): void {
    end ??= how;
    stop.abort();
  }

  /** Whether the service answers a request that should be no harder than the one that it did not answer. */
  async function answersOthers(request: PlannedRequest, pass: Pass, most: number): Promise<boolean> {
    for (const control of context.controlsFor(request, most)) {
      tally.sent();
      const result = await attempt(session, control, context.stations, () => undefined, signal);
      tally.ended();
      if (result.ok) pass.refused();
      const answers = result.ok && result.value.doubt === null;
      if (answers || signal.aborted) return answers;
    }
    return false;
  }

  async function worker(): Promise<void> {
    for (let piece = await work.take(); piece !== null; piece = await work.take()) {
      const request = reactions.permitted(piece.request);
      if (request === null) {
        work.settle(piece);
        continue;
      }
      const pass = await session.turnstile.enter(signal, session.patience.jobMs);
      if (pass === null) {
        if (!signal.aborted) finish({ state: "broken", error: outOfPatience(session), restFailed: null });
        work.settle(piece);
        return;
      }
      try {
        await send({ ...piece, request }, pass);
      } catch (reason) {
        work.settle(piece);
        stop.abort();
        throw reason;
      } finally {
        pass.leave();
        context.onProgress();
      }
    }
  }

  const workers = Array.from({ length: session.turnstile.maxConcurrency() }, worker);
  const settled = await Promise.allSettled(workers);
  const failed = settled.find((s) => s.status === "rejected");
  if (failed) throw failed.reason;
  if (end) return end;
  return { state: context.signal.aborted ? "cancelled" : "finished", error: null, restFailed: null };
}
