import { z } from "zod";
import { isTimeZone } from "#shared/time/intervals.ts";
import { variableSchema } from "#shared/service/query.ts";
import { FIRST_MOMENT_MS, LAST_MOMENT_MS } from "#shared/time/utc.ts";

// Input schemas common to several domains.

export const connectionId = z.string().min(1).max(100);
export const stationId = z.string().min(1).max(200);
export const moment = z.number().int().min(FIRST_MOMENT_MS).max(LAST_MOMENT_MS);

/** Half-open, UTC milliseconds. */
export const range = z
  .object({ startMs: moment, endMs: moment })
  .refine((r) => r.endMs > r.startMs, { message: "the end must be after the start" });

export const intervalSeconds = z.number().int().min(1).max(31_622_400).nullable();

export const mode = z.object({ intervalSeconds, raw: z.boolean() });

// Read-only, so that callers can pass read-only arrays.
export const variables = z.array(variableSchema).min(1).max(7).readonly();
export const stationIds = z.array(stationId).min(1).max(100_000).readonly();
/** For methods that answer arrays for each station. */
export const fewStationIds = z.array(stationId).min(1).max(500).readonly();

/** The time zone whose days are averaged; absent for those of UTC. */
export const zone = z
  .string()
  .max(60)
  .refine(isTimeZone, { message: "there is no such time zone; an example is Europe/Helsinki" })
  .optional();

/** Cached rows as received, or with `resampled` averaged locally from cached native rows: see `IntervalChoice` for the zone. */
export const readMode = mode.extend({ resampled: z.boolean(), zone });
export type ReadMode = z.output<typeof readMode>;
