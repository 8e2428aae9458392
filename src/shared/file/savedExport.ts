import { z } from "zod";
import { connectionId, readMode, stationIds, variables, range } from "../bridge/methods/schemas.ts";
import { changesBetween } from "../edits.ts";
import type { JobSpec } from "../job/job.ts";
import { HEIGHT_REFERENCES } from "../service/catalogue.ts";
import { withImpliedVariables } from "../service/variables.ts";
import { type UtcMs, DAY_MS, HOUR_MS, MINUTE_MS } from "../time/utc.ts";
import { type ExportRequest, FILE_LAYOUTS, STATION_DETAILS, TIME_SYSTEMS } from "./export.ts";
import { EXPORT_FORMATS } from "./formats.ts";
import { movingText, resolveMovingRange } from "../time/typed.ts";
import { movingRange } from "../views/view.ts";
import { templateProblem } from "./template.ts";
import { byClockOf, zoneOf } from "../time/intervals.ts";
import { monthOf, type TimeRange } from "../time/range.ts";

/** Ranges relative to the present time, in full UTC hours, days and months. */
export const PERIODS = {
  last24Hours: "The last 24 full hours",
  yesterday: "Yesterday",
  last7Days: "The last 7 full days",
  last30Days: "The last 30 full days",
  lastMonth: "The last full month",
} as const;

export type Period = keyof typeof PERIODS;

const PERIOD_IDS = ["last24Hours", "yesterday", "last7Days", "last30Days", "lastMonth"] as const satisfies Period[];

/** A time after any typed date. A range that is not empty then ends with the clock. */
const LATE_MS = Date.UTC(2400, 5, 15, 12);

export const savedRange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("fixed"), range }),
  z.object({ kind: z.literal("relative"), period: z.enum(PERIOD_IDS) }),
  z.object({
    kind: z.literal("moving"),
    /** Both ends as typed, to the minute: `now-7d`, `now`. */
    moving: movingRange.refine((texts) => resolveMovingRange(texts, LATE_MS) !== null, {
      message: "the end of the range has to move with the clock, as now does",
    }),
  }),
]);

/** The range of a saved export: fixed, or relative to the time at which it is repeated. */
export type SavedRange = z.output<typeof savedRange>;

/** Formats the range of a saved export; `fixedText` formats one that does not move. */
export function savedRangeText(saved: SavedRange, fixedText: (range: TimeRange) => string): string {
  if (saved.kind === "fixed") return fixedText(saved.range);
  return saved.kind === "relative" ? PERIODS[saved.period] : movingText(saved.moving);
}

/** Returns the half-open range of a saved export at a given time. */
export function rangeAt(saved: SavedRange, nowMs: UtcMs): TimeRange {
  if (saved.kind === "fixed") return saved.range;
  if (saved.kind === "moving") {
    // A range that begins after now, such as one of this evening, is empty: the last minute stands for it.
    return resolveMovingRange(saved.moving, nowMs) ?? { startMs: nowMs - MINUTE_MS, endMs: nowMs };
  }
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const days = (n: number): TimeRange => ({ startMs: today - n * DAY_MS, endMs: today });
  switch (saved.period) {
    case "last24Hours": {
      const endMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
      return { startMs: endMs - DAY_MS, endMs };
    }
    case "yesterday":
      return days(1);
    case "last7Days":
      return days(7);
    case "last30Days":
      return days(30);
    case "lastMonth":
      return monthOf(nowMs, -1);
  }
}

/** A valid template for file names; an invalid one is rejected with a sentence. */
export const template = z.string().check((checked) => {
  const problem = templateProblem(checked.value);
  if (problem !== null) checked.issues.push({ code: "custom", message: problem, input: checked.value });
});

/** Only characters without a special meaning in any command shell, so that a command with the name can be copied. */
/** Of saved exports and schedules, which commands name too. */
export const MAX_NAME_LENGTH = 60;

export const savedExportName = z
  .string()
  .trim()
  .min(1, "a saved export needs a name")
  .max(MAX_NAME_LENGTH, "a name has 60 characters at most")
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,_+()-]*$/u, "use letters, digits, spaces and . , _ + - ( )");

/** Options of formats: see `ExportRequest`. */
export const formatChoices = {
  layout: z.enum(FILE_LAYOUTS).optional(),
  stationDetails: z.enum(STATION_DETAILS).optional(),
  emptyRows: z.boolean().optional(),
  timeSystem: z.enum(TIME_SYSTEMS).optional(),
};

export const savedExport = readMode.extend({
  name: savedExportName,
  connectionId,
  stationIds,
  variables,
  range: savedRange,
  format: z.enum(EXPORT_FORMATS),
  heightReference: z.enum(HEIGHT_REFERENCES),
  ...formatChoices,
  template,
  /** Whether to save a figure of the series too. */
  figure: z.boolean().optional(),
});

const FILE_SETTINGS = ["format", "layout", "stationDetails", "emptyRows", "timeSystem"] as const;
const DATA_SETTINGS = [
  "connectionId",
  "stationIds",
  "variables",
  "intervalSeconds",
  "raw",
  "resampled",
  "zone",
] as const;

/** A named export that can be repeated. */
export type SavedExport = z.output<typeof savedExport>;

/**
 * Returns the current settings with the changes of an edit, which keeps what another window changed in the meantime.
 *
 * @param before settings when the edit began
 */
export function withExportEdit(current: SavedExport, before: SavedExport, edited: SavedExport): SavedExport {
  const changes = changesBetween(before, edited);
  // Options apply to formats, and stations, variables and means to each other: each group has one author.
  const groups = [FILE_SETTINGS, DATA_SETTINGS].filter((names) => names.some((name) => name in changes));
  const whole = groups.flatMap((names) => names.map((name) => [name, edited[name]]));
  return { ...current, ...changes, ...Object.fromEntries(whole) };
}

/** Returns the range of a saved export at a given time, by the calendar of its time zone if it averages local days. */
export function rangeOfSaved(
  { range, intervalSeconds, zone }: Pick<SavedExport, "range" | "intervalSeconds" | "zone">,
  nowMs: UtcMs,
): TimeRange {
  return byClockOf(zoneOf({ intervalSeconds, zone }), nowMs, (clockMs) => rangeAt(range, clockMs));
}

/** Returns the request of a saved export at a given time. */
export function requestAt(saved: SavedExport, nowMs: UtcMs): Omit<ExportRequest, "path"> {
  const { name: _, connectionId: __, template: ___, figure: ____, ...rest } = saved;
  return { ...rest, range: rangeOfSaved(saved, nowMs) };
}

/** Returns the download that an export needs: native rows if averages are computed locally. */
export function downloadFor(request: Omit<ExportRequest, "path">): JobSpec {
  const { stationIds, variables, range, raw, resampled, intervalSeconds } = request;
  return {
    stationIds,
    variables: withImpliedVariables(variables),
    range,
    raw,
    intervalSeconds: resampled ? null : intervalSeconds,
  };
}
