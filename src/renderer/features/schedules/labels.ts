import type { Job, KeptSchedule, ScheduleStage } from "#shared/bridge/methods/jobs.ts";
import { FORMATS } from "#shared/file/formats.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { type Schedule, runStateWords } from "#shared/schedule/schedule.ts";
import { lowerFirst } from "#shared/text.ts";
import { timeWords } from "#shared/schedule/when.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { ago, duration, utcMinutes } from "../../ui/text.ts";
import { intervalWords } from "../fetch/labels.ts";
import { stationWords, variableWords, waitWords } from "../jobs/labels.ts";
import { movingText } from "#shared/time/typed.ts";

type ById = ReadonlyMap<string, CatalogueStation>;

/** Lists the display names of the stations, or the name of the group. */
export function stationsText({ stations }: Pick<Schedule, "stations">, byId: ById): string {
  return stations.kind === "group" ? `Group “${stations.name}”` : stationWords(byId, stations.stationIds);
}

/** Summarizes the data and files of a schedule in one line. */
export function dataText(schedule: Schedule, byId: ById): string {
  const { variables, range, intervalSeconds, zone, raw, exports } = schedule;
  const files = exports.map(fileText);
  return [
    stationsText(schedule, byId),
    variableWords(variables),
    movingText(range),
    lowerFirst(intervalWords(intervalSeconds, zone)),
    ...(raw ? ["raw"] : []),
    files.length === 0 ? "no files" : files.join(", "),
  ].join(" · ");
}

function fileText(one: Schedule["exports"][number]): string {
  switch (one.kind) {
    case "own":
      return FORMATS[one.format].name;
    case "saved":
      return `“${one.name}”`;
    case "figure":
      return `figure (${one.format.toUpperCase()})`;
  }
}

const STAGES: Readonly<Record<ScheduleStage, string>> = {
  download: "Downloading",
  export: "Writing files",
  forget: "Deleting old data",
};

/**
 * Formats as "Every day at 06:30 UTC · next run 2026-11-24 06:30 UTC, in 7 h"; during a run, what it does or waits for.
 *
 * @param job the current download of the run; null if it has none
 */
export function nextText({ schedule, nextRunMs, stage }: KeptSchedule, nowMs: number, job: Job | null): string {
  const waits = stage === "download" && job !== null ? waitWords(job, nowMs) : null;
  if (stage !== null) return waits ?? `${STAGES[stage]} …`;
  const when = timeWords(schedule.when);
  if (nextRunMs === null) return `${when} · paused`;
  const left = nextRunMs - nowMs;
  return `${when} · next run ${utcMinutes(nextRunMs)} UTC${left > 0 ? `, in ${duration(left / 1_000)}` : ", now"}`;
}

/** Formats as "Last run 2026-11-23 06:30 UTC, 7 h ago: complete". */
export function lastText(run: ScheduleRun | null, nowMs: number): string {
  if (run === null) return "No run yet";
  return `Last run ${utcMinutes(run.startedMs)} UTC, ${ago(run.startedMs, nowMs)}: ${runStateWords(run).toLowerCase()}`;
}
