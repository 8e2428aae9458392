import { z } from "zod";
import { EXPORT_FORMATS } from "../file/formats.ts";
import { connectionId, moment, readMode, stationIds, variables } from "../bridge/methods/schemas.ts";
import { changesBetween } from "../edits.ts";
import { VECTOR_FORMATS } from "../file/figure.ts";
import { formatChoices, savedExportName, template } from "../file/savedExport.ts";
import type { VerdictState } from "../job/verdict.ts";
import { HEIGHT_REFERENCES } from "../service/catalogue.ts";
import { many } from "../text.ts";
import { byClockOf, wholeRange, zoneOf } from "../time/intervals.ts";
import type { TimeRange } from "../time/range.ts";
import { resolveMovingRange } from "../time/typed.ts";
import type { UtcMs } from "../time/utc.ts";
import { movingRange } from "../views/view.ts";
import type { ScheduleRun } from "./run.ts";
import { scheduleTime } from "./when.ts";

const STATES: Readonly<Record<ScheduleRun["state"], string>> = {
  running: "Running",
  ok: "Complete",
  mayStillArrive: "Delivered, data may still arrive",
  incomplete: "Incomplete",
  failed: "Failed",
  stopped: "Stopped",
  interrupted: "Interrupted",
};

/** Verdicts of a download, and causes of missing data of a run. "stale" is a cause only if nothing has been received yet. */
export const MISSING_WORDS: Readonly<Record<VerdictState, string>> = {
  ok: "ok",
  partial: "partly missing",
  empty: "missing",
  forbidden: "no access",
  failed: "failed",
  stale: "missing, may still arrive",
  notRequested: "not downloaded",
};

/** Returns the state of a run as a word. */
export function runStateWords({ state }: Pick<ScheduleRun, "state">): string {
  return STATES[state];
}

/** Summarizes a run in a line: `Complete: 2,880 rows downloaded, 2 files written.` */
export function runWords(run: ScheduleRun): string {
  return run.state === "running" ? STATES.running : `${STATES[run.state]}: ${runDetails(run)}`;
}

/** What a run did, or why it did not, without its state: `2,880 rows downloaded, 2 files written.` */
export function runDetails(run: ScheduleRun): string {
  const { reason, rows, files, forgottenRows, missing } = run;
  const stations = missing.filter((m) => m.state === "failed" || m.state === "forbidden");
  const withheld = stations.reduce((sum, m) => sum + m.stations, 0);
  const counts = [
    rows === 0 ? "no new rows" : `${many(rows, "row")} downloaded`,
    ...(run.ranges > 1 ? [`${run.delivered} of ${many(run.ranges, "range")} delivered`] : []),
    ...(files.length > 0 ? [`${many(files.length, "file")} written`] : []),
    ...(forgottenRows > 0 ? [`${many(forgottenRows, "old row")} deleted from the cache`] : []),
    ...(withheld > 0 ? [`parts of ${many(withheld, "station")} failed or without access`] : []),
  ];
  return [reason ?? `${counts.join(", ")}.`, ...run.alarms, ...run.remarks].join(" ");
}

/** The same rules as for saved exports, because names are used in commands too. */
export const scheduleName = savedExportName;

const MAX_EXPORTS = 20;
const MAX_DAYS = 36_500;
const MAX_SILENT_MINUTES = 525_600;
const command = z.string().trim().min(1).max(4_000);

/** Settings of a schedule without anything that tells somebody of its runs. */
export const UNWATCHED = {
  onFailure: null,
  onSuccess: null,
  ping: null,
  silentMinutes: null,
  completeBelow: null,
} satisfies Partial<Schedule>;

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

/** Missed ranges are made up for in this many days, unless the user chose otherwise. */
export const DEFAULT_CATCH_UP_DAYS = 30;

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
  /** Ranges missed in the last days are made up for; 0: none. */
  catchUpDays: z.number().int().min(0).max(MAX_DAYS),
  /** Start of the first range, for data from before the schedule was added; null: none. */
  sinceMs: moment.nullable(),
  /** Older cached data of these stations and variables is deleted after each run; null: never. */
  keepDays: z.number().int().min(1).max(MAX_DAYS).nullable(),
  notice: z.enum(NOTICES),
  /** Commands of the system's shell at the end of a run; only the command line may set them. */
  onFailure: command.nullable(),
  onSuccess: command.nullable(),
  /** An address that is told of the end of a run: with `/fail` in the path after a failure. */
  ping: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .nullable(),
  /** A run fails if a station has been silent for longer, or the data of a range are less complete (0 to 1). */
  silentMinutes: z.number().int().min(1).max(MAX_SILENT_MINUTES).nullable(),
  completeBelow: z.number().gt(0).max(1).nullable(),
  isPaused: z.boolean(),
});

/** A repeated download with exports. */
export type Schedule = z.output<typeof schedule>;

/** The middle of a day, month and year, so that no relative range is empty, far enough ahead of any date that a user enters as the start. */
const MIDDAY_MS = Date.UTC(2100, 5, 15, 12);

/** Returns the range of a schedule at a given time, in whole intervals; null if its texts are invalid. */
export function scheduledRange({ range, ...means }: Schedule, nowMs: UtcMs): TimeRange | null {
  const resolved = byClockOf(zoneOf(means), nowMs, (clockMs) => resolveMovingRange(range, clockMs));
  return resolved === null ? null : wholeRange(resolved, means);
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
