import type { JobSpec } from "#shared/job/job.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Found, Kind, Records } from "./records.ts";
import type { ConnectionRecord, JobRecord, ScheduleRangeRecord } from "./types.ts";

const DAMAGED = "Its record is damaged";

/** Stands for the specification of a damaged job. */
const NO_SPEC: JobSpec = {
  stationIds: [],
  variables: ["ztd"],
  range: { startMs: 0, endMs: 0 },
  intervalSeconds: null,
  raw: false,
};

/** A damaged connection says so, is never opened, and its cache file is not deleted with it. */
export function connectionOf(found: Found): ConnectionRecord {
  if (!found.isDamaged) return found.value as ConnectionRecord;
  return {
    id: found.id,
    name: labelIn(found, "name"),
    baseUrl: "",
    createdAtMs: 0,
    cacheFile: `cache-${encodeURIComponent(found.id)}.db`,
    kind: "service",
    damage: `${DAMAGED}. Remove it and add it again, or restore your connections from a backup with “zenith restore”.`,
  };
}

/** A damaged job is broken, says so, and can only be deleted. */
export function jobOf(found: Found): JobRecord {
  if (!found.isDamaged) return found.value as JobRecord;
  const damage = `${DAMAGED}, so this download cannot be run: remove it from the list. Nothing in the cache is affected.`;
  return {
    id: found.id,
    connectionId: labelIn(found, "connectionId"),
    spec: NO_SPEC,
    state: "broken",
    reason: damage,
    createdAtMs: 0,
    updatedAtMs: 0,
    counters: null,
    verdictCounts: null,
    keepUp: false,
    nextRunMs: null,
    damage,
  };
}

/** A word of a damaged record, only to say which one it is, or its id. */
export function labelIn({ id, text }: Extract<Found, { isDamaged: true }>, field: string): string {
  const [, word] = new RegExp(`"${field}":"([^"\\\\]*)"`).exec(text) ?? [];
  return displayText(word ?? id, 200);
}

/** The id of a range sorts by schedule and start: one number has always the same length. */
export function rangeId({ scheduleId, startMs, endMs }: RangeKey): string {
  return `${scheduleId} ${sortable(startMs)} ${sortable(endMs)}`;
}

export type RangeKey = Pick<ScheduleRangeRecord, "scheduleId" | "startMs" | "endMs">;

/** Larger than any time of `Date`, so that the sums are positive and have 17 digits. */
const OFFSET = 2e16;

function sortable(ms: UtcMs): string {
  return String(OFFSET + ms);
}

/** Kinds whose ids begin with that of a schedule. */
export const OWNED_BY_SCHEDULE = ["openRange", "missedRange", "finalRange", "ownFile", "stationList", "run"] as const;

const NAMES: Readonly<Partial<Record<Kind, string>>> = {
  connection: "the connection",
  job: "the download",
  verdicts: "the verdicts of the download",
  view: "the saved view",
  savedExport: "the saved export",
  schedule: "the schedule",
  openRange: "a range that is due of the schedule",
  missedRange: "a missed range of the schedule",
  finalRange: "a delivered range of the schedule",
  ownFile: "a file of the schedule",
  stationList: "a list of stations of the schedule",
  run: "a run of the schedule",
  setting: "the settings",
};

/** Names each damaged record. */
export function damageIn(records: Records): string[] {
  return records.damaged().map(({ kind, id }) => {
    const what = NAMES[kind as Kind];
    if (what === undefined) return "an unknown record";
    const [owner = ""] = id.split(" ");
    const isOwned = OWNED_BY_SCHEDULE.some((owned) => owned === kind);
    const found = isOwned ? records.get("schedule", owner) : records.get(kind as Kind, id);
    return `${what} “${storedName(found) ?? displayText(isOwned ? owner : id, 60)}”`;
  });
}

function storedName(found: Found | null): string | null {
  if (found === null) return null;
  if (found.isDamaged) return labelIn(found, "name");
  return (found.value as { readonly name?: string }).name ?? null;
}

/** Returns text of a record that is safe to show. */
export function displayText(text: string, length: number): string {
  return text.replaceAll(/\p{Cc}+/gu, " ").slice(0, length);
}
