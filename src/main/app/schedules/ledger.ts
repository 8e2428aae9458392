import {
  CORRECTION_MS,
  countStates,
  dueRange,
  isPlannedBy,
  type LedgerCounts,
  type LedgerRange,
  ledgerRange,
  MAX_RANGES,
  ON_TIME_MS,
  openAt,
  RANGE_STATES,
} from "#shared/schedule/ledger.ts";
import { type Schedule, scheduledRange } from "#shared/schedule/schedule.ts";
import { nextTime } from "#shared/schedule/when.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { hull, rangeSet } from "#shared/time/rangeset.ts";
import { DAY_MS, MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import { fileName } from "./files.ts";
import type { ScheduleRangeRecord, UserStore } from "../../store/index.ts";

/** A readable schedule and its progress. */
export interface StoredSchedule {
  readonly id: string;
  readonly schedule: Schedule;
  /** The ranges of planned times up to here are in the ledger. */
  readonly handledMs: UtcMs;
}

type Users = Pick<
  UserStore,
  | "scheduleRange"
  | "scheduleRanges"
  | "rangesWithFile"
  | "missedScheduleRanges"
  | "enterScheduleRanges"
  | "putScheduleRanges"
  | "closeScheduleRanges"
  | "reopenScheduleRanges"
  | "deleteScheduleRange"
  | "putStationList"
  | "stationList"
>;

/** What a run says of the ranges that are due but not final. */
export interface Unfinished {
  readonly counts: LedgerCounts;
  /** The time that undelivered ranges span; null if all were delivered. */
  readonly undelivered: TimeRange | null;
  /** How many of them are too old to be tried again. */
  readonly tooOld: number;
}

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
      { handledMs: lastMs, most: MAX_RANGES },
    );
  }

  /** Enters the range that the schedule has at this time, if it is not in the ledger, and returns it; null if it is empty. */
  enterNow({ id, schedule, handledMs }: StoredSchedule, nowMs: UtcMs): LedgerRange | null {
    const range = scheduledRange(schedule, nowMs);
    if (range === null) return null;
    this.#users.enterScheduleRanges(id, [recordOf(id, dueRange(range, nowMs))], { handledMs, most: MAX_RANGES });
    return this.find(id, range);
  }

  find(id: string, range: TimeRange): LedgerRange | null {
    const found = this.#users.scheduleRange({ scheduleId: id, ...range });
    return found && rangeOf(found);
  }

  /** The ranges that have written, or were about to write, a file of this name. */
  withFile(id: string, path: string): LedgerRange[] {
    return this.#users.rangesWithFile(id, fileName(path)).map(rangeOf);
  }

  /** Ranges that runs still work on, first due first. */
  open({ id, schedule }: StoredSchedule, nowMs: UtcMs): LedgerRange[] {
    return this.#notClosed(id, nowMs).filter(openAt(schedule, nowMs));
  }

  /** Closes the ranges that are too old for another try, so that no run reads them again. */
  closeOld({ id, schedule }: StoredSchedule, nowMs: UtcMs): void {
    const isOpen = openAt(schedule, nowMs);
    const old = this.#notClosed(id, nowMs).filter((range) => !isOpen(range));
    if (old.length > 0) this.#users.closeScheduleRanges(old.map((range) => ({ scheduleId: id, ...range })));
  }

  /** Other settings, or the right clock, may let runs work again on ranges that were too old. */
  reopen(id: string): void {
    if (this.#users.missedScheduleRanges(id).length > 0) this.#users.reopenScheduleRanges(id);
  }

  unfinished(id: string, nowMs: UtcMs): Unfinished {
    const open = this.#notClosed(id, nowMs);
    const counts = { ...countStates(open) };
    let tooOld = 0;
    const undelivered = open.filter(isUndelivered).map(({ startMs, endMs }) => ({ startMs, endMs }));
    for (const { state, count, startMs, endMs } of this.#users.missedScheduleRanges(id)) {
      const known = RANGE_STATES.find((one) => one === state) ?? "due";
      counts[known] += count;
      if (!isUndelivered({ state: known })) continue;
      undelivered.push({ startMs, endMs });
      tooOld += count;
    }
    return { counts, tooOld, undelivered: hull(rangeSet(undelivered)) };
  }

  #notClosed(id: string, nowMs: UtcMs): LedgerRange[] {
    return this.#users
      .scheduleRanges(id, "open")
      .map(rangeOf)
      .filter((range) => isPlannedBy(range, nowMs));
  }

  /** First due first. */
  all(id: string): LedgerRange[] {
    return this.#users.scheduleRanges(id, "all").map(rangeOf);
  }

  /** The same with the ranges of planned times that no run has entered yet. Nothing is written. */
  allAt({ id, schedule, handledMs }: StoredSchedule, nowMs: UtcMs): LedgerRange[] {
    const entered = this.all(id);
    if (schedule.isPaused) return entered;
    const known = new Set(entered.map(keyOf));
    return [...entered, ...rangesBetween(schedule, handledMs, nowMs).filter((range) => !known.has(keyOf(range)))];
  }

  /** Keeps the stations of a range's files. @returns by what they are found */
  keepStations(id: string, stationIds: readonly string[]): string {
    return this.#users.putStationList(id, stationIds);
  }

  /** The stations of a range's files; null before it was delivered. */
  stationsOf(id: string, { stations }: LedgerRange): readonly string[] | null {
    return stations === null ? null : this.#users.stationList(id, stations);
  }

  put(id: string, ranges: readonly LedgerRange[]): void {
    this.#users.putScheduleRanges(ranges.map((range) => recordOf(id, range)));
  }

  /**
   * The time up to which planned times are entered. One in the future was stored while the clock of this computer was
   * ahead: what it made due is removed, or waits for its time if it has files, which only the ledger proves to be the
   * schedule's.
   */
  #handledTime({ id, handledMs }: StoredSchedule, nowMs: UtcMs): UtcMs {
    if (handledMs <= nowMs + CORRECTION_MS) return handledMs;
    this.reopen(id);
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

function keyOf({ startMs, endMs }: TimeRange): string {
  return `${startMs} ${endMs}`;
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
    if (!ranges.has(keyOf(range))) ranges.set(keyOf(range), dueRange(range, timeMs));
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
  const fileNames = [...range.files, ...range.writing].map(({ path }) => fileName(path));
  return { scheduleId, startMs, endMs, dueMs, isFinal: range.state === "final", fileNames, content };
}

function isUndelivered({ state }: Pick<LedgerRange, "state">): boolean {
  return state === "due" || state === "failed";
}

const content = ledgerRange.omit({ startMs: true, endMs: true, dueMs: true });

/** A range of which this version cannot read what became of it is due again. */
function rangeOf({ startMs, endMs, dueMs, content: stored }: ScheduleRangeRecord): LedgerRange {
  const columns = { startMs, endMs };
  const read = content.safeParse(stored).data;
  return read === undefined ? dueRange(columns, dueMs) : { ...columns, dueMs, ...read };
}
