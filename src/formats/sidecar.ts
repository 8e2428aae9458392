import { z } from "zod";
import { ANOMALIES, type AnomalyCounts } from "#shared/series/rows.ts";
import { failure, success, type Result } from "#shared/service/error.ts";
import { isVariable, type Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { formatUtcShort, parseUtc, type UtcMs } from "#shared/time/utc.ts";
import { FormatFailure, type FormatError } from "./error.ts";

/** What a cell (station × variable × range) of the query came to. */
export const VERDICTS = ["ok", "empty", "forbidden", "failed", "stale"] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface SidecarVerdict {
  readonly stationId: string;
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly verdict: Verdict;
  /** Why, in a sentence; null where there is nothing to add. */
  readonly reason: string | null;
}

export interface SidecarStation {
  readonly id: string;
  readonly displayName: string;
  readonly rows: number;
  /** What was asked and answered for all variables of the file. */
  readonly coverage: readonly TimeRange[];
  /** Asked and answered, and there are no rows: proven gaps. */
  readonly gaps: readonly TimeRange[];
}

/** Everything about an exported file that the rows themselves do not tell; lies beside it as JSON. */
export interface Sidecar {
  /** Names of the files it describes, without folders. */
  readonly files: readonly string[];
  readonly createdAtMs: UtcMs;
  /** Names and versions of what made the file: the program, its formats, the service. */
  readonly versions: Readonly<Record<string, string>>;
  /** Origin of the service, never with a key. */
  readonly serviceOrigin: string;
  readonly query: {
    readonly stationIds: readonly string[];
    readonly variables: readonly Variable[];
    readonly range: TimeRange;
    /** null: every observation. */
    readonly intervalSeconds: number | null;
    readonly raw: boolean;
  };
  readonly stations: readonly SidecarStation[];
  readonly verdicts: readonly SidecarVerdict[];
  readonly anomalies: AnomalyCounts;
}

const FORMAT = "zenith-desk-sidecar";
const VERSION = 1;

/** The text of a sidecar. Times are written as ISO 8601, ranges half-open. Pure. */
export function sidecarText(sidecar: Sidecar): string {
  const document = {
    format: FORMAT,
    format_version: VERSION,
    files: sidecar.files,
    created: formatUtcShort(sidecar.createdAtMs),
    versions: sidecar.versions,
    service_origin: sidecar.serviceOrigin,
    query: {
      station_ids: sidecar.query.stationIds,
      data_vars: sidecar.query.variables,
      ...rangeOut(sidecar.query.range),
      interval_seconds: sidecar.query.intervalSeconds,
      raw: sidecar.query.raw,
    },
    filter: filterNote(sidecar.query.raw),
    stations: sidecar.stations.map((s) => ({
      id: s.id,
      name: s.displayName,
      rows: s.rows,
      coverage: s.coverage.map(rangeOut),
      gaps: s.gaps.map(rangeOut),
    })),
    stations_without_data: sidecar.stations.filter((s) => s.rows === 0).map((s) => s.id),
    verdicts: sidecar.verdicts.map((v) => ({
      station_id: v.stationId,
      data_vars: v.variables,
      ...rangeOut(v.range),
      verdict: v.verdict,
      reason: v.reason,
    })),
    anomalies: Object.entries(sidecar.anomalies).map(([kind, count]) => ({
      kind,
      count,
      meaning: ANOMALIES[kind as keyof typeof ANOMALIES] ?? kind,
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function filterNote(raw: boolean): string {
  return raw
    ? "The quality filter was off: observations that fail the service's checks are included."
    : "The quality filter was on: a gap means that no observation was sent, or that none passed the service's checks.";
}

function rangeOut(range: TimeRange): { start_time: string; end_time: string } {
  return { start_time: formatUtcShort(range.startMs), end_time: formatUtcShort(range.endMs) };
}

const moment = z.string().transform((text, context): UtcMs => {
  const ms = parseUtc(text);
  if (ms !== null) return ms;
  context.addIssue({ code: "custom", message: "must be an ISO 8601 date-time" });
  return z.NEVER;
});
const rangeIn = z
  .looseObject({ start_time: moment, end_time: moment })
  .transform((r): TimeRange => ({ startMs: r.start_time, endMs: r.end_time }));
const rangeFields = { start_time: moment, end_time: moment };
const variables = z.array(z.string().refine(isVariable));

/** Reads a sidecar back. Fields that are not known here are left out. */
export const sidecarSchema = z
  .looseObject({
    format: z.literal(FORMAT),
    format_version: z.literal(VERSION),
    files: z.array(z.string()),
    created: moment,
    versions: z.record(z.string(), z.string()),
    service_origin: z.string(),
    query: z.looseObject({
      station_ids: z.array(z.string()),
      data_vars: variables,
      ...rangeFields,
      interval_seconds: z.number().nullable(),
      raw: z.boolean(),
    }),
    stations: z.array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        rows: z.number(),
        coverage: z.array(rangeIn),
        gaps: z.array(rangeIn),
      }),
    ),
    verdicts: z.array(
      z.looseObject({
        station_id: z.string(),
        data_vars: variables,
        ...rangeFields,
        verdict: z.enum(VERDICTS),
        reason: z.string().nullable(),
      }),
    ),
    anomalies: z.array(z.looseObject({ kind: z.string(), count: z.number() })),
  })
  .transform((d): Sidecar => ({
    files: d.files,
    createdAtMs: d.created,
    versions: d.versions,
    serviceOrigin: d.service_origin,
    query: {
      stationIds: d.query.station_ids,
      variables: d.query.data_vars,
      range: { startMs: d.query.start_time, endMs: d.query.end_time },
      intervalSeconds: d.query.interval_seconds,
      raw: d.query.raw,
    },
    stations: d.stations.map((s) => ({
      id: s.id,
      displayName: s.name,
      rows: s.rows,
      coverage: s.coverage,
      gaps: s.gaps,
    })),
    verdicts: d.verdicts.map((v) => ({
      stationId: v.station_id,
      variables: v.data_vars,
      range: { startMs: v.start_time, endMs: v.end_time },
      verdict: v.verdict,
      reason: v.reason,
    })),
    anomalies: Object.fromEntries(d.anomalies.map((a) => [a.kind, a.count])),
  }));

/** The sidecar that a text holds, or why it holds none. */
export function parseSidecar(text: string): Result<Sidecar, FormatError> {
  try {
    return success(sidecarSchema.parse(JSON.parse(text)));
  } catch (thrown) {
    return failure(new FormatFailure("unreadable", "This is not a sidecar file of Zenith Desk.", thrown).error);
  }
}
