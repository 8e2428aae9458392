import { isAbsolute } from "node:path";
import { z } from "zod";
import { type Verdict, VERDICT_STATES } from "#shared/job/verdict.ts";
import { variableSchema } from "#shared/service/query.ts";
import type { JobProgress, JobSpec } from "#shared/job/job.ts";
import { refreshReport } from "#shared/job/refresh.ts";
import { IRREGULARITIES, type IrregularityCounts } from "#shared/series/rows.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { ConnectionRecord, JobRecord } from "./types.ts";
import Database from "better-sqlite3";
import { type Db, withDatabase } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { USER_MIGRATIONS } from "../migrations/user/index.ts";

const COLUMNS = `
SELECT t.name AS "table", t.strict, x.name, x.type, x."notnull", x.pk, x.hidden
FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS x
WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1, x.cid`;

let expected: string | null = null;

/** Checks that user.db has exactly the tables of its version, and no triggers or views. @throws DamagedData */
export function assertUserSchema(db: Db): void {
  const programObject = db
    .prepare("SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view') LIMIT 1")
    .pluck()
    .get();
  if (programObject !== undefined) throw new DamagedData("it holds what this program never wrote");
  expected ??= newSchema();
  if (schemaOf(db) !== expected) throw new DamagedData("its tables are not those of its version");
}

function schemaOf(db: Db): string {
  return JSON.stringify(db.prepare(COLUMNS).all());
}

function newSchema(): string {
  return withDatabase(new Database(":memory:"), (db) => {
    for (const step of USER_MIGRATIONS) db.exec(step);
    return schemaOf(db);
  });
}

// Records of user.db may be damaged or written by others: all are validated before use.

const DAMAGED = "Its record is damaged";
/** Last time of `Date`. */
const LAST_MS = 8.64e15;
const moment = z.number().min(-LAST_MS).max(LAST_MS);
const range = z.object({ startMs: moment, endMs: moment });
const jobSpec: z.ZodType<JobSpec> = z.object({
  stationIds: z.array(z.string().min(1)).min(1),
  variables: z.array(variableSchema).min(1),
  range,
  intervalSeconds: z.number().positive().nullable(),
  raw: z.boolean(),
  only: z.array(z.object({ stationId: z.string(), ranges: z.array(range) })).optional(),
  refresh: z.boolean().optional(),
});
const amount = z.number();
/** Fields that an earlier version did not store have a default. */
const currentProgress = z.object({
  state: z.enum(["running", "finished", "cancelled", "needsKey", "broken"]),
  pointsTotal: amount,
  pointsDone: amount,
  rows: amount,
  bodyBytes: amount,
  requestsSent: amount,
  requestsUnderWay: amount.default(0),
  splits: amount,
  retries: amount,
  putOff: amount,
  limitPoints: amount.nullable(),
  concurrency: amount.default(0),
  pointsPerSecond: amount.nullable(),
  requestsPerSecond: amount.nullable().default(null),
  secondsLeft: amount.nullable(),
  waitingUntilMs: amount.nullable().default(null),
  outage: z
    .object({ sinceMs: amount, nextTryMs: amount, reason: z.string(), isLock: z.boolean().optional() })
    .nullable()
    .default(null),
  // An earlier version may have counted other kinds.
  irregularities: z
    .record(z.string(), amount)
    .transform((counts): IrregularityCounts =>
      Object.fromEntries(Object.entries(counts).filter(([kind]) => kind in IRREGULARITIES)),
    ),
  untilMs: amount.optional(),
  refreshed: refreshReport.optional(),
});
/** An earlier version stored `irregularities` as `anomalies`. */
const jobProgress: z.ZodType<JobProgress> = z
  .looseObject({ anomalies: z.unknown().optional() })
  .transform(({ anomalies, ...fields }) => ({ irregularities: anomalies, ...fields }))
  .pipe(currentProgress);
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
/** Stands for the specification of a damaged job. */
const NO_SPEC: JobSpec = {
  stationIds: [],
  variables: ["ztd"],
  range: { startMs: 0, endMs: 0 },
  intervalSeconds: null,
  raw: false,
};

/** Parsed specifications: they are read often and change rarely. */
const knownSpecs = new Map<string, JobSpec>();
const MAX_SPECS = 2_000;

/** A row of the job table: `spec`, `counters` and `verdictCounts` are JSON. */
export interface JobRow extends Omit<JobRecord, "spec" | "counters" | "verdictCounts" | "keepUp" | "damage"> {
  readonly spec: string;
  readonly counters: string | null;
  readonly verdictCounts: string | null;
  readonly keepUp: number;
}

export function rowOf(job: JobRecord): JobRow {
  return {
    ...job,
    spec: JSON.stringify(job.spec),
    counters: job.counters && JSON.stringify(job.counters),
    verdictCounts: job.verdictCounts && JSON.stringify(job.verdictCounts),
    keepUp: job.keepUp ? 1 : 0,
  };
}

/** Validates a job. One with a damaged specification is broken, says so, and can only be deleted. */
export function assertJob({ keepUp, ...row }: JobRow): JobRecord {
  const spec = parseSpec(row.spec);
  const times = { createdAtMs: validTime(row.createdAtMs), updatedAtMs: validTime(row.updatedAtMs) };
  if (spec === null) {
    const damage = `${DAMAGED}, so this download cannot be run: remove it from the list. Nothing in the cache is affected.`;
    const none = { counters: null, verdictCounts: null, keepUp: false, nextRunMs: null };
    return { ...row, ...times, ...none, spec: NO_SPEC, state: "broken", reason: damage, damage };
  }
  return {
    ...row,
    ...times,
    spec,
    keepUp: keepUp === 1,
    reason: row.reason === null ? null : displayText(row.reason, 2_000),
    counters: parseStored(jobProgress, row.counters),
    verdictCounts: parseStored(verdictCounts, row.verdictCounts),
    nextRunMs: row.nextRunMs === null ? null : validTime(row.nextRunMs),
  };
}

/** Validates verdicts; null if they are damaged. */
export function assertVerdicts(text: string | null): readonly Verdict[] | null {
  return parseStored(verdicts, text);
}

/** Validates a connection. A damaged one says so, is never opened, and its cache file is not deleted with it. */
export function assertConnection(row: ConnectionRecord): ConnectionRecord {
  const named = { ...row, name: displayText(row.name, 200), createdAtMs: validTime(row.createdAtMs) };
  if (isId(row.id) && isCachePath(row.cacheFile)) return named;
  return {
    ...named,
    damage: `${DAMAGED}. Remove it and add it again, or restore your connections from a backup with “zenith restore”.`,
  };
}

function isId(id: string): boolean {
  return /^[\w.-]{1,100}$/.test(id);
}

/** Returns whether it is a name in the data folder, or the absolute path of a cache that was moved. */
function isCachePath(file: string): boolean {
  if (file.includes("\0")) return false;
  return isAbsolute(file) || /^cache-[\w.-]{1,120}\.db$/.test(file);
}

function parseSpec(text: string): JobSpec | null {
  const known = knownSpecs.get(text);
  if (known) return known;
  const spec = parseStored(jobSpec, text);
  if (spec === null) return null;
  if (knownSpecs.size >= MAX_SPECS) knownSpecs.clear();
  knownSpecs.set(text, spec);
  return spec;
}

function validTime(ms: number): number {
  return moment.safeParse(ms).success ? ms : 0;
}

/** Returns text of a record that is safe to show. */
export function displayText(text: string, length: number): string {
  return text.replaceAll(/\p{Cc}+/gu, " ").slice(0, length);
}
