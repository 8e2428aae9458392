import type { SatelliteProblemCount } from "#shared/satellites/problems.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import type { FileContent } from "./fileGroup.ts";
import type { DataSource, FileStation } from "./source.ts";

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
  /** Degrees, metres above `heightReference`; null if unknown. */
  readonly latitudeDeg: number | null;
  readonly longitudeDeg: number | null;
  readonly height: number | null;
  readonly heightReference: FileStation["heightReference"];
  readonly rows: number;
  readonly series: readonly SidecarSeries[];
}

/** Metadata of exported files, stored beside them as JSON. */
export interface Sidecar extends DataSource {
  /** Identifies the run that wrote the files. */
  readonly run: string;
  /** The described files, by their names without folders. */
  readonly files: readonly ({ readonly name: string } & FileContent)[];
  readonly createdAtMs: UtcMs;
  /** Versions of program, formats and service. */
  readonly versions: Readonly<Record<string, string>>;
  readonly query: {
    readonly stationIds: readonly string[];
    readonly variables: readonly Variable[];
    readonly range: TimeRange;
    /** null: every observation. */
    readonly intervalSeconds: number | null;
    /** The time zone whose days are averaged. */
    readonly zone?: string | undefined;
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
    run: sidecar.run,
    files: sidecar.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    created: formatUtcShort(sidecar.createdAtMs),
    versions: sidecar.versions,
    service: sidecar.service,
    simulated: sidecar.isSimulated,
    how_to_open: sidecar.howToOpen,
    query: {
      station_ids: sidecar.query.stationIds,
      data_vars: sidecar.query.variables,
      ...rangeOut(sidecar.query.range),
      interval_seconds: sidecar.query.intervalSeconds,
      time_zone: sidecar.query.zone,
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
