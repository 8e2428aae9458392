import { z } from "zod";
import { connectionId, readMode, stationIds, variables } from "../bridge/methods/words.ts";
import { EXPORT_FORMATS } from "../file/export.ts";
import { VECTOR_FORMATS } from "../file/figure.ts";
import { formatChoices, savedExportName, template } from "../file/savedExport.ts";
import { HEIGHT_REFERENCES } from "../service/catalogue.ts";
import { alignOutward } from "../time/interval.ts";
import type { TimeRange } from "../time/range.ts";
import { resolveMovingRange } from "../time/typed.ts";
import type { UtcMs } from "../time/utc.ts";
import { movingRange } from "../views/view.ts";
import { scheduleTime } from "./when.ts";
import { many } from "../text.ts";
import type { ScheduleRun } from "./run.ts";

const STATES: Readonly<Record<ScheduleRun["state"], string>> = {
  running: "Running",
  ok: "Complete",
  incomplete: "Incomplete",
  failed: "Failed",
  stopped: "Stopped",
  interrupted: "Interrupted",
};

/** How a run ended, in a word. */
export function runStateWords({ state }: Pick<ScheduleRun, "state">): string {
  return STATES[state];
}

/** What a run did, in a line: `Complete: 2,880 rows downloaded, 2 files written.` */
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

/** As for saved exports: what every shell takes for one word between quotation marks. */
export const scheduleName = savedExportName;

const MOST_EXPORTS = 20;
const MOST_DAYS = 36_500;

/** A file of the data of the schedule, or of a saved export with stations and range of its own. */
const scheduledExport = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("own"),
    format: z.enum(EXPORT_FORMATS),
    heightReference: z.enum(HEIGHT_REFERENCES),
    ...formatChoices,
    template,
  }),
  z.object({ kind: z.literal("saved"), name: savedExportName }),
  /** A figure of the data of the schedule, drawn without a window. */
  z.object({ kind: z.literal("figure"), format: z.enum(VECTOR_FORMATS), template }),
]);
export type ScheduledExport = z.output<typeof scheduledExport>;

/** Whether the end of a run is told: never, where something went wrong, or always. */
export const NOTICES = ["never", "failure", "end"] as const;

export const schedule = readMode.extend({
  name: scheduleName,
  connectionId,
  when: scheduleTime,
  /** A list, or a group as it is when the schedule runs. */
  stations: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("list"), stationIds }),
    z.object({ kind: z.literal("group"), name: z.string().min(1).max(60) }),
  ]),
  variables,
  /** Both ends as typed; they move with the clock. */
  range: movingRange.refine((texts) => resolveMovingRange(texts, MIDDAY_MS) !== null, {
    message: "the range has to move with the clock, as yesterday or now-7d do",
  }),
  exports: z.array(scheduledExport).max(MOST_EXPORTS).readonly(),
  /** Of the exports; null for a folder of the program's own. */
  folder: z.string().min(1).max(32_000).nullable(),
  /** Cached data of these stations and variables that are older are deleted after each run; null for never. */
  keepDays: z.number().int().min(1).max(MOST_DAYS).nullable(),
  notice: z.enum(NOTICES),
  isPaused: z.boolean(),
});

/** A download that repeats, and the files that follow it. */
export type Schedule = z.output<typeof schedule>;

/** Some moment in the middle of a day, month and year, at which every range has a length. */
const MIDDAY_MS = Date.UTC(2026, 5, 15, 12);

/** What a schedule is about at a moment, in whole intervals; null where its texts mean nothing. */
export function scheduledRange({ range, intervalSeconds }: Schedule, nowMs: UtcMs): TimeRange | null {
  const resolved = resolveMovingRange(range, nowMs);
  return resolved === null || intervalSeconds === null ? resolved : alignOutward(resolved, intervalSeconds);
}
