import { z } from "zod";
import type { Sidecar } from "#formats/sidecar.ts";
import { VERDICT_STATES } from "#shared/job/verdict.ts";
import { HEIGHT_REFERENCES } from "#shared/service/catalogue.ts";
import { isVariable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { parseUtc, type UtcMs } from "#shared/time/utc.ts";

const PROBLEMS = [
  "noSatellites",
  "unreadableSatellite",
  "duplicateSatellite",
  "countMismatch",
  "unreadableValue",
] as const;

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
  .transform((g) => ({ range: { startMs: g.start_time, endMs: g.end_time }, cause: g.cause }));

const sidecarSchema = z
  .looseObject({
    format: z.literal("zenith-desk-sidecar"),
    format_version: z.literal(1),
    run: z.uuid(),
    files: z.array(z.object({ name: z.string(), bytes: z.number().int(), sha256: z.string().length(64) })),
    created: moment,
    versions: z.record(z.string(), z.string()),
    service: z.string(),
    simulated: z.boolean(),
    query: z.looseObject({
      station_ids: z.array(z.string()),
      data_vars: z.array(variable),
      ...rangeFields,
      interval_seconds: z.number().nullable(),
      time_zone: z.string().optional(),
      raw: z.boolean(),
    }),
    stations: z.array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        latitude_deg: z.number().nullable(),
        longitude_deg: z.number().nullable(),
        height_m: z.number().nullable(),
        height_reference: z.enum(HEIGHT_REFERENCES).nullable(),
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
      .array(z.object({ kind: z.enum(PROBLEMS), problem: z.string(), count: z.number() }))
      .optional(),
    how_to_open: z.record(z.string(), z.array(z.string())).optional(),
  })
  .transform((d): Sidecar => ({
    run: d.run,
    files: d.files,
    createdAtMs: d.created,
    versions: d.versions,
    service: d.service,
    isSimulated: d.simulated,
    query: {
      stationIds: d.query.station_ids,
      variables: d.query.data_vars,
      range: { startMs: d.query.start_time, endMs: d.query.end_time },
      intervalSeconds: d.query.interval_seconds,
      ...(d.query.time_zone === undefined ? {} : { zone: d.query.time_zone }),
      raw: d.query.raw,
    },
    stations: d.stations.map((s) => ({
      id: s.id,
      displayName: s.name,
      latitudeDeg: s.latitude_deg,
      longitudeDeg: s.longitude_deg,
      height: s.height_m,
      heightReference: s.height_reference,
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

/** Reads the text of a sidecar. @throws an error if it is none */
export function readSidecar(text: string): Sidecar {
  return sidecarSchema.parse(JSON.parse(text));
}
