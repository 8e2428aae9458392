import { isSatelliteProblem, type SatelliteProblemCount } from "#shared/satellites/problems.ts";
import { z } from "zod";
import { VERDICT_STATES, type Verdict } from "#shared/job/verdict.ts";
import { failure, success, type Result } from "#shared/service/error.ts";
import { HEIGHT_REFERENCES } from "#shared/service/catalogue.ts";
import { isVariable, type Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { formatUtcShort, parseUtc, type UtcMs } from "#shared/time/utc.ts";
import { FormatFailure, type FormatError } from "./error.ts";
import type { DataOrigin, FileStation } from "./source.ts";

interface SidecarGap {
  readonly range: TimeRange;
  /** A word for the cause: see the user guide. */
  readonly cause: string;
}

/** Completeness of one variable of one station. */
export interface SidecarSeries {
  readonly variable: Variable;
  readonly values: number;
  /** Covered, final. */
  readonly final: readonly TimeRange[];
  /** Covered, but data may still arrive or change. */
  readonly provisional: readonly TimeRange[];
  /** Number of all gaps, and their seconds by cause; `gaps` may be limited to the first ones. */
  readonly gapCount: number;
  readonly gapSecondsByCause: Readonly<Record<string, number>>;
  readonly gaps: readonly SidecarGap[];
}

interface SidecarStation {
  readonly id: string;
  readonly displayName: string;
  /** Degrees, metres above `heightReference`; null if unknown, and in sidecars of earlier versions. */
  readonly latitudeDeg: number | null;
  readonly longitudeDeg: number | null;
  readonly height: number | null;
  readonly heightReference: FileStation["heightReference"] | null;
  readonly rows: number;
  readonly series: readonly SidecarSeries[];
}

/** Metadata of exported files, stored beside them as JSON. */
export interface Sidecar extends DataOrigin {
  /** Names of the described files, without folders. */
  readonly files: readonly string[];
  readonly createdAtMs: UtcMs;
  /** Versions of program, formats and service. */
  readonly versions: Readonly<Record<string, string>>;
  readonly query: {
    readonly stationIds: readonly string[];
    readonly variables: readonly Variable[];
    readonly range: TimeRange;
    /** null: every observation. */
    readonly intervalSeconds: number | null;
    readonly raw: boolean;
  };
  readonly stations: readonly SidecarStation[];
  /** Requested stations that are not in the catalogue, and therefore not in the files; absent if there are none. */
  readonly unknownStationIds?: readonly string[];
  readonly verdicts: readonly Verdict[];
  /** Values of satellites that could not be read and are left out; absent if there are none. */
  readonly satelliteProblems?: readonly SatelliteProblemCount[];
  /** Lines of a program that opens the files, by language. */
  readonly howToOpen?: Readonly<Record<string, readonly string[]>>;
}

const FORMAT = "zenith-desk-sidecar";
const VERSION = 1;

/** Bytes at the start of a file that tell whether it is a sidecar. */
export const SIDECAR_START_BYTES = 64;

export function isSidecarStart(text: string): boolean {
  return text.startsWith(`{\n  "format": "${FORMAT}",`);
}

/** Writes a sidecar as JSON, with ISO 8601 times and half-open ranges. */
export function sidecarText(sidecar: Sidecar): string {
  const document = {
    format: FORMAT,
    format_version: VERSION,
    files: sidecar.files,
    created: formatUtcShort(sidecar.createdAtMs),
    versions: sidecar.versions,
    service_origin: sidecar.serviceOrigin,
    simulated: sidecar.isSimulated,
    how_to_open: sidecar.howToOpen,
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
      latitude_deg: s.latitudeDeg,
      longitude_deg: s.longitudeDeg,
      height_m: s.height,
      height_reference: s.heightReference,
      rows: s.rows,
      series: s.series.map((v) => ({
        data_var: v.variable,
        values: v.values,
        final: v.final.map(rangeOut),
        provisional: v.provisional.map(rangeOut),
        gap_count: v.gapCount,
        gap_seconds: v.gapSecondsByCause,
        gaps: v.gaps.map((g) => ({ ...rangeOut(g.range), cause: g.cause })),
      })),
    })),
    stations_without_data: [
      ...sidecar.stations.filter((s) => s.rows === 0).map((s) => s.id),
      ...(sidecar.unknownStationIds ?? []),
    ],
    stations_not_in_catalogue: sidecar.unknownStationIds,
    verdicts: sidecar.verdicts.map((v) => ({
      station_id: v.stationId,
      data_var: v.variable,
      ...rangeOut(v.range),
      verdict: v.state,
      rows: v.rows,
      reason: v.reason,
    })),
    satellite_problems: sidecar.satelliteProblems,
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
const variable = z.string().refine(isVariable);
const gapIn = z
  .looseObject({ ...rangeFields, cause: z.string() })
  .transform((g): SidecarGap => ({ range: { startMs: g.start_time, endMs: g.end_time }, cause: g.cause }));

