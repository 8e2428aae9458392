import { type JobSpec, jobRanges } from "#shared/job/job.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { type Variable, variableKind, withImpliedVariables } from "#shared/service/variables.ts";
import { alignInward, durationMs, isEmpty, type TimeRange } from "#shared/time/range.ts";
import { covers, difference, intersect, joinNear, rangeSet, type RangeSet, union } from "#shared/time/rangeset.ts";
import { countIn, momentsOf } from "#shared/time/runs.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { gapsBetween } from "../analysis/gaps.ts";
import { answeredTime, stepSeconds } from "../analysis/requestedTimes.ts";
import type { SeriesPart } from "../store/types.ts";
import type { Cache, CacheReader } from "../store/index.ts";
import { epochSource } from "./cadence.ts";
import { DAY_S, HOUR_S, knownValues, reopen, REOPENED_MS } from "./contradictions.ts";
import { around, type Question } from "./questionRequests.ts";
import type { Session } from "./session.ts";
import { confirmableUntil } from "./silence.ts";
import type { Targets } from "./targets.ts";

// An unconfirmed absence is asked about once more, alone. An interval without observations has no row (section 4.4 of the
// specification), so hours or days answer for a hundredth of the points, and by another way through the service.

/** Absences from this length on are asked about as days. */
const LONG_ABSENCE_MS = 30 * DAY_MS;

/** A part of an unconfirmed absence, and how it is asked about. */
export interface OpenAbsence extends Question {
  /** The absence; short ones near to each other are one. */
  readonly gap: TimeRange;
  /** Number of values within it. */
  readonly values: number;
  /** Seconds between two values without a gap. */
  readonly stepSeconds: number;
  /** The part to ask about: whole intervals of the means, or the gap in the mode of the series. */
  readonly range: TimeRange;
  /** Seconds of the means; null: in the mode of the series. */
  readonly meansSeconds: number | null;
  /** Whether a response of this job showed it: a second one confirms it only later. */
  readonly isFresh: boolean;
}

/** What the responses of this job lack. */
export interface FreshAbsence {
  readonly stationIds: readonly string[];
  readonly range: TimeRange;
}

interface OpenContext {
  readonly session: Session;
  readonly spec: JobSpec;
  readonly targets: Targets;
  readonly fresh: readonly FreshAbsence[];
}

/**
 * Returns the unconfirmed absences of a job that are old enough to be asked about, or that its own responses showed. The
 * time after the newest measurement in the catalogue is not asked about: the catalogue agrees that it is empty.
 */
export function findOpenAbsences({ session, spec, targets, fresh }: OpenContext): OpenAbsence[] {
  const { cache, former } = session;
  const found: OpenAbsence[] = [];
  for (const [stationId, station] of targets.stations) {
    const source = epochSource(former ?? cache, station);
    const wanted = jobRanges(spec, stationId);
    const own = rangeSet(fresh.flatMap((part) => (part.stationIds.includes(stationId) ? [part.range] : [])));
    for (const variable of withImpliedVariables(spec.variables)) {
      const { provisional } = cache.coverage(stationId, variable, spec);
      const step = stepSeconds(source, variable, spec.intervalSeconds);
      const newestMs = (station.dataLastUpdatedMs ?? Infinity) + step * 1_000;
      for (const { range, fetchedAtMs } of provisional) {
        const isFresh = intersect(own, [range]).length > 0;
        if (!isFresh && session.isYoung(fetchedAtMs, session.provisionalAgeMs)) continue;
        const untilMs = spec.intervalSeconds === null ? (isFresh ? newestMs : Infinity) : session.oldUntilMs();
        const open = intersect(intersect([range], wanted), [
          { startMs: range.startMs, endMs: Math.min(range.endMs, untilMs) },
        ]);
        // What was reopened is not asked about as means, which may have denied it.
        const asksMeans = spec.intervalSeconds === null && fetchedAtMs !== REOPENED_MS;
        for (const part of open)
          found.push(...absencesIn(cache, spec, { stationId, variable, range: part, step, asksMeans, isFresh }));
      }
    }
  }
  return found;
}

