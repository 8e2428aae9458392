import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import { hasEnded, type JobSpec } from "#shared/job/job.ts";
import { type VerdictState, whyNothingWasSent } from "#shared/job/verdict.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { isScalar, shortName, VALUE_VARIABLES, type Variable, variableKind } from "#shared/service/variables.ts";
import { lowerFirst } from "#shared/text.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { stationName } from "../../stores/catalogue.ts";
import { bytes, count, duration, firstNames, many, timeOfDay, utcMinutes } from "../../ui/text.ts";
import { intervalWords } from "../fetch/labels.ts";

type ById = ReadonlyMap<string, CatalogueStation>;

/** Display names of up to two stations, and the number of further ones. */
export function stationWords(byId: ById, stationIds: readonly string[]): string {
  const names = stationIds.slice(0, 2).map((id) => stationName(byId, id));
  return stationIds.length > 2 ? firstNames(names, 2, stationIds.length) : names.join(" and ");
}

export function variableWords(variables: readonly Variable[]): string {
  const scalars = variables.filter(isScalar).map((v) => (VALUE_VARIABLES.includes(v) ? shortName(v) : "±σ"));
  return [...scalars, ...(variables.some((v) => variableKind(v) === "satellite") ? ["satellites"] : [])].join(", ");
}

/** Formats as "2026-10-01 → 2026-11-01 UTC", with the time of day unless it is midnight. */
export function rangeWords({ startMs, endMs }: TimeRange): string {
  return `${dayWords(startMs)} → ${dayWords(endMs)} UTC`;
}

function dayWords(momentMs: number): string {
  return utcMinutes(momentMs).replace(/ 00:00$/, "");
}

/** Summarizes the selection of a job or an export in one line. */
export function selectionWords(spec: {
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly intervalSeconds: number | null;
  readonly raw: boolean;
  readonly zone?: string | undefined;
  readonly only?: JobSpec["only"];
  readonly refresh?: JobSpec["refresh"];
}): string {
  const parts = spec.only?.reduce((n, { ranges }) => n + ranges.length, 0);
  return [
    variableWords(spec.variables),
    rangeWords(spec.range),
    ...(parts === undefined ? [] : [`${many(parts, "part")} of it`]),
    lowerFirst(intervalWords(spec.intervalSeconds, spec.zone)),
    ...(spec.raw ? ["raw"] : []),
    ...(spec.refresh ? ["requested again"] : []),
  ].join(" · ");
}

const STATES: Readonly<Record<Job["state"], string>> = {
  queued: "Queued",
  running: "Running",
  paused: "Paused",
  waitingForNetwork: "Waiting for the service",
  needsKey: "Waiting for an API key",
  finished: "Finished",
  cancelled: "Cancelled",
  broken: "The service cannot be used",
};

/** What a job waits for, and until when, as far as that is known; null if it does not wait. */
export function waitWords(job: Job, nowMs: number, isOffline = false): string | null {
  const outage = job.progress?.outage;
  if (job.state === "waitingForNetwork" && outage) {
    if (outage.isLock)
      return `Waiting for the cache, which another program locks, since ${timeOfDay(outage.sinceMs)} UTC`;
    const seconds = Math.ceil((outage.nextTryMs - nowMs) / 1_000);
    const next = seconds > 0 ? `in ${duration(seconds)}` : "now";
    return `Waiting for the service since ${timeOfDay(outage.sinceMs)} UTC, next attempt ${next}`;
  }
  if (job.state === "running" && isOffline) return STATES.waitingForNetwork;
  const untilMs = job.progress?.waitingUntilMs ?? null;
  if (job.state === "running" && untilMs !== null && untilMs > nowMs)
    return `The service asked to wait until ${timeOfDay(untilMs)} UTC`;
  if (job.state === "running" && job.progress?.waitsForOthers) return "Waiting for another download of the same data";
  return job.state === "running" || hasEnded(job) ? null : STATES[job.state];
}

/** Describes the state of a job. A running job waits for the service while the service is unreachable. */
export function stateWords(job: Job, nowMs: number, isOffline = false): string {
  const waits = waitWords(job, nowMs, isOffline);
  if (waits !== null) return waits;
  if (job.state === "finished" && job.keepUp) return "Up to date; checks for new data automatically";
  return STATES[job.state];
}

/** Statistics of a job: points, rate, remaining time, requests, and how many were split, delayed or repeated. */
export function figureWords(job: Job): string {
  const { progress } = job;
  if (!progress) return "";
  const isRunning = job.state === "running";
  if (!isRunning && progress.pointsTotal === 0) {
    const { spec, updatedAtMs } = job;
    const states = new Set(Object.keys(job.verdictCounts ?? {}) as VerdictState[]);
    const untilMs = progress.untilMs ?? updatedAtMs;
    const isFinished = job.state === "finished";
    return `${whyNothingWasSent({ spec, untilMs, states, isPossible: true, isFinished })}. No request was sent`;
  }
  return [
    `${count(progress.pointsDone)} of ${many(progress.pointsTotal, "point")}`,
    ...(isRunning && progress.pointsPerSecond !== null ? [`${count(progress.pointsPerSecond)} points/s`] : []),
    ...(isRunning && progress.secondsLeft !== null ? [`${duration(progress.secondsLeft)} left`] : []),
    `${many(progress.requestsSent, "request")} sent`,
    ...(progress.splits > 0 ? [`${count(progress.splits)} split into smaller requests`] : []),
    ...(progress.putOff > 0 ? [`${count(progress.putOff)} delayed (429)`] : []),
    ...(progress.retries > 0 ? [`${count(progress.retries)} repeated`] : []),
    ...(progress.bodyBytes > 0 ? [bytes(progress.bodyBytes)] : []),
  ].join(" · ");
}

export function exportStateWords({ state, isDownloading, rowsDone, rowsTotal, report }: ExportTask): string {
  if (state === "finished" && report)
    return `Finished: ${many(report.rows, "row")}, ${bytes(report.files.reduce((sum, f) => sum + f.bytes, 0))}`;
  if (state === "failed") return "Failed";
  if (state === "cancelled") return "Cancelled, no file was written";
  if (isDownloading) return "Waits for its download";
  return `${count(rowsDone)} of ${many(rowsTotal, "row")}`;
}
