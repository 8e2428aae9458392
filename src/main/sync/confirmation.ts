import { defined } from "#shared/defined.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { alignOutward, durationMs, epochsIn, overlap, type TimeRange } from "#shared/time/range.ts";
import { difference, type RangeSet, union } from "#shared/time/rangeset.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { DENSE } from "../analysis/absence.ts";
import { afterStatement, allowedPoints } from "../planner/limits.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { JobWork } from "./jobWork.ts";
import { confirmAbsences, evidenceOfMeans, findOpenAbsences, type OpenAbsence, settleComplete } from "./questions.ts";
import { type AskContext, meansRequests, requestsFor, startingAnywhere, witnessed } from "./questionRequests.ts";
import type { Session } from "./session.ts";
import type { Targets } from "./targets.ts";
import type { WorkersResult } from "./workers.ts";

/** Each round fetches what an earlier one showed to exist; a service that keeps sending less is left after this many. */
const MAX_ROUNDS = 24;
/** Shortened responses do not make requests smaller than this number of points. */
const FEWEST_POINTS = 120;

const DONE: WorkersResult = { state: "finished", error: null, restFailed: null };

/**
 * Asks about the unconfirmed absences of a job, once. If there are values after all, the service shortens its responses:
 * the length of the shortened one becomes a limit of the connection, and the rest is asked about again.
 */
export async function confirmOpenAbsences(work: JobWork): Promise<WorkersResult> {
  const ended = await askRounds(work);
  if (ended.state === "finished")
    await work.session.writes.run(() => settleComplete(work), work.signal, work.onProgress);
  return ended;
}

async function askRounds(work: JobWork): Promise<WorkersResult> {
  const { session } = work;
  const asked = new Map<string, RangeSet>();
  const samples = new Samples(work);
  const checkedIds = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const open = findOpenAbsences(work).flatMap((absence) => unasked(absence, asked));
    if (open.length === 0) return DONE;
    // Where longer absences begin and end is known only once those of single epochs are.
    const thin = samples.next(open);
    if (thin.length > 0) {
      // The pieces of a series apart: joined, they would be as long as what was thinned.
      const sampled = await work.ask(thin.flatMap((pieces) => directRequests(work, pieces)));
      if (sampled.state !== "finished") return endOf(sampled);
      samples.note(thin.flat());
      continue;
    }
    const byMeans = open.filter(({ meansSeconds }) => meansSeconds !== null);
    const ended = await askMeans(work, byMeans);
    if (ended.state !== "finished") return endOf(ended);
    const checked = await checkMeans(work, byMeans, checkedIds);
    if (checked.state !== "finished") return endOf(checked);
    const evidence = new Map(byMeans.map((absence) => [absence, evidenceOfMeans(work, absence)]));
    await session.writes.run(
      () => confirmAbsences(session, work.spec, byMeans, (absence) => evidence.get(absence)?.confirmed ?? []),
      work.signal,
      work.onProgress,
    );
    const contradicted = byMeans.flatMap((absence) =>
      (evidence.get(absence)?.contradicted ?? []).map((range) => ({ ...absence, range, meansSeconds: null })),
    );
    const direct = [...open.filter(({ meansSeconds }) => meansSeconds === null), ...contradicted];
    const answered = await work.ask(directRequests(work, direct));
    if (answered.state !== "finished") return endOf(answered);
    const found = direct.filter((absence) => hasNewValues(work, absence));
    for (const absence of found) learnLimit(work, absence);
    const isAgain = new Set(found.map(absenceKey));
    for (const absence of open) {
      // What is left of an absence with values is asked about again.
      if (isAgain.has(absenceKey(absence))) continue;
      asked.set(absenceKey(absence), union(asked.get(absenceKey(absence)) ?? [], [absence.gap]));
    }
  }
  return DONE;
}

/** A response over a longer time may have been thinned because of its length. */
const SAMPLE_MS = HOUR_MS;
/** Pieces of a series that are asked about at once, when the length is known that is not thinned. */
const MAX_PIECES = 200;

