import { createHash } from "node:crypto";
import { assertConnection, type Found, type RecordAccess, type Records, soundValue } from "./records.ts";
import type { NamedKind, NamedRecord, NamedValue, ScheduleRangeRecord, ScheduleRunRecord } from "./types.ts";
import { labelIn, OWNED_BY_SCHEDULE, rangeId, type RangeKey } from "./userRecords.ts";
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
    for (const owned of OWNED_BY_SCHEDULE) for (const ownedId of records.ids(owned, id)) records.remove(owned, ownedId);
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

/** Runs work on open ranges only. A missed range was closed before it was final. */
const RANGES = ["openRange", "missedRange", "finalRange"] as const;
type RangeKind = (typeof RANGES)[number];

/** The ranges in the ledgers of schedules, and their runs. */
export function scheduleRecords({ records, read, change }: RecordAccess) {
  const putRange = (range: ScheduleRangeRecord): void => {
    const id = rangeId(range);
    removeRange(id);
    records.put(range.isFinal ? "finalRange" : "openRange", id, range);
    for (const name of range.fileNames) putOwners(range, name, [...ownersOf(range.scheduleId, name), id]);
  };
  const rangeAt = (id: string): ScheduleRangeRecord | null => {
    for (const kind of RANGES) {
      const found = soundValue<ScheduleRangeRecord>(records.get(kind, id));
      if (found !== null) return found;
    }
    return null;
  };
  const hasRange = (range: RangeKey): boolean => RANGES.some((kind) => records.has(kind, rangeId(range)));
  const ownersOf = (scheduleId: string, name: string): readonly string[] =>
    soundValue<readonly string[]>(records.get("ownFile", fileId(scheduleId, name))) ?? [];
  const putOwners = ({ scheduleId }: Pick<RangeKey, "scheduleId">, name: string, ids: readonly string[]): void => {
    if (ids.length === 0) records.remove("ownFile", fileId(scheduleId, name));
    else records.put("ownFile", fileId(scheduleId, name), [...new Set(ids)]);
  };
  const removeRange = (id: string): void => {
    const range = rangeAt(id);
    for (const name of range?.fileNames ?? [])
      if (range)
        putOwners(
          range,
          name,
          ownersOf(range.scheduleId, name).filter((other) => other !== id),
        );
    for (const kind of RANGES) records.remove(kind, id);
  };
  const move = (id: string, from: RangeKind, to: RangeKind): void => {
    const range = soundValue<ScheduleRangeRecord>(records.get(from, id));
    if (range === null) return;
    records.remove(from, id);
    records.put(to, id, range);
  };
  /** Ranges and runs of a schedule that another process has removed are not stored. */
  const ofExisting = <T extends { readonly scheduleId: string }>(all: readonly T[]): T[] =>
    all.filter(({ scheduleId }) => records.has("schedule", scheduleId));
  return {
    /** Returns the ledger of a schedule, or its open ranges, in the order in which they became due. */
    scheduleRanges: (scheduleId: string, which: "all" | "open"): readonly ScheduleRangeRecord[] =>
      read(() => (which === "open" ? RANGES.slice(0, 1) : RANGES).flatMap((kind) => records.all(kind, scheduleId)))
        .flatMap((found) => soundValue<ScheduleRangeRecord>(found) ?? [])
        .toSorted((a, b) => a.dueMs - b.dueMs || a.startMs - b.startMs),
    scheduleRange: (range: RangeKey): ScheduleRangeRecord | null => read(() => rangeAt(rangeId(range))),
    /** The ranges with a file of this name. */
    rangesWithFile: (scheduleId: string, name: string): readonly ScheduleRangeRecord[] =>
      read(() => ownersOf(scheduleId, name).flatMap((id) => rangeAt(id) ?? [])),
    /** The ranges that are closed although not final, by state. */
    missedScheduleRanges: (scheduleId: string) => read(() => records.tally("missedRange", scheduleId)),
    /**
     * Adds ranges that are not in the ledger yet, and updates the schedule, in one transaction. Beyond `most` ranges, the
     * earliest closed ones are deleted, final ones first.
     */
    enterScheduleRanges: (
      scheduleId: string,
      ranges: readonly ScheduleRangeRecord[],
      { handledMs, most }: { readonly handledMs: UtcMs; readonly most: number },
    ) =>
      change(() => {
        const schedule = soundValue<NamedValue>(records.get("schedule", scheduleId));
        if (schedule === null) return;
        for (const range of ranges) if (!hasRange(range)) putRange(range);
        records.put("schedule", scheduleId, { ...schedule, handledMs });
        if (ranges.length === 0) return;
        const held = RANGES.reduce((sum, kind) => sum + records.count(kind, scheduleId), 0);
        const closed = (["finalRange", "missedRange"] as const).flatMap((kind) =>
          records.ids(kind, scheduleId, Math.max(0, held - most)),
        );
        for (const id of closed.slice(0, Math.max(0, held - most))) removeRange(id);
      }),
    putScheduleRanges: (ranges: readonly ScheduleRangeRecord[]) => change(() => ofExisting(ranges).forEach(putRange)),
    /** No run works on these ranges any more. */
    closeScheduleRanges: (ranges: readonly RangeKey[]) =>
      change(() => ranges.forEach((range) => move(rangeId(range), "openRange", "missedRange"))),
    /** Runs work again on all ranges that are not final, if they are not too old. */
    reopenScheduleRanges: (scheduleId: string) =>
      change(() => records.ids("missedRange", scheduleId).forEach((id) => move(id, "missedRange", "openRange"))),
    /** Keeps a list of stations that many ranges of a schedule share. @returns by what it is found */
    putStationList(scheduleId: string, stationIds: readonly string[]): string {
      const name = createHash("sha256").update(stationIds.toSorted().join()).digest("hex").slice(0, 16);
      if (!read(() => records.has("stationList", fileId(scheduleId, name))))
        change(() => {
          if (ofExisting([{ scheduleId }]).length > 0) records.put("stationList", fileId(scheduleId, name), stationIds);
        });
      return name;
    },
    stationList: (scheduleId: string, name: string): readonly string[] | null =>
      read(() => soundValue<readonly string[]>(records.get("stationList", fileId(scheduleId, name)))),
    /** Deletes a range that was never delivered, such as one of a time that a wrong clock showed. */
    deleteScheduleRange: (range: RangeKey) => change(() => removeRange(rangeId(range))),
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

function fileId(scheduleId: string, name: string): string {
  return `${scheduleId} ${name}`;
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
