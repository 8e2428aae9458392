import { stationPoints } from "#shared/service/points.ts";
import { type Variable, VARIABLE_NAMES, withImpliedVariables } from "#shared/service/variables.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { EpochSecondsLookup, PlannedRequest } from "./types.ts";

/** A range in which values of a variable of a station are to be looked for. */
export interface Question {
  readonly stationId: string;
  readonly variable: Variable;
  readonly range: TimeRange;
}

/** What a request costs besides its points, in points. Questions share one if that is cheaper. */
const REQUEST_POINTS = 2_000;

interface Batch {
  startMs: number;
  endMs: number;
  readonly stationIds: Set<string>;
  readonly variables: Set<Variable>;
  points: number;
}

interface BatchContext {
  readonly mode: SeriesMode;
  readonly epochSecondsOf: EpochSecondsLookup;
  readonly maxPoints: number;
}

/**
 * Returns requests that ask all questions. Questions that are near to each other share a request, whose range and
 * stations enclose them: its other points are what the additional requests would have cost.
 */
export function batchQuestions(questions: readonly Question[], context: BatchContext): PlannedRequest[] {
  const { mode, epochSecondsOf, maxPoints } = context;
  const pointsOf = (stationIds: Iterable<string>, range: TimeRange): number => {
    let points = 0;
    for (const id of stationIds) points += stationPoints(range, epochSecondsOf(id), mode.intervalSeconds);
    return points;
  };
  const batches: Batch[] = [];
  const open: Batch[] = [];
  for (const { stationId, variable, range } of questions.toSorted((a, b) => a.range.startMs - b.range.startMs)) {
    const own = pointsOf([stationId], range);
    const joined = open.find((batch) => {
      const endMs = Math.max(batch.endMs, range.endMs);
      const points = pointsOf(new Set([...batch.stationIds, stationId]), { startMs: batch.startMs, endMs });
      if (points > maxPoints || points > batch.points + own + REQUEST_POINTS) return false;
      Object.assign(batch, { endMs, points });
      return true;
    });
    const batch = joined ?? { ...range, stationIds: new Set(), variables: new Set(), points: own };
    batch.stationIds.add(stationId);
    batch.variables.add(variable);
    if (joined) continue;
    batches.push(batch);
    open.unshift(batch);
    // Questions are in order of time: older batches are too far away.
    if (open.length > MAX_OPEN) open.pop();
  }
  return batches.map(({ startMs, endMs, stationIds, variables, points }) => ({
    ...mode,
    stationIds: [...stationIds],
    variables: withImpliedVariables(VARIABLE_NAMES.filter((v) => variables.has(v))),
    range: { startMs, endMs },
    points,
  }));
}

/** Number of batches that a question may join. */
const MAX_OPEN = 8;
