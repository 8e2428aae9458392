import {
  CORRECTION_MS,
  dueRange,
  isPlannedBy,
  type LedgerRange,
  ledgerRange,
  MAX_RANGES,
  ON_TIME_MS,
  openAt,
} from "#shared/schedule/ledger.ts";
import { type Schedule, scheduledRange } from "#shared/schedule/schedule.ts";
import { nextTime } from "#shared/schedule/when.ts";
import { DAY_MS, MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import type { ScheduleRangeRecord } from "../../store/user/types.ts";
import type { UserStore } from "../../store/index.ts";

/** A readable schedule and its progress. */
export interface StoredSchedule {
  readonly id: string;
  readonly schedule: Schedule;
  /** The ranges of planned times up to here are in the ledger. */
  readonly handledMs: UtcMs;
}

type Users = Pick<UserStore, "scheduleRanges" | "enterScheduleRanges" | "putScheduleRanges" | "deleteScheduleRange">;

/**
 * The ranges of each schedule: when they became due, and what became of them. Runs work on it; clocks only enter ranges.
 * Every function throws `StoreError`.
 */
export class Ledger {
  readonly #users: Users;

  constructor(users: Users) {
    this.#users = users;
  }

  /** Enters the ranges of all planned times since the last call. */
  enter(stored: StoredSchedule, nowMs: UtcMs): void {
    const { id, schedule } = stored;
    if (schedule.isPaused) return;
    const handledMs = this.#handledTime(stored, nowMs);
    const ranges = rangesBetween(schedule, handledMs, nowMs);
    if (ranges.length === 0 && handledMs === stored.handledMs) return;
    const lastMs = ranges.at(-1)?.dueMs ?? handledMs;
    this.#users.enterScheduleRanges(
      id,
      ranges.map((range) => recordOf(id, range)),
      lastMs,
    );
  }

  /** Enters the range that the schedule has at this time, if it is not in the ledger, and returns it; null if it is empty. */
  enterNow({ id, schedule, handledMs }: StoredSchedule, nowMs: UtcMs): LedgerRange | null {
    const range = scheduledRange(schedule, nowMs);
    if (range === null) return null;
    this.#users.enterScheduleRanges(id, [recordOf(id, dueRange(range, nowMs))], handledMs);
    return this.all(id).find(({ startMs, endMs }) => startMs === range.startMs && endMs === range.endMs) ?? null;
  }

  /** Ranges that runs still work on, first due first. */
  open({ id, schedule }: StoredSchedule, nowMs: UtcMs): LedgerRange[] {
    return this.unfinished(id, nowMs).filter(openAt(schedule, nowMs));
  }

  /** Ranges that are due but not final. Some of them may be too old for another try. */
  unfinished(id: string, nowMs: UtcMs): LedgerRange[] {
    return this.#users
      .scheduleRanges(id, "open")
      .map(rangeOf)
      .filter((range) => isPlannedBy(range, nowMs));
  }

  /** First due first. */
  all(id: string): LedgerRange[] {
    return this.#users.scheduleRanges(id, "all").map(rangeOf);
  }

  put(id: string, ranges: readonly LedgerRange[]): void {
    this.#users.putScheduleRanges(
      ranges.map((range) => recordOf(id, range)),
      MAX_RANGES,
    );
  }

  /**
   * The time up to which planned times are entered. One in the future was stored while the clock of this computer was
   * ahead: what it made due is removed, or waits for its time if it has files, which only the ledger proves to be the
   * schedule's.
   */
  #handledTime({ id, handledMs }: StoredSchedule, nowMs: UtcMs): UtcMs {
    if (handledMs <= nowMs + CORRECTION_MS) return handledMs;
    const all = this.all(id);
    for (const range of all) {
      const { state, dueMs, files, writing } = range;
      if (state === "final" || isPlannedBy(range, nowMs)) continue;
      if (files.length + writing.length === 0) this.#users.deleteScheduleRange({ scheduleId: id, ...range });
      else this.put(id, [{ ...dueRange(range, dueMs), files, writing }]);
    }
    // A timer of the system that has just started the program may have done so for a planned time.
    return all.findLast((range) => isPlannedBy(range, nowMs))?.dueMs ?? nowMs - ON_TIME_MS;
  }
}

/** The ranges that planned times after one moment, up to another, make due. */
function rangesBetween(schedule: Schedule, afterMs: UtcMs, untilMs: UtcMs): LedgerRange[] {
  const { when, sinceMs, catchUpDays } = schedule;
  const makesUp = catchUpDays > 0 || sinceMs !== null;
  const ranges = new Map<string, LedgerRange>();
  // After years without the program, the latest ones are all that the ledger has room for.
  const firstMs = when.kind === "every" ? Math.max(afterMs, untilMs - MAX_RANGES * when.minutes * MINUTE_MS) : afterMs;
  let timeMs = makesUp ? firstMs : Math.max(afterMs, untilMs - ON_TIME_MS);
  for (;;) {
    timeMs = nextTime(when, timeMs);
    if (timeMs > untilMs) break;
    const range = scheduledRange(schedule, timeMs);
    if (range === null || (sinceMs !== null && range.endMs <= sinceMs)) continue;
    const key = `${range.startMs} ${range.endMs}`;
    if (!ranges.has(key)) ranges.set(key, dueRange(range, timeMs));
  }
  return [...ranges.values()];
}

/** Whether a schedule has more planned times between two moments than the ledger has room for. */
export function hasTooManyTimes({ when }: Pick<Schedule, "when">, afterMs: UtcMs, untilMs: UtcMs): boolean {
  const stepMs = when.kind === "every" ? when.minutes * MINUTE_MS : DAY_MS;
  return (untilMs - afterMs) / stepMs > MAX_RANGES;
}

/** Whether it is time for another try. A try in the future was dated by a clock that was ahead. */
export function isWorkedOn({ nextTryMs, triedMs }: LedgerRange, nowMs: UtcMs): boolean {
  return nextTryMs === null || nextTryMs <= nowMs || (triedMs !== null && triedMs > nowMs + CORRECTION_MS);
}

function recordOf(scheduleId: string, range: LedgerRange): ScheduleRangeRecord {
  const { startMs, endMs, dueMs, ...content } = range;
  return { scheduleId, startMs, endMs, dueMs, isFinal: range.state === "final", content };
}

const content = ledgerRange.omit({ startMs: true, endMs: true, dueMs: true });

/** A range of which this version cannot read what became of it is due again. */
function rangeOf({ startMs, endMs, dueMs, content: stored }: ScheduleRangeRecord): LedgerRange {
  const columns = { startMs, endMs };
  const read = content.safeParse(stored).data;
  return read === undefined ? dueRange(columns, dueMs) : { ...columns, dueMs, ...read };
}
