import { isAbsolute } from "node:path";
import { z } from "zod";
import { VERDICT_STATES } from "#shared/job/verdict.ts";
import { variableSchema } from "#shared/service/query.ts";
import type { ConnectionRecord, JobRecord } from "./types.ts";

// What stands in user.db may be damaged, or written by another hand: nothing of it is used in a form that it has not.

const DAMAGED = "What is kept of it is damaged";
/** What `Date` can show. */
const LAST_MS = 8.64e15;
const moment = z.number().min(-LAST_MS).max(LAST_MS);
const range = z.object({ startMs: moment, endMs: moment });
const jobSpec = z.object({
  stationIds: z.array(z.string().min(1)).min(1),
  variables: z.array(variableSchema).min(1),
  range,
  intervalSeconds: z.number().positive().nullable(),
  raw: z.boolean(),
  only: z.array(z.object({ stationId: z.string(), ranges: z.array(range) })).optional(),
});
const amount = z.number();
const jobProgress = z.object({
  state: z.enum(["running", "finished", "cancelled", "needsKey", "broken"]),
  pointsTotal: amount,
  pointsDone: amount,
  rows: amount,
  bodyBytes: amount,
  requestsSent: amount,
  splits: amount,
  retries: amount,
  putOff: amount,
  limitPoints: amount.nullable(),
  pointsPerSecond: amount.nullable(),
  secondsLeft: amount.nullable(),
  anomalies: z.record(z.string(), amount),
});
const verdictCounts = z.partialRecord(z.enum(VERDICT_STATES), amount);
const verdicts = z.array(
  z.object({
    stationId: z.string(),
    variable: variableSchema,
    range,
    state: z.enum(VERDICT_STATES),
    rows: amount,
    reason: z.string().nullable(),
  }),
);
/** Shown where the job itself cannot be. */
const NO_SPEC = JSON.stringify({
  stationIds: [],
  variables: ["ztd"],
  range: { startMs: 0, endMs: 0 },
  intervalSeconds: null,
  raw: false,
});

/** Specs are read again and again, and change seldom. */
const knownSpecs = new Set<string>();
const MOST_SPECS = 2_000;

/** A job as it may be used: one whose text is damaged is broken, says so, and can only be deleted. */
export function assertJob(row: JobRecord): JobRecord {
  const times = { createdAtMs: timeOf(row.createdAtMs), updatedAtMs: timeOf(row.updatedAtMs) };
  if (!isSoundSpec(row.spec)) {
    const damage = `${DAMAGED}, so this download cannot be run: remove it from the list. Nothing in the cache is affected.`;
    const none = { counters: null, verdictCounts: null, keepUp: false, nextRunMs: null };
    return { ...row, ...times, ...none, spec: NO_SPEC, state: "broken", reason: damage, damage };
  }
  return {
    ...row,
    ...times,
    reason: row.reason === null ? null : shown(row.reason, 2_000),
    counters: row.counters !== null && fits(jobProgress, row.counters) ? row.counters : null,
    verdictCounts: row.verdictCounts !== null && fits(verdictCounts, row.verdictCounts) ? row.verdictCounts : null,
    nextRunMs: row.nextRunMs === null ? null : timeOf(row.nextRunMs),
  };
}

/** Verdicts as they may be used; null where they are damaged. */
export function assertVerdicts(text: string | null): string | null {
  return text !== null && fits(verdicts, text) ? text : null;
}

/** A connection as it may be used: one that is damaged says so, is never opened, and takes no file along when it is removed. */
export function assertConnection(row: ConnectionRecord): ConnectionRecord {
  const named = { ...row, name: shown(row.name, 200), createdAtMs: timeOf(row.createdAtMs) };
  if (isId(row.id) && isCachePath(row.cacheFile)) return named;
  return {
    ...named,
    damage: `${DAMAGED}. Remove it and connect anew, or restore your connections from a backup with “zenith restore”.`,
  };
}

function isId(id: string): boolean {
  return /^[\w.-]{1,100}$/.test(id);
}

/** A name in the data folder, or the whole path of a cache that was moved. */
function isCachePath(file: string): boolean {
  if (file.includes("\0")) return false;
  return isAbsolute(file) || /^cache-[\w.-]{1,120}\.db$/.test(file);
}

function isSoundSpec(text: string): boolean {
  if (knownSpecs.has(text)) return true;
  if (!fits(jobSpec, text)) return false;
  if (knownSpecs.size >= MOST_SPECS) knownSpecs.clear();
  knownSpecs.add(text);
  return true;
}

function fits(schema: z.ZodType, text: string): boolean {
  try {
    return schema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

function timeOf(ms: number): number {
  return moment.safeParse(ms).success ? ms : 0;
}

/** Text of a record as it may be shown. */
export function shown(text: string, length: number): string {
  return text.replaceAll(/\p{Cc}+/gu, " ").slice(0, length);
}
