import { assertConnection, type Found, type RecordAccess, type Records, soundValue } from "./records.ts";
import type { NamedKind, NamedRecord, NamedValue, ScheduleRangeRecord, ScheduleRunRecord } from "./types.ts";
import { labelIn, rangeId, type RangeKey } from "./userRecords.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** Kinds that are removed with their connection. */
const OWNED_KINDS = ["savedExport", "schedule"] as const;

/** Saved views, saved exports and schedules. */
export function namedRecords(access: RecordAccess) {
  const { records, read, change, refuse } = access;
  const put = (kind: NamedKind, id: string, value: NamedValue): void => {
    if (isOwned(kind)) assertConnection(access, value.connectionId ?? "");
    const isTaken = (): boolean => namedIn(records, kind).some((other) => other.name === value.name && other.id !== id);
    if (kind === "schedule" && isTaken()) refuse(`another schedule is called “${value.name}”.`);
    records.put(kind, id, value);
  };
  return {
    named: (kind: NamedKind): readonly NamedRecord[] => read(() => namedIn(records, kind)),
    /** Differs if records of this kind were changed. */
    namedRevision: (kind: NamedKind): string => read(() => records.sum(kind)),
    /** Deletes records, and stores others under their ids, in one transaction. */
    changeNamed: (
      kind: NamedKind,
      { put: all = [], remove = [] }: { readonly put?: readonly ChangedRecord[]; readonly remove?: readonly string[] },
    ) =>
      change(() => {
        for (const id of remove) removeNamed(records, kind, id);
        for (const { id, value } of all) put(kind, id, value);
      }),
  };
}

interface ChangedRecord {
  readonly id: string;
  readonly value: NamedValue;
}

/** Deletes the saved exports and schedules of a connection. */
export function removeNamedOf(records: Records, connectionId: string): void {
  for (const kind of OWNED_KINDS)
    for (const { id, value } of namedIn(records, kind))
      if (value?.connectionId === connectionId) removeNamed(records, kind, id);
}

function isOwned(kind: NamedKind): boolean {
  return OWNED_KINDS.some((owned) => owned === kind);
}

/** A schedule is deleted with its ranges and runs, whose ids begin with its own. */
function removeNamed(records: Records, kind: NamedKind, id: string): void {
  records.remove(kind, id);
  if (kind === "schedule")
    for (const owned of ["openRange", "finalRange", "run"] as const) records.removeOwned(owned, id);
}

function namedIn(records: Records, kind: NamedKind): NamedRecord[] {
  return records.all(kind).map((found) => namedOf(found, kind));
}

/** Only schedules have an id apart from their name. */
function namedOf(found: Found, kind: NamedKind): NamedRecord {
  const { id } = found;
  if (found.isDamaged) return { id, name: kind === "schedule" ? labelIn(found, "name") : id, value: null };
  const value = found.value as NamedValue;
  return { id, name: value.name, value };
}

const RANGES = ["openRange", "finalRange"] as const;

/** The ranges in the ledgers of schedules, and their runs. */
export function scheduleRecords({ records, read, change }: RecordAccess) {
  const putRange = (range: ScheduleRangeRecord): void => {
    const id = rangeId(range);
    records.remove(range.isFinal ? "openRange" : "finalRange", id);
    records.put(range.isFinal ? "finalRange" : "openRange", id, range);
  };
  const hasRange = (range: RangeKey): boolean => RANGES.some((kind) => records.has(kind, rangeId(range)));
  /** Ranges and runs of a schedule that another process has removed are not stored. */
  const ofExisting = <T extends { readonly scheduleId: string }>(all: readonly T[]): T[] =>
    all.filter(({ scheduleId }) => records.has("schedule", scheduleId));
  return {
    /** Returns the ledger of a schedule, in the order in which its ranges became due. “open” leaves out final ranges. */
    scheduleRanges: (scheduleId: string, which: "all" | "open"): readonly ScheduleRangeRecord[] =>
      read(() => (which === "open" ? RANGES.slice(0, 1) : RANGES).flatMap((kind) => records.all(kind, scheduleId)))
        .flatMap((found) => soundValue<ScheduleRangeRecord>(found) ?? [])
        .toSorted((a, b) => a.dueMs - b.dueMs || a.startMs - b.startMs),
    /** Adds ranges that are not in the ledger yet, and updates the schedule, in one transaction. */
    enterScheduleRanges: (scheduleId: string, ranges: readonly ScheduleRangeRecord[], handledMs: UtcMs) =>
      change(() => {
        const schedule = soundValue<NamedValue>(records.get("schedule", scheduleId));
        if (schedule === null) return;
        for (const range of ranges) if (!hasRange(range)) putRange(range);
        records.put("schedule", scheduleId, { ...schedule, handledMs });
      }),
    /** Stores ranges and deletes the earliest final ones of the schedule beyond a number. */
    putScheduleRanges: (ranges: readonly ScheduleRangeRecord[], most: number) =>
      change(() => {
        const own = ofExisting(ranges);
        for (const range of own) putRange(range);
        for (const id of new Set(own.map(({ scheduleId }) => scheduleId))) {
          const held = records.count("openRange", id) + records.count("finalRange", id);
          records.removeOwned("finalRange", id, Math.max(0, held - most));
        }
      }),
    /** Deletes a range that was never delivered, such as one of a time that a wrong clock showed. */
    deleteScheduleRange: (range: RangeKey) =>
      change(() => {
        for (const kind of RANGES) records.remove(kind, rangeId(range));
      }),
    /** Newest first. */
    scheduleRuns: (scheduleId: string): readonly ScheduleRunRecord[] => read(() => runsOfSchedule(records, scheduleId)),
    /** Stores a run and deletes the oldest runs of its schedule beyond a number. */
    putScheduleRun: (run: ScheduleRunRecord, most: number) =>
      change(() => {
        if (ofExisting([run]).length === 0) return;
        records.put("run", runId(run), run);
        // Runs that are later than the stored one were dated by a clock that was ahead, and must not push it out.
        const rank = (other: ScheduleRunRecord): number => Number(other.startedMs > run.startedMs);
        const surplus = runsOfSchedule(records, run.scheduleId)
          .toSorted((a, b) => rank(a) - rank(b))
          .slice(most);
        for (const other of surplus) records.remove("run", runId(other));
      }),
  };
}

function runId({ scheduleId, id }: Pick<ScheduleRunRecord, "scheduleId" | "id">): string {
  return `${scheduleId} ${id}`;
}

/** Newest first. */
function runsOfSchedule(records: Records, scheduleId: string): ScheduleRunRecord[] {
  return records
    .all("run", scheduleId)
    .flatMap((found) => soundValue<ScheduleRunRecord>(found) ?? [])
    .toSorted((a, b) => b.startedMs - a.startedMs || (a.id < b.id ? -1 : 1));
}
