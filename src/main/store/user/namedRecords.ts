import { assertConnection, type Found, type RecordAccess, type Records } from "./records.ts";
import type { NamedKind, NamedRecord, NamedValue } from "./types.ts";
import { labelIn } from "./userRecords.ts";

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