/** Parses a sidecar and ignores unknown fields. */
const sidecarSchema = z
  .looseObject({
    format: z.literal(FORMAT),
    format_version: z.literal(VERSION),
    files: z.array(z.string()),
    created: moment,
    versions: z.record(z.string(), z.string()),
    service_origin: z.string(),
    simulated: z.boolean().optional(),
    query: z.looseObject({
      station_ids: z.array(z.string()),
      data_vars: z.array(variable),
      ...rangeFields,
      interval_seconds: z.number().nullable(),
      raw: z.boolean(),
    }),
    stations: z.array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        latitude_deg: z.number().nullish(),
        longitude_deg: z.number().nullish(),
        height_m: z.number().nullish(),
        height_reference: z.enum(HEIGHT_REFERENCES).nullish(),
        rows: z.number(),
        series: z.array(
          z.looseObject({
            data_var: variable,
            values: z.number(),
            final: z.array(rangeIn),
            provisional: z.array(rangeIn),
            gap_count: z.number(),
            gap_seconds: z.record(z.string(), z.number()),
            gaps: z.array(gapIn),
          }),
        ),
      }),
    ),
    stations_not_in_catalogue: z.array(z.string()).optional(),
    verdicts: z.array(
      z.looseObject({
        station_id: z.string(),
        data_var: variable,
        ...rangeFields,
        verdict: z.enum(VERDICT_STATES),
        rows: z.number(),
        reason: z.string().nullable(),
      }),
    ),
    satellite_problems: z
      .array(z.object({ kind: z.string().refine(isSatelliteProblem), problem: z.string(), count: z.number() }))
      .optional(),
    how_to_open: z.record(z.string(), z.array(z.string())).optional(),
  })
  .transform((d): Sidecar => ({
    files: d.files,
    createdAtMs: d.created,
    versions: d.versions,
    serviceOrigin: d.service_origin,
    // Sidecars of earlier versions do not say so.
    isSimulated: d.simulated ?? false,
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
      latitudeDeg: s.latitude_deg ?? null,
      longitudeDeg: s.longitude_deg ?? null,
      height: s.height_m ?? null,
      heightReference: s.height_reference ?? null,
      rows: s.rows,
      series: s.series.map((v) => ({
        variable: v.data_var,
        values: v.values,
        final: v.final,
        provisional: v.provisional,
        gapCount: v.gap_count,
        gapSecondsByCause: v.gap_seconds,
        gaps: v.gaps,
      })),
    })),
    verdicts: d.verdicts.map((v) => ({
      stationId: v.station_id,
      variable: v.data_var,
      range: { startMs: v.start_time, endMs: v.end_time },
      state: v.verdict,
      rows: v.rows,
      reason: v.reason,
    })),
    ...(d.stations_not_in_catalogue ? { unknownStationIds: d.stations_not_in_catalogue } : {}),
    ...(d.how_to_open ? { howToOpen: d.how_to_open } : {}),
    ...(d.satellite_problems ? { satelliteProblems: d.satellite_problems } : {}),
  }));

/** Parses the text of a sidecar. */
export function parseSidecar(text: string): Result<Sidecar, FormatError> {
  try {
    return success(sidecarSchema.parse(JSON.parse(text)));
  } catch (thrown) {
    return failure(new FormatFailure("unreadable", "This is not a sidecar file of Zenith Desk.", thrown).error);
  }
}
