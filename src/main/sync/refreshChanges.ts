import { type JobSpec, jobRanges } from "#shared/job/job.ts";
import type { DayChanges, RefreshReport } from "#shared/job/refresh.ts";
import type { Column, Coverage, SeriesRows } from "#shared/series/rows.ts";
import { type Variable, withImpliedVariables } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { includes, intersect, rangeSet, type RangeSet } from "#shared/time/rangeset.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import { answeredTime } from "../analysis/requestedTimes.ts";
import type { CacheReader } from "../store/index.ts";

/** One variable in a part of a refreshed series. */
interface RefreshedVariable {
  readonly variable: Variable;
  /** What the fresh responses prove. */
  readonly coverage: Coverage;
  readonly answered: RangeSet;
}

/** A refreshed time of one station, short enough for its rows to fit into memory. */
export interface RefreshedPart {
  readonly stationId: string;
  readonly range: TimeRange;
  readonly before: SeriesRows;
  readonly after: SeriesRows;
  readonly variables: readonly RefreshedVariable[];
}

/** Number of means, or observations of 30 s, in a part. */
const PART_ROWS = 4 * 2_880;

/** Yields what a refresh requested, station by station, beside what the cache has. */
export function* refreshedParts(former: CacheReader, fresh: CacheReader, spec: JobSpec): Generator<RefreshedPart> {
  const { intervalSeconds, raw } = spec;
  const variables = withImpliedVariables(spec.variables);
  const lengthMs = Math.max(1, Math.round((PART_ROWS * (intervalSeconds ?? 30) * 1_000) / DAY_MS)) * DAY_MS;
  for (const stationId of new Set(spec.stationIds)) {
    const own = variables.map((variable): RefreshedVariable => {
      const coverage = fresh.coverage(stationId, variable, spec);
      return { variable, coverage, answered: answeredTime(coverage) };
    });
    const all = rangeSet(own.flatMap(({ answered }) => answered));
    for (const whole of intersect(all, jobRanges(spec, stationId))) {
      for (const range of rangeParts(whole, lengthMs)) {
        const selection = { stationId, variables, range, intervalSeconds, raw };
        const [before, after] = [former.rows(selection, false), fresh.rows(selection, false)];
        yield { stationId, range, before, after, variables: own };
      }
    }
  }
}

function* rangeParts({ startMs, endMs }: TimeRange, lengthMs: number): Generator<TimeRange> {
  for (let fromMs = startMs; fromMs < endMs;) {
    const toMs = Math.min(endMs, (Math.floor(fromMs / lengthMs) + 1) * lengthMs);
    yield { startMs: fromMs, endMs: toMs };
    fromMs = toMs;
  }
}

/** A value of a column; null if there is none. */
function valueIn(column: Column | undefined, i: number): number | string | null {
  if (i < 0 || column === undefined || column.present?.[i] === 0) return null;
  const value = column.values[i] ?? null;
  return value === "" || Number.isNaN(value) ? null : value;
}

type Counts = { -readonly [K in "added" | "changed" | "kept"]: number };

/** Number of days that a report lists. */
const MAX_DAYS = 1_000;

/** Counts the changes of a refresh by station and day. */
export class ChangeCounter {
  readonly #days = new Map<string, DayChanges & Counts>();

  add({ stationId, before, after, variables }: RefreshedPart): void {
    for (const { timeMs, old, fresh } of sharedTimes(before.timesMs, after.timesMs)) {
      const [row, kept] = changeOf({ before, after, variables }, { timeMs, old, fresh });
      if (row !== null) this.#dayOf(stationId, timeMs)[row]++;
      if (kept) this.#dayOf(stationId, timeMs).kept++;
    }
  }

  report(): RefreshReport {
    return reportOf([...this.#days.values()], 0);
  }

  #dayOf(stationId: string, timeMs: UtcMs): Counts {
    const dayMs = Math.floor(timeMs / DAY_MS) * DAY_MS;
    const key = `${dayMs} ${stationId}`;
    const known = this.#days.get(key);
    if (known) return known;
    const day = { stationId, dayMs, added: 0, changed: 0, kept: 0 };
    this.#days.set(key, day);
    return day;
  }
}

interface SharedTime {
  readonly timeMs: UtcMs;
  /** Indices of the rows of this time; -1: none. */
  readonly old: number;
  readonly fresh: number;
}

function* sharedTimes(a: Float64Array, b: Float64Array): Generator<SharedTime> {
  for (let i = 0, k = 0; i < a.length || k < b.length;) {
    const timeMs = Math.min(a[i] ?? Infinity, b[k] ?? Infinity);
    yield { timeMs, old: a[i] === timeMs ? i++ : -1, fresh: b[k] === timeMs ? k++ : -1 };
  }
}

/** How a row changes, and whether a value of it is kept that the responses lack. */
function changeOf(
  { before, after, variables }: Pick<RefreshedPart, "before" | "after" | "variables">,
  { timeMs, old, fresh }: SharedTime,
): [Exclude<keyof Counts, "kept"> | null, boolean] {
  let [had, differs, kept] = [false, false, false];
  for (const { variable, answered } of variables) {
    const was = valueIn(before.columns[variable], old);
    const is = valueIn(after.columns[variable], fresh);
    had ||= was !== null;
    differs ||= is !== null && !Object.is(was, is);
    kept ||= was !== null && is === null && includes(answered, timeMs);
  }
  return [differs ? (had ? "changed" : "added") : null, kept];
}

function reportOf(days: readonly DayChanges[], moreDays: number): RefreshReport {
  const sum = (of: (day: DayChanges) => number): number => days.reduce((n, day) => n + of(day), 0);
  const sorted = days.toSorted((a, b) =>
    a.stationId < b.stationId ? -1 : a.stationId > b.stationId ? 1 : a.dayMs - b.dayMs,
  );
  return {
    added: sum((day) => day.added),
    changed: sum((day) => day.changed),
    kept: sum((day) => day.kept),
    days: sorted.slice(0, MAX_DAYS),
    moreDays: moreDays + Math.max(0, sorted.length - MAX_DAYS),
  };
}

/** Returns the changes of a refresh that continues an earlier one; rows are kept as the later one found them. */
export function joinReports(earlier: RefreshReport, later: RefreshReport): RefreshReport {
  const days = new Map<string, DayChanges>();
  for (const day of earlier.days) days.set(`${day.dayMs} ${day.stationId}`, { ...day, kept: 0 });
  for (const day of later.days) {
    const { added = 0, changed = 0 } = days.get(`${day.dayMs} ${day.stationId}`) ?? {};
    days.set(`${day.dayMs} ${day.stationId}`, { ...day, added: added + day.added, changed: changed + day.changed });
  }
  const changed = [...days.values()].filter((day) => day.added + day.changed + day.kept > 0);
  return {
    ...reportOf(changed, earlier.moreDays + later.moreDays),
    added: earlier.added + later.added,
    changed: earlier.changed + later.changed,
    kept: later.kept,
  };
}