interface OpenPart {
  readonly stationId: string;
  readonly variable: Variable;
  readonly range: TimeRange;
  readonly step: number;
  readonly asksMeans: boolean;
  readonly isFresh: boolean;
}

function absencesIn(cache: CacheReader, mode: SeriesMode, part: OpenPart): OpenAbsence[] {
  const { stationId, variable, range, step, asksMeans, isFresh } = part;
  const { intervalSeconds, raw } = mode;
  const times = cache.valueTimes({ stationId, variables: [variable], range, intervalSeconds, raw });
  const gaps = gapsBetween(times, range, step);
  const of = (gap: TimeRange, asked: TimeRange, meansSeconds: number | null): OpenAbsence[] =>
    isEmpty(asked)
      ? []
      : [
          {
            stationId,
            variable,
            range: asked,
            gap,
            values: countIn(times, gap),
            stepSeconds: step,
            meansSeconds,
            isFresh,
          },
        ];
  const short: TimeRange[] = [];
  const found = gaps.flatMap((gap) => {
    const seconds = durationMs(gap) >= LONG_ABSENCE_MS ? DAY_S : HOUR_S;
    const inside = alignInward(gap, seconds);
    if (!asksMeans || isEmpty(inside)) {
      short.push(gap);
      return [];
    }
    // What is left at the ends is a short absence beside a value, unless it touches an end of the open range.
    for (const rest of difference([gap], [inside]))
      if (rest.startMs === range.startMs || rest.endMs === range.endMs) short.push(rest);
    return of(gap, inside, seconds);
  });
  // Each one is a question: thousands within a day would be, too.
  return [...found, ...joinNear(short, DAY_MS).flatMap((gap) => of(gap, gap, null))];
}

/** Makes unconfirmed time final in which nothing is missing any more: other responses had the values. */
export function settleComplete({ session, spec, targets }: Omit<OpenContext, "fresh">): void {
  const { cache, former } = session;
  const { intervalSeconds, raw } = spec;
  if (intervalSeconds !== null) return;
  const parts: SeriesPart[] = [];
  for (const [stationId, station] of targets.stations) {
    const source = epochSource(former ?? cache, station);
    for (const variable of withImpliedVariables(spec.variables)) {
      const step = stepSeconds(source, variable, null);
      const { provisional } = cache.coverage(stationId, variable, spec);
      const open = rangeSet(provisional.map(({ range }) => range));
      for (const range of intersect(open, jobRanges(spec, stationId))) {
        const series = { stationId, variable, intervalSeconds, raw, range };
        const times = cache.valueTimes({ ...series, variables: [variable] });
        if (range.endMs <= session.oldUntilMs() && gapsBetween(times, range, step).length === 0) parts.push(series);
      }
    }
  }
  settle(cache, parts);
}

/** What the means of an absence show. */
interface MeansEvidence {
  /** Intervals with a value: there are observations. */
  readonly contradicted: RangeSet;
  /** Parts of the gap that are absent for certain. */
  readonly confirmed: RangeSet;
}

