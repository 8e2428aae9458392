import type { JobState } from "#shared/job/job.ts";
import type { ServiceError } from "#shared/service/error.ts";
import { attempt, type AskedStations } from "./attempt.ts";
import type { Reactions } from "./reactions.ts";
import type { Session } from "./session.ts";
import type { Tally } from "./tally.ts";
import type { Pass } from "./turnstile.ts";
import type { Piece, Work } from "./work.ts";

export interface WorkersContext {
  readonly work: Work;
  readonly tally: Tally;
  readonly stations: AskedStations;
  readonly reactions: Reactions;
  readonly signal: AbortSignal;
  readonly onCommit: () => void;
  readonly onProgress: () => void;
}

export interface WorkersEnd {
  readonly state: Exclude<JobState, "running">;
  /** Why it ended before its time; null where it did not. */
  readonly error: ServiceError | null;
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
    const { request } = piece;
    reactions.beforeSending(piece.attempts);
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
        reactions.onAnswer(request, pass);
        work.settle(piece);
        return;
      }
    } else tally.lost(request);
    const reaction = result.ok
      ? reactions.onDoubt(request, piece.attempts, result.value.doubt!, pass)
      : reactions.onError(request, piece.attempts, result.error, pass);
    if (reaction.do === "stop") {
      end ??= { state: reaction.state, error: reaction.error };
      stop.abort();
      work.settle(piece);
      return;
    }
    // Waiting holds no place at the turnstile; other requests go on meanwhile.
    if (reaction.waitMs > 0)
      void session.clock.sleep(reaction.waitMs, signal).then(() => work.settle(piece, reaction.again));
    else work.settle(piece, reaction.again);
  }

  async function worker(): Promise<void> {
    for (let piece = await work.take(); piece !== null; piece = await work.take()) {
      const request = reactions.permitted(piece.request);
      if (request === null) {
        work.settle(piece);
        continue;
      }
      const pass = await session.turnstile.enter(signal);
      if (pass === null) {
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
  return context.signal.aborted ? { state: "cancelled", error: null } : { state: "finished", error: null };
}