/**
 * Where values are missing one by one, a service may thin responses over a long time, and would thin the same question in
 * the same way. So their newest hour is asked about alone first. If there are more values, the next pieces are longer, until
 * one brings nothing more: then all of the rest is asked about in shorter ones. If there are none, the station itself sends
 * that thinly.
 */
class Samples {
  readonly #work: JobWork;
  /** The length of the next piece of a series; `isLimit` after a longer one brought nothing. */
  readonly #pieces = new Map<string, { readonly lengthMs: number; readonly isLimit: boolean }>();
  /** Series of which no further pieces are asked about. */
  readonly #done = new Set<string>();

  constructor(work: JobWork) {
    this.#work = work;
  }

  /** The pieces of thin absences to ask about: lists with one piece of each series, newest first. */
  next(absences: readonly OpenAbsence[]): OpenAbsence[][] {
    const lists: OpenAbsence[][] = [];
    for (const absence of absences) {
      if (this.#done.has(absenceKey(absence)) || !this.#isThin(absence)) continue;
      const { lengthMs, isLimit } = this.#pieceOf(absence);
      let { endMs } = absence.gap;
      for (let k = 0; endMs > absence.gap.startMs && k < (isLimit ? MAX_PIECES : 1); k++, endMs -= lengthMs) {
        const range = { startMs: Math.max(absence.gap.startMs, endMs - lengthMs), endMs };
        const values = valuesIn(this.#work, { ...absence, gap: range });
        (lists[k] ??= []).push({ ...absence, range, gap: range, values });
      }
    }
    return lists;
  }

  /** Takes into account what pieces have brought. All shorter ones are asked about once: what is lost at random is lost again. */
  note(pieces: readonly OpenAbsence[]): void {
    for (const [key, own] of Map.groupBy(pieces, absenceKey)) {
      const { lengthMs, isLimit } = this.#pieceOf(own[0]);
      const hasMore = own.some((piece) => hasNewValues(this.#work, piece));
      if (hasMore && !isLimit) this.#pieces.set(key, { lengthMs: 2 * lengthMs, isLimit });
      else if (!hasMore && lengthMs > SAMPLE_MS) this.#pieces.set(key, { lengthMs: lengthMs / 2, isLimit: true });
      else this.#done.add(key);
    }
  }

  #pieceOf(absence: OpenAbsence | undefined) {
    return (absence && this.#pieces.get(absenceKey(absence))) ?? { lengthMs: SAMPLE_MS, isLimit: false };
  }

  #isThin({ gap, values, stepSeconds, meansSeconds }: OpenAbsence): boolean {
    const isLong = this.#work.spec.intervalSeconds === null && meansSeconds === null && durationMs(gap) > SAMPLE_MS;
    return isLong && values > 0 && values < DENSE * epochsIn(gap, stepSeconds);
  }
}

/** Means that lack days are checked for this number of stations, and for as many more while there are values. */
const MAX_CHECKS = 8;

/**
 * Asks for the observations of an hour where means lack a day or more: a service may have no means of a station, or of old
 * data. Values in the cache then contradict the means of this station.
 *
 * @param checkedIds the stations that this job has asked about; changed
 */
async function checkMeans(
  work: JobWork,
  absences: readonly OpenAbsence[],
  checkedIds: Set<string>,
): Promise<WorkersResult> {
  const random = work.session.random;
  const long = absences.filter(({ gap }) => durationMs(gap) >= DAY_MS);
  for (;;) {
    const parts = long.flatMap((absence) =>
      evidenceOfMeans(work, absence)
        .confirmed.filter((range) => durationMs(range) >= DAY_MS)
        .map((range) => ({ ...absence, gap: range, range: hourIn(range, random()) })),
    );
    const byStation = new Map(parts.filter(({ stationId }) => !checkedIds.has(stationId)).map((p) => [p.stationId, p]));
    const chosen = startingAnywhere([...byStation.values()], random()).slice(0, MAX_CHECKS);
    if (chosen.length === 0) return DONE;
    for (const { stationId } of chosen) checkedIds.add(stationId);
    const { intervalSeconds, raw } = work.spec;
    const ended = await work.ask(requestsFor(work, chosen, { intervalSeconds, raw }));
    if (ended.state !== "finished" || !chosen.some((absence) => hasNewValues(work, absence))) return ended;
  }
}

/** An hour within a range of at least one, at a fraction from 0 to below 1. */
function hourIn({ startMs, endMs }: TimeRange, fraction: number): TimeRange {
  const hourMs = startMs + HOUR_MS * Math.floor((fraction * (endMs - startMs)) / HOUR_MS);
  return { startMs: hourMs, endMs: hourMs + HOUR_MS };
}

/** A question that is not answered leaves an absence unconfirmed: only a key or the user ends the job. */
function endOf(ended: WorkersResult): WorkersResult {
  return ended.state === "broken" ? DONE : ended;
}

function absenceKey({ stationId, variable }: Pick<OpenAbsence, "stationId" | "variable">): string {
  return `${variable} ${stationId}`;
}

function unasked(absence: OpenAbsence, asked: ReadonlyMap<string, RangeSet>): OpenAbsence[] {
  const left = difference([absence.range], asked.get(absenceKey(absence)) ?? []);
  return left.map((range) => ({ ...absence, range }));
}

/** Asks for the means of absences, where the cache does not have them. */
async function askMeans(work: JobWork, absences: readonly OpenAbsence[]): Promise<WorkersResult> {
  for (const [intervalSeconds, own] of Map.groupBy(absences, (absence) => absence.meansSeconds)) {
    const mode = { intervalSeconds, raw: work.spec.raw };
    const ended = await work.ask(witnessed(work, meansRequests(work, own, mode), own));
    if (ended.state !== "finished") return ended;
  }
  return DONE;
}

/** The requests for absences in the mode of the job. */
function directRequests(context: AskContext, absences: readonly OpenAbsence[]): PlannedRequest[] {
  const { session, spec, epochSecondsOf } = context;
  const { intervalSeconds, raw } = spec;
  const questions = absences.map((absence) => ({
    ...absence,
    range: intervalSeconds === null ? absence.range : alignOutward(absence.range, intervalSeconds),
  }));
  return witnessed(context, requestsFor({ session, epochSecondsOf }, questions, { intervalSeconds, raw }), absences);
}

/** The requests that a job would begin with to confirm what is missing. */
export function plannedQuestions(session: Session, spec: JobSpec, targets: Targets): PlannedRequest[] {
  const epochSecondsOf = (id: string): number => targets.cadences.of(defined(targets.stations.get(id)));
  const context = { session, spec, targets, epochSecondsOf };
  const open = findOpenAbsences({ session, spec, targets, fresh: [] });
  return [...Map.groupBy(open, (absence) => absence.meansSeconds)].flatMap(([seconds, own]) =>
    seconds === null
      ? directRequests(context, own)
      : witnessed(context, meansRequests(context, own, { intervalSeconds: seconds, raw: spec.raw }), own),
  );
}

/** Whether the cache has values now that it had not before the question. */
function hasNewValues(work: JobWork, absence: OpenAbsence): boolean {
  return valuesIn(work, absence) > absence.values;
}

function valuesIn({ session, spec }: JobWork, { stationId, variable, gap }: OpenAbsence): number {
  const { intervalSeconds, raw } = spec;
  return session.cache.valueTimes({ stationId, variables: [variable], range: gap, intervalSeconds, raw }).total;
}

/**
 * Learns from a response of this job that lacked values which exist. Recent ones may have arrived in between; a response
 * that has some of them was thinned, not shortened.
 */
function learnLimit({ session, incomplete }: JobWork, { stationId, range: asked, values }: OpenAbsence): void {
  if (asked.endMs > session.oldUntilMs() || values > 0) return;
  const isOf = ({ stationIds, range }: PlannedRequest): boolean =>
    stationIds.includes(stationId) && overlap(range, asked);
  for (const { request, rows } of incomplete) {
    if (rows === 0 || rows >= request.points || !isOf(request)) continue;
    const limit = Math.max(rows, FEWEST_POINTS);
    if (limit < allowedPoints(session.limits()) && limit < request.points)
      session.learn(afterStatement(session.limits(), request.points, limit));
  }
}
