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
import { createLedger, hasTooManyTimes, type Ledger, type StoredSchedule } from "./ledger.ts";
import { readableRecords, readContent, unreadableRecords } from "../recordContent.ts";
import type { UserStore } from "../../store/index.ts";

/** Schedules, their ledgers and their runs in user.db. Every function throws `StoreError`. */
export interface ScheduleStore {
  /** Sorted by name, without records that this version cannot read. */
  list(): StoredSchedule[];
  /** Names of unreadable schedules, which can only be removed. */
  unreadable(): string[];
  /** By name or id. */
  find(name: string): StoredSchedule | null;
  /** Like `find`, but with a fault that lists the existing schedules. */
  named(name: string): Result<StoredSchedule, AppFault>;
  readonly ledger: Ledger;
  /**
   * Saves a new schedule (`id` null) or a changed one. Ranges that became due by the earlier settings remain due. An
   * earlier start (`sinceMs`) makes the ranges since then due.
   */
  save(id: string | null, schedule: Schedule, nowMs: UtcMs): Result<StoredSchedule, AppFault>;
  /** Ranges that become due during a pause are skipped. */
  setPaused(id: string, isPaused: boolean, nowMs: UtcMs): Result<StoredSchedule, AppFault>;
  /** By name or id. @returns whether it existed */
  remove(name: string): boolean;
  /** Newest first. */
  runs(id: string): ScheduleRun[];
  /** The last run; one that was dated by a clock that was ahead only if there is no other. */
  lastRun(id: string, nowMs: UtcMs): ScheduleRun | null;
  putRun(run: ScheduleRun): void;
}

const MAX_SCHEDULES = 200;
const GONE = usageFault("This schedule no longer exists.");

type Users = Pick<
  UserStore,
  | "connections"
  | "schedules"
  | "putSchedule"
  | "deleteSchedule"
  | "scheduleRuns"
  | "putScheduleRun"
  | "scheduleRanges"
  | "enterScheduleRanges"
  | "putScheduleRanges"
  | "deleteScheduleRange"
>;

/** A sentence on a schedule that this version cannot read. */
export function damagedWords(name: string): string {
  return `The schedule “${name}” is damaged, or of a newer version, and cannot be used: “schedule remove” deletes it.`;
}

export function createScheduleStore(users: Users): ScheduleStore {
  const ledger = createLedger(users);
  const list = (): StoredSchedule[] => readableRecords(users.schedules(), read);
  const find = (name: string): StoredSchedule | null =>
    list().find((s) => s.schedule.name === name.trim() || s.id === name) ?? null;

  function put(stored: StoredSchedule): StoredSchedule {
    const { name, connectionId, ...content } = stored.schedule;
    const { id, handledMs } = stored;
    users.putSchedule({ id, connectionId, name, content, handledMs });
    return stored;
  }

  const runs = (id: string): ScheduleRun[] =>
    users.scheduleRuns(id).flatMap(({ content }) => scheduleRun.safeParse(content).data ?? []);

  return {
    ledger,
    list,
    unreadable: () => unreadableRecords(users.schedules(), read),
    find,
    named(name) {
      const found = find(name);
      if (found) return success(found);
      const isDamaged = users.schedules().some((record) => record.name === name.trim());
      if (isDamaged) return usageFailure(damagedWords(name.trim()));
      const names = list().map((s) => `“${s.schedule.name}”`);
      const hint = names.length === 0 ? "There is no schedule yet." : `There is ${names.join(", ")}.`;
      return usageFailure(`There is no schedule “${name}”. ${hint}`);
    },
    save(id, given, nowMs) {
      if (!users.connections().some((c) => c.id === given.connectionId))
        return usageFailure("This connection no longer exists. Choose another one.");
      const all = users.schedules();
      if (id !== null && !all.some((record) => record.id === id)) return failure(GONE);
      if (all.some((record) => record.name === given.name && record.id !== id))
        return usageFailure(`Another schedule is called “${given.name}”: choose another name.`);
      if (id === null && all.length >= MAX_SCHEDULES)
        return usageFailure(`There can be at most ${MAX_SCHEDULES} schedules. Delete some that you no longer need.`);
      const problem = retentionProblem(given, nowMs) ?? backfillProblem(given, nowMs);
      if (problem !== null) return usageFailure(problem);
      const before = id === null ? null : find(id);
      if (before) ledger.enter(before, nowMs);
      const hasNewStart = given.sinceMs !== (before?.schedule.sinceMs ?? null);
      const handledMs = hasNewStart ? (given.sinceMs ?? nowMs) : nowMs;
      return success(put({ id: id ?? randomUUID(), schedule: given, handledMs }));
    },
    setPaused(id, isPaused, nowMs) {
      const found = find(id);
      if (!found) return failure(GONE);
      ledger.enter(found, nowMs);
      return success(put({ ...found, schedule: { ...found.schedule, isPaused }, handledMs: nowMs }));
    },
    remove(name) {
      const record = users.schedules().find((one) => one.name === name.trim() || one.id === name);
      if (record) users.deleteSchedule(record.id);
      return record !== undefined;
    },
    runs,
    lastRun(id, nowMs) {
      const all = runs(id);
      return all.find((run) => run.startedMs <= nowMs + MINUTE_MS) ?? all[0] ?? null;
    },
    putRun(run) {
      const { id, scheduleId, startedMs } = run;
      users.putScheduleRun({ id, scheduleId, startedMs, content: run }, MAX_RUNS);
    },
  };
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
