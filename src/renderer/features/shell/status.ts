import type { Connectivity } from "#shared/bridge/methods/connections.ts";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import type { Job, JobViewState } from "#shared/bridge/methods/jobs.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { count, duration, many, timeOfDay } from "../../ui/text.ts";

interface StatusInput {
  /** Why the window has no core, or null. */
  readonly lostReason: string | null;
  /** Whether the data are from a file, without a service. */
  readonly isFile: boolean;
  readonly connectivity: Pick<Connectivity, "state" | "pausedUntilMs"> | null;
  readonly clocksDiffer: boolean;
  /** Whether the list of stations is being fetched. */
  readonly isRefreshing: boolean;
  /** Of the open connection. */
  readonly jobs: readonly Job[];
  readonly exports: readonly ExportTask[];
  readonly nowMs: UtcMs;
}

const CONTACT = { unknown: "not contacted yet", online: "online", offline: "offline" } as const;
const ACTIVE: ReadonlySet<JobViewState> = new Set(["queued", "running"]);

/** The one sentence of the window about what it waits for, and until when: "online · 2 downloads: 5 of 9 points, 38 s left". */
export function statusSentence(input: StatusInput): string {
  if (input.lostReason !== null) return "reconnecting…";
  const untilMs = pausedUntilMs(input);
  const reach =
    untilMs > input.nowMs
      ? `paused by the service until ${clock(untilMs)}`
      : CONTACT[input.connectivity?.state ?? "unknown"];
  const contact = reach + (input.clocksDiffer ? ", clocks differ" : "");
  const waited = waitedFor(input);
  return [input.isFile ? "from a file" : contact, ...(waited.length > 0 ? waited : ["nothing running"])].join(" · ");
}

/** All jobs of a connection wait together. */
function pausedUntilMs({ connectivity, jobs }: StatusInput): UtcMs {
  const ofJobs = jobs.map(({ state, progress }) => (state === "running" ? (progress?.waitingUntilMs ?? 0) : 0));
  return Math.max(connectivity?.pausedUntilMs ?? 0, ...ofJobs);
}

function waitedFor(input: StatusInput): string[] {
  const { jobs, exports, isRefreshing, nowMs } = input;
  const of = (state: JobViewState): Job[] => jobs.filter((job) => job.state === state);
  const parts = [
    isRefreshing ? "fetching the list of stations" : null,
    downloads(input),
    writing(exports),
    outage(of("waitingForNetwork"), nowMs),
    stopped(of("needsKey"), "waits for a key", "wait for a key"),
    stopped(of("broken"), "cannot continue", "cannot continue"),
    stopped(of("paused"), "paused by you", "paused by you"),
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts : nextCheck(jobs, nowMs);
}

function stopped(jobs: readonly Job[], one: string, several: string): string | null {
  return jobs.length === 0 ? null : `${many(jobs.length, "download")} ${jobs.length === 1 ? one : several}`;
}

function downloads(input: StatusInput): string | null {
  const jobs = input.jobs.filter((job) => ACTIVE.has(job.state));
  if (jobs.length === 0) return null;
  const progress = jobs.flatMap((job) => job.progress ?? []);
  const total = sum(progress.map((p) => p.pointsTotal));
  const started = many(jobs.length, "download");
  if (progress.length > 0 && progress.every((p) => p.waitsForOthers))
    return `${started}: waiting for another download of the same data`;
  if (jobs.every((job) => job.state === "queued")) return `${started}: queued`;
  // Of a download without points, no more is known than that the list of stations comes first.
  if (total === 0) return input.isRefreshing ? started : `${started}: starting`;
  const done = Math.min(total, sum(progress.map((p) => p.pointsDone)));
  const left = progress.flatMap((p) => p.secondsLeft ?? []);
  // The jobs share one service, so all are done when the longest is done, at the earliest.
  const time = left.length > 0 && pausedUntilMs(input) <= input.nowMs ? `, ${duration(Math.max(...left))} left` : "";
  return `${started}: ${count(done)} of ${count(total)} points${time}`;
}

function outage(jobs: readonly Job[], nowMs: UtcMs): string | null {
  if (jobs.length === 0) return null;
  const nextMs = Math.min(...jobs.flatMap((job) => job.progress?.outage?.nextTryMs ?? []));
  const next = Number.isFinite(nextMs) ? `, next attempt ${nextMs > nowMs ? clock(nextMs) : "now"}` : "";
  return `${many(jobs.length, "download")} ${jobs.length === 1 ? "waits" : "wait"} for the service${next}`;
}

function writing(exports: readonly ExportTask[]): string | null {
  const running = exports.filter((task) => task.state === "running");
  if (running.length === 0) return null;
  const total = sum(running.map((task) => task.rowsTotal));
  const share = total === 0 ? 0 : sum(running.map((task) => task.rowsDone)) / total;
  return `${many(running.length, "export")}: ${Math.floor(Math.min(1, share) * 100)} %`;
}

/** When the next download begins that keeps stations up to date. */
function nextCheck(jobs: readonly Job[], nowMs: UtcMs): string[] {
  const nextMs = Math.min(...jobs.flatMap((job) => (job.keepUp && job.nextRunMs !== null ? job.nextRunMs : [])));
  return Number.isFinite(nextMs) && nextMs > nowMs ? [`next check for new data ${clock(nextMs)}`] : [];
}

function clock(ms: UtcMs): string {
  return `${timeOfDay(ms)} UTC`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, n) => all + n, 0);
}
