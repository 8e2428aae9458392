import { randomUUID } from "node:crypto";
import { type AppFault, usageFailure, usageFault } from "#shared/fault.ts";
import { moment } from "#shared/bridge/methods/schemas.ts";
import { MAX_RANGES } from "#shared/schedule/ledger.ts";
import { MAX_RUNS, type ScheduleRun, scheduleRun } from "#shared/schedule/run.ts";
import { type Schedule, schedule, scheduledRange } from "#shared/schedule/schedule.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { count } from "#shared/text.ts";
import { DAY_MS, formatUtcShort, MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import type { ScheduleRecord } from "../../store/user/types.ts";
import { Ledger, hasTooManyTimes, type StoredSchedule } from "./ledger.ts";
import { readableRecords, readContent, unreadableRecords } from "../recordContent.ts";
import type { UserStore } from "../../store/index.ts";

const MAX_SCHEDULES = 200;
const GONE = usageFault("This schedule no longer exists.");

/** A sentence on a schedule that this version cannot read. */
export function damagedWords(name: string): string {
  return `The schedule “${name}” is damaged, or of a newer version, and cannot be used: “schedule remove” deletes it.`;
}

/** Schedules, their ledgers and their runs in user.db. Every function throws `StoreError`. */
export class ScheduleStore {
  readonly #users: UserStore;
  readonly ledger: Ledger;

  constructor(users: UserStore) {
    this.#users = users;
    this.ledger = new Ledger(users);
  }

  /** Sorted by name, without records that this version cannot read. */
  list(): StoredSchedule[] {
    return readableRecords(this.#users.schedules(), read);
  }

  /** Names of unreadable schedules, which can only be removed. */
  unreadable(): string[] {
    return unreadableRecords(this.#users.schedules(), read);
  }

  /** By name or id. */
  find(name: string): StoredSchedule | null {
    return this.list().find((s) => s.schedule.name === name.trim() || s.id === name) ?? null;
  }

  /** Like `find`, but with a fault that lists the existing schedules. */
  named(name: string): Result<StoredSchedule, AppFault> {
    const found = this.find(name);
    if (found) return success(found);
    const isDamaged = this.#users.schedules().some((record) => record.name === name.trim());
    if (isDamaged) return usageFailure(damagedWords(name.trim()));
    const names = this.list().map((s) => `“${s.schedule.name}”`);
    const hint = names.length === 0 ? "There is no schedule yet." : `There is ${names.join(", ")}.`;
    return usageFailure(`There is no schedule “${name}”. ${hint}`);
  }

  /**
   * Saves a new schedule (`id` null) or a changed one. Ranges that became due by the earlier settings remain due. An
   * earlier start (`sinceMs`) makes the ranges since then due.
   */
  save(id: string | null, given: Schedule, nowMs: UtcMs): Result<StoredSchedule, AppFault> {
    if (!this.#users.connections().some((c) => c.id === given.connectionId))
      return usageFailure("This connection no longer exists. Choose another one.");
    const all = this.#users.schedules();
    if (id !== null && !all.some((record) => record.id === id)) return failure(GONE);
    if (all.some((record) => record.name === given.name && record.id !== id))
      return usageFailure(`Another schedule is called “${given.name}”: choose another name.`);
    if (id === null && all.length >= MAX_SCHEDULES)
      return usageFailure(`There can be at most ${MAX_SCHEDULES} schedules. Delete some that you no longer need.`);
    const problem = retentionProblem(given, nowMs) ?? backfillProblem(given, nowMs);
    if (problem !== null) return usageFailure(problem);
    const before = id === null ? null : this.find(id);
    if (before) this.ledger.enter(before, nowMs);
    const hasNewStart = given.sinceMs !== (before?.schedule.sinceMs ?? null);
    const handledMs = hasNewStart ? (given.sinceMs ?? nowMs) : nowMs;
    return success(this.#put({ id: id ?? randomUUID(), schedule: given, handledMs }));
  }

  /** Ranges that become due during a pause are skipped. */
  setPaused(id: string, isPaused: boolean, nowMs: UtcMs): Result<StoredSchedule, AppFault> {
    const found = this.find(id);
    if (!found) return failure(GONE);
    this.ledger.enter(found, nowMs);
    return success(this.#put({ ...found, schedule: { ...found.schedule, isPaused }, handledMs: nowMs }));
  }

  /** By name or id. @returns whether it existed */
  remove(name: string): boolean {
    const record = this.#users.schedules().find((one) => one.name === name.trim() || one.id === name);
    if (record) this.#users.deleteSchedule(record.id);
    return record !== undefined;
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

  #put(stored: StoredSchedule): StoredSchedule {
    const { name, connectionId, ...content } = stored.schedule;
    const { id, handledMs } = stored;
    this.#users.putSchedule({ id, connectionId, name, content, handledMs });
    return stored;
  }
}

const storedSchedule = schedule.extend({ handledMs: moment });

function read({ id, name, connectionId, content, handledMs: storedMs }: ScheduleRecord): StoredSchedule | null {
  const found = readContent(storedSchedule, "schedule", { name, connectionId, handledMs: storedMs }, content);
  if (found === null) return null;
  const { handledMs, ...rest } = found;
  return { id, schedule: rest, handledMs };
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
  const days = Math.ceil((Math.floor(nowMs / DAY_MS) * DAY_MS - range.startMs) / DAY_MS);
  return days <= given.keepDays
    ? null
    : `The range reaches back ${days} days, and data would be deleted after ${given.keepDays}. Keep at least ${days} days.`;
}
