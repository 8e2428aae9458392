import { z } from "zod";
import { connectionId, readMode, stationIds, variables } from "../bridge/methods/schemas.ts";
import { changesBetween } from "../edits.ts";
import { EXPORT_FORMATS } from "../file/export.ts";
import { VECTOR_FORMATS } from "../file/figure.ts";
import { formatChoices, savedExportName, template } from "../file/savedExport.ts";
import type { VerdictState } from "../job/verdict.ts";
import { HEIGHT_REFERENCES } from "../service/catalogue.ts";
import { many } from "../text.ts";
import { alignOutward, type TimeRange } from "../time/range.ts";
import { resolveMovingRange } from "../time/typed.ts";
import type { UtcMs } from "../time/utc.ts";
import { movingRange } from "../views/view.ts";
import type { ScheduleRun } from "./run.ts";
import { scheduleTime } from "./when.ts";

const STATES: Readonly<Record<ScheduleRun["state"], string>> = {
  running: "Running",
  ok: "Complete",
  incomplete: "Incomplete",
  failed: "Failed",
  stopped: "Stopped",
  interrupted: "Interrupted",
};

/** Causes of missing data of a run. "stale" is a cause only if nothing has been received yet. */
export const MISSING_WORDS: Readonly<Record<VerdictState, string>> = {
  ok: "ok",
  empty: "nothing there",
  forbidden: "forbidden",
  failed: "failed",
  stale: "no data yet, may still change",
  missing: "not downloaded yet",
};

/** Returns the state of a run as a word. */
export function runStateWords({ state }: Pick<ScheduleRun, "state">): string {
  return STATES[state];
}

/** Summarizes a run in a line: `Complete: 2,880 rows downloaded, 2 files written.` */
export function runWords(run: ScheduleRun): string {
  const { reason, rows, files, forgottenRows, missing } = run;
  if (run.state === "running") return "Running";
  const stations = missing.filter((m) => m.state === "failed" || m.state === "forbidden");
  const withheld = stations.reduce((sum, m) => sum + m.stations, 0);
  const figures = [
    rows === 0 ? "no new rows" : `${many(rows, "row")} downloaded`,
    ...(files.length > 0 ? [`${many(files.length, "file")} written`] : []),
    ...(forgottenRows > 0 ? [`${many(forgottenRows, "old row")} deleted from the cache`] : []),
    ...(withheld > 0 ? [`parts of ${many(withheld, "station")} withheld`] : []),
  ];
  return [`${STATES[run.state]}: ${reason ?? `${figures.join(", ")}.`}`, ...run.remarks].join(" ");
}

/** The same rules as for saved exports, because names are used in commands too. */
export const scheduleName = savedExportName;

const MAX_EXPORTS = 20;
const MAX_DAYS = 36_500;

/** A file of the schedule's data, or a saved export with its own stations and range. */
const scheduledExport = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("own"),
    format: z.enum(EXPORT_FORMATS),
    heightReference: z.enum(HEIGHT_REFERENCES),
    ...formatChoices,
    template,
  }),
  z.object({ kind: z.literal("saved"), name: savedExportName }),
  /** A figure of the schedule's data, drawn without a window. */
  z.object({ kind: z.literal("figure"), format: z.enum(VECTOR_FORMATS), template }),
]);
export type ScheduledExport = z.output<typeof scheduledExport>;

/** When the end of a run is notified: never, after a failure, or always. */
export const NOTICES = ["never", "failure", "end"] as const;

export const schedule = readMode.extend({
  name: scheduleName,
  connectionId,
  when: scheduleTime,
  /** A list, or a group with its stations at the time of the run. */
  stations: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("list"), stationIds }),
    z.object({ kind: z.literal("group"), name: z.string().min(1).max(60) }),
  ]),
  variables,
  /** Both ends as typed; they move with the clock. */
  range: movingRange.refine((texts) => resolveMovingRange(texts, MIDDAY_MS) !== null, {
    message: "the range has to move with the clock, as yesterday or now-7d do",
  }),
  exports: z.array(scheduledExport).max(MAX_EXPORTS).readonly(),
  /** Folder of the exports; null for the program's default folder. */
  folder: z.string().min(1).max(32_000).nullable(),
  /** Older cached data of these stations and variables is deleted after each run; null: never. */
  keepDays: z.number().int().min(1).max(MAX_DAYS).nullable(),
  notice: z.enum(NOTICES),
  isPaused: z.boolean(),
});

/** A repeated download with exports. */
export type Schedule = z.output<typeof schedule>;

/** A moment in the middle of a day, month and year, at which no relative range is empty. */
const MIDDAY_MS = Date.UTC(2026, 5, 15, 12);

/** Returns the range of a schedule at a given time, in whole intervals; null if its texts are invalid. */
export function scheduledRange({ range, intervalSeconds }: Schedule, nowMs: UtcMs): TimeRange | null {
  const resolved = resolveMovingRange(range, nowMs);
  return resolved === null || intervalSeconds === null ? resolved : alignOutward(resolved, intervalSeconds);
}

/**
 * Returns the current settings with the changes of an edit, which keeps what another window or a command changed in the
 * meantime.
 *
 * @param before settings when the edit began
 */
export function withEdit(current: Schedule, before: Schedule, edited: Schedule): Schedule {
  const changes = changesBetween(before, edited);
  // Stations are those of a connection.
  const connection = "stations" in changes ? { connectionId: edited.connectionId } : {};
  return { ...current, ...changes, ...connection };
}