/** Compares an absence with the cached means of its time. */
export function evidenceOfMeans(
  { session, spec, targets }: Omit<OpenContext, "fresh">,
  absence: OpenAbsence,
): MeansEvidence {
  const { cache } = session;
  const { stationId, variable, gap, range: asked, meansSeconds } = absence;
  const mode = { intervalSeconds: meansSeconds, raw: spec.raw };
  const meansMs = (meansSeconds ?? 0) * 1_000;
  // Satellites of an interval are those of its first observation, which may lack a value that others have.
  const all = withImpliedVariables(spec.variables).filter((each) => variableKind(each) === "satellite");
  const showing = variableKind(variable) === "scalar" ? [variable] : all;
  const valued = rangeSet(
    showing.flatMap((each) =>
      Array.from(momentsOf(cache.valueTimes({ stationId, variables: [each], range: asked, ...mode })), (startMs) => ({
        startMs,
        endMs: startMs + meansMs,
      })),
    ),
  );
  const known = knownValues(cache, { stationId, variable, intervalSeconds: null, raw: spec.raw }, [gap]);
  // Their absence was confirmed, too.
  const answered = rangeSet(cache.coverage(stationId, variable, mode).final);
  const untilMs = confirmableUntil(session, { stationId, variable, ...mode }, targets.stations.get(stationId), {
    range: gap,
  });
  const old = rangeSet([{ startMs: gap.startMs, endMs: Math.min(gap.endMs, untilMs) }]);
  // Means that lack what observations show, of whichever variable, say nothing about the station.
  const isUnreliable = withImpliedVariables(spec.variables).some((each) => {
    const own = { stationId, variable: each, ...mode };
    const range = around(asked, meansSeconds ?? 0);
    const present = momentsOf(cache.valueTimes({ ...own, variables: [each], range }));
    const shown = rangeSet(Array.from(present, (startMs) => ({ startMs, endMs: startMs + meansMs })));
    const silent = difference(intersect(answeredTime(cache.coverage(stationId, each, mode)), [range]), shown);
    return knownValues(cache, own, silent).length > 0;
  });
  if (isUnreliable) return { contradicted: [asked], confirmed: [] };
  const isWhole = covers(answered, asked) && valued.length === 0;
  const agreed = isWhole ? [gap] : difference(intersect(answered, [asked]), valued);
  return { contradicted: valued, confirmed: known.length > 0 ? [] : intersect(agreed, old) };
}

/** Records absences that a second response has confirmed. */
export function confirmAbsences(
  { cache }: Session,
  spec: JobSpec,
  absences: readonly OpenAbsence[],
  confirmedOf: (absence: OpenAbsence) => RangeSet,
): void {
  const { intervalSeconds, raw } = spec;
  const parts = absences.flatMap((absence) =>
    confirmedOf(absence).map((range) => ({
      stationId: absence.stationId,
      variable: absence.variable,
      intervalSeconds,
      raw,
      range,
    })),
  );
  settle(cache, parts);
}

function settle(cache: Cache, parts: readonly SeriesPart[]): void {
  if (parts.length === 0) return;
  cache.amendCoverage(parts, (before, { range }) => ({
    final: union(rangeSet(before.final), [range]),
    provisional: before.provisional.flatMap((old) =>
      difference([old.range], [range]).map((left) => ({ range: left, fetchedAtMs: old.fetchedAtMs })),
    ),
  }));
}

/**
 * Makes the confirmed absences of a job unconfirmed, so that it asks about all of them again: also those of the means that
 * confirmed them.
 */
export function reopenAbsences({ cache }: Session, spec: JobSpec, { stations }: Targets): void {
  const means = spec.intervalSeconds === null ? [HOUR_S, DAY_S] : [];
  const parts = [...stations.values()].flatMap((station) =>
    withImpliedVariables(spec.variables).flatMap((variable) =>
      [spec.intervalSeconds, ...means].flatMap((intervalSeconds) => {
        const series = { stationId: station.id, variable, intervalSeconds, raw: spec.raw };
        const settled = rangeSet(cache.coverage(station.id, variable, series).final);
        const step = stepSeconds(epochSource(cache, station), variable, intervalSeconds);
        return intersect(settled, jobRanges(spec, station.id)).flatMap((range) => {
          const times = cache.valueTimes({ ...series, variables: [variable], range });
          return gapsBetween(times, range, step).map((gap) => ({ ...series, range: gap }));
        });
      }),
    ),
  );
  reopen(cache, parts);
}
