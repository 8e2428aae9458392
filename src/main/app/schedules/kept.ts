import { randomUUID } from "node:crypto";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { MOST_RUNS, type ScheduleRun, scheduleRun } from "#shared/schedule/run.ts";
import { type Schedule, schedule, scheduledRange } from "#shared/schedule/schedule.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { parseStored } from "#shared/storedJson.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import type { ScheduleRecord, UserStore } from "../../store/types.ts";
import { readContent } from "../recordContent.ts";

/** A schedule that can be read, with its place in time. */
export interface StoredSchedule {
  readonly id: string;
  readonly schedule: Schedule;
  /** Planned times up to here are done with. */
  readonly handledMs: UtcMs;
}

/** Schedules and their runs as they outlive the program. Every function throws `StoreError`. */
export interface KeptSchedules {
  /** By name; what this version cannot read is left out, and kept. */
  list(): StoredSchedule[];
  /** Names of those that cannot be read: they can only be removed. */
  unreadable(): string[];
  /** By name or id. */
  find(name: string): StoredSchedule | null;
  /** The same, or a sentence that says which there are. */
  named(name: string): Result<StoredSchedule, AppFault>;
  /** Keeps a new one (`id` null), or a changed one. Planned times of before are done with. */
  save(id: string | null, schedule: Schedule, nowMs: UtcMs): Result<StoredSchedule, AppFault>;
  /** What was planned for the time of a pause is not made up for. */
  setPaused(id: string, isPaused: boolean, nowMs: UtcMs): Result<StoredSchedule, AppFault>;
  /** Moves one on without a run, as after a clock was set back. */
  setHandled(id: string, handledMs: UtcMs): void;
  /** By name or id. @returns whether there was one */
  remove(name: string): boolean;
  /** Newest first. */
  runs(id: string): ScheduleRun[];
  putRun(run: ScheduleRun, handledMs?: UtcMs): void;
}

const MOST = 200;
const GONE = usageFault("This schedule is not there any more.");

type Users = Pick<
  UserStore,
  "connections" | "schedules" | "putSchedule" | "deleteSchedule" | "scheduleRuns" | "putScheduleRun"
>;

export function createKeptSchedules(users: Users): KeptSchedules {
  const list = (): StoredSchedule[] =>
    users
      .schedules()
      .flatMap((record) => read(record) ?? [])
      .toSorted((a, b) => a.schedule.name.localeCompare(b.schedule.name, "en", { numeric: true }));
  const find = (name: string): StoredSchedule | null =>
    list().find((s) => s.schedule.name === name.trim() || s.id === name) ?? null;

  function put(stored: StoredSchedule): StoredSchedule {
    const { name, connectionId, ...content } = stored.schedule;
    const { id, handledMs } = stored;
    users.putSchedule({ id, connectionId, name, content: JSON.stringify(content), handledMs });
    return stored;
  }

  return {
    list,
    unreadable: () =>
      users
        .schedules()
        .filter((record) => read(record) === null)
        .map((record) => record.name),
    find,
    named(name) {
      const found = find(name);
      if (found) return success(found);
      const names = list().map((s) => `“${s.schedule.name}”`);
      const hint = names.length === 0 ? "No schedule is kept yet." : `There is ${names.join(", ")}.`;
      return failure(usageFault(`There is no schedule “${name}”. ${hint}`));
    },
    save(id, given, nowMs) {
      if (!users.connections().some((c) => c.id === given.connectionId))
        return failure(usageFault("This connection is not there any more. Choose another one."));
      const all = users.schedules();
      if (id !== null && !all.some((record) => record.id === id)) return failure(GONE);
      if (all.some((record) => record.name === given.name && record.id !== id))
        return failure(usageFault(`Another schedule is called “${given.name}”: choose another name.`));
      if (id === null && all.length >= MOST)
        return failure(usageFault(`There can be ${MOST} schedules at most: delete some that are not needed any more.`));
      const problem = retentionProblem(given, nowMs);
      if (problem !== null) return failure(usageFault(problem));
      return success(put({ id: id ?? randomUUID(), schedule: given, handledMs: nowMs }));
    },
    setPaused(id, isPaused, nowMs) {
      const found = find(id);
      if (!found) return failure(GONE);
      const handledMs = isPaused ? found.handledMs : nowMs;
      return success(put({ ...found, schedule: { ...found.schedule, isPaused }, handledMs }));
    },
    setHandled(id, handledMs) {
      const found = find(id);
      if (found) put({ ...found, handledMs });
    },
    remove(name) {
      const record = users.schedules().find((one) => one.name === name.trim() || one.id === name);
      if (record) users.deleteSchedule(record.id);
      return record !== undefined;
    },
    runs: (id) => users.scheduleRuns(id).flatMap(({ content }) => parseStored(scheduleRun, content) ?? []),
    putRun(run, handledMs) {
      const { id, scheduleId, startedMs } = run;
      users.putScheduleRun({ id, scheduleId, startedMs, content: JSON.stringify(run) }, MOST_RUNS, handledMs);
    },
  };
}

function read({ id, name, connectionId, content, handledMs }: ScheduleRecord): StoredSchedule | null {
  const found = readContent(schedule, "schedule", { name, connectionId }, content);
  return found && { id, schedule: found, handledMs };
}

/** Data that a run deletes must not be what the next one downloads again. */
function retentionProblem(given: Schedule, nowMs: UtcMs): string | null {
  const range = scheduledRange(given, nowMs);
  if (given.keepDays === null || range === null) return null;
  const days = Math.ceil((Math.floor(nowMs / DAY_MS) * DAY_MS - range.startMs) / DAY_MS);
  return days <= given.keepDays
    ? null
    : `The range reaches back ${days} days, and data would be deleted after ${given.keepDays}. Keep at least ${days} days.`;
}
