import type { UtcMs } from "#shared/time/utc.ts";
import { type RecordAccess, type Records, soundValue } from "./records.ts";
import type { NamedValue, ScheduleRangeRecord, ScheduleRunRecord } from "./types.ts";
import { type RangeKey, rangeId } from "./userRecords.ts";

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
    /** Ranges of the ledger of a schedule, first due first; all, or only those that are not final. */
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
    scheduleRuns: (scheduleId: string): readonly ScheduleRunRecord[] => read(() => runsOf(records, scheduleId)),
    /** Stores a run and deletes the oldest runs of its schedule beyond a number. */
    putScheduleRun: (run: ScheduleRunRecord, most: number) =>
      change(() => {
        if (ofExisting([run]).length === 0) return;
        records.put("run", runId(run), run);
        // Runs that are later than the stored one were dated by a clock that was ahead, and must not push it out.
        const rank = (other: ScheduleRunRecord): number => Number(other.startedMs > run.startedMs);
        const surplus = runsOf(records, run.scheduleId)
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
function runsOf(records: Records, scheduleId: string): ScheduleRunRecord[] {
  return records
    .all("run", scheduleId)
    .flatMap((found) => soundValue<ScheduleRunRecord>(found) ?? [])
    .toSorted((a, b) => b.startedMs - a.startedMs || (a.id < b.id ? -1 : 1));
}
