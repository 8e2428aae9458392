import { randomUUID } from "node:crypto";
import { type AppFault, usageFailure, usageFault } from "#shared/fault.ts";
import { moment } from "#shared/bridge/methods/schemas.ts";
import { MAX_RANGES } from "#shared/schedule/ledger.ts";
import { MAX_RUNS, type ScheduleRun, scheduleRun } from "#shared/schedule/run.ts";
import type { z } from "zod";
import { type Schedule, schedule, scheduledRange } from "#shared/schedule/schedule.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { count } from "#shared/text.ts";
import { DAY_MS, formatUtcShort, MINUTE_MS, startOfDay, type UtcMs } from "#shared/time/utc.ts";
import { hasTooManyTimes, Ledger, type StoredSchedule } from "./ledger.ts";
import { type Entry, NamedRecords } from "../namedRecords.ts";
import type { UserStore } from "../../store/index.ts";

const GONE = usageFault("This schedule no longer exists.");

const storedSchedule = schedule.extend({ handledMs: moment });

const KIND = {
  kind: "schedule",
  schema: storedSchedule,
  most: 200,
  one: "schedule",
  many: "schedules",
  create: "Create one with “schedule add” or in the window.",
  remove: "Delete it with “schedule remove”.",
} as const;

/** Schedules, their ledgers and their runs in user.db. Every function throws `StoreError`. */
export class ScheduleStore {
  readonly #users: UserStore;
  readonly #records: NamedRecords<z.output<typeof storedSchedule>>;
  readonly ledger: Ledger;

  constructor(users: UserStore) {
    this.#users = users;
    this.#records = new NamedRecords(users, KIND);
    this.ledger = new Ledger(users);
  }

  /** Sorted by name, without records that this version cannot read. */
  list(): StoredSchedule[] {
    return this.#records.entries().map(storedOf);
  }

  /** Sentences on the unreadable schedules, which can only be removed. */
  damage(): string[] {
    return this.#records.unreadable().map((name) => this.#records.unreadableWords(name));
  }

  /** By name or id. */
  find(name: string): StoredSchedule | null {
    const found = this.#records.entry(name);
    return found && storedOf(found);
  }

  /** Like `find`, but with a fault that lists the existing schedules. */
  named(name: string): Result<StoredSchedule, AppFault> {
    const found = this.#records.find(name);
    return found.ok ? success(storedOf(found.value)) : found;
  }

  /**
   * Saves a new schedule (`id` null) or a changed one. Ranges that became due by the earlier settings remain due. An
   * earlier start (`sinceMs`) makes the ranges since then due.
   */
  save(id: string | null, given: Schedule, nowMs: UtcMs): Result<StoredSchedule, AppFault> {
    const before = id === null ? null : this.find(id);
    if (id !== null && before === null) return failure(GONE);
    const problem = retentionProblem(given, nowMs) ?? backfillProblem(given, nowMs);
    if (problem !== null) return usageFailure(problem);
    if (before) {
      this.ledger.enter(before, nowMs);
      this.ledger.reopen(before.id);
    }
    const hasNewStart = given.sinceMs !== (before?.schedule.sinceMs ?? null);
    const handledMs = hasNewStart ? (given.sinceMs ?? nowMs) : nowMs;
    return this.#put({ id: id ?? randomUUID(), schedule: given, handledMs });
  }

  /** Ranges that become due during a pause are skipped. */
  setPaused(id: string, isPaused: boolean, nowMs: UtcMs): Result<StoredSchedule, AppFault> {
    const found = this.find(id);
    if (!found) return failure(GONE);
    this.ledger.enter(found, nowMs);
    return this.#put({ ...found, schedule: { ...found.schedule, isPaused }, handledMs: nowMs });
  }

  /** By name or id. @returns whether it existed */
  remove(name: string): boolean {
    return this.#records.remove(name);
  }

  /** Newest first. */
  runs(id: string): ScheduleRun[] {
    return this.#users.scheduleRuns(id).flatMap(({ content }) => scheduleRun.safeParse(content).data ?? []);
  }

  /** The last run; one that was dated by a clock that was ahead only if there is no other. */
  lastRun(id: string, nowMs: UtcMs): ScheduleRun | null {
    const all = this.runs(id);
    return all.find((run) => run.startedMs <= nowMs + MINUTE_MS) ?? all[0] ?? null;
  }

  /** Whether a run, as far back as they are kept, has written a file. */
  hasWritten(path: string): boolean {
    return this.list().some(({ id }) => this.runs(id).some(({ files }) => files.some((file) => file.path === path)));
  }

  putRun(run: ScheduleRun): void {
    const { id, scheduleId, startedMs } = run;
    this.#users.putScheduleRun({ id, scheduleId, startedMs, content: run }, MAX_RUNS);
  }

  #put(stored: StoredSchedule): Result<StoredSchedule, AppFault> {
    const { id, schedule, handledMs } = stored;
    const answer = this.#records.put([{ id, item: { ...schedule, handledMs } }]);
    return answer.ok ? success(stored) : answer;
  }
}

function storedOf({ id, item: { handledMs, ...schedule } }: Entry<z.output<typeof storedSchedule>>): StoredSchedule {
  return { id, schedule, handledMs };
}

/** Refuses a start so early that the ledger cannot hold all ranges since. */
function backfillProblem(given: Schedule, nowMs: UtcMs): string | null {
  const { sinceMs } = given;
  if (sinceMs === null || !hasTooManyTimes(given, sinceMs, nowMs)) return null;
  return `More than ${count(MAX_RANGES)} ranges would be due since ${formatUtcShort(sinceMs)}. Choose a later start or longer steps.`;
}

/** Refuses settings with which a run would delete data that the next run downloads again. */
function retentionProblem(given: Schedule, nowMs: UtcMs): string | null {
  const range = scheduledRange(given, nowMs);
  if (given.keepDays === null || range === null) return null;
  const days = Math.ceil((startOfDay(nowMs) - range.startMs) / DAY_MS);
  return days <= given.keepDays
    ? null
    : `The range reaches back ${days} days, and data would be deleted after ${given.keepDays}. Keep at least ${days} days.`;
}
