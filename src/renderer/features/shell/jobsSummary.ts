import type { ExportTask } from "#shared/bridge/methods/export.ts";
import type { Job, JobViewState } from "#shared/bridge/methods/jobs.ts";
import { count, duration, many } from "../../ui/text.ts";

const ACTIVE: ReadonlySet<JobViewState> = new Set(["queued", "running"]);

/** Texts for jobs that are not running, by state, the most urgent state first. */
const STOPPED: readonly [JobViewState, (jobs: number) => string][] = [
  ["needsKey", (n) => `${many(n, "job")} ${n === 1 ? "needs" : "need"} a key`],
  ["broken", (n) => `${many(n, "job")} cannot continue`],
  ["waitingForNetwork", (n) => `${many(n, "job")} ${n === 1 ? "waits" : "wait"} for the service`],
  ["paused", (n) => `${many(n, "job")} paused`],
];

/** Summarizes downloads and exports in one line: running ones, then waiting ones; null if there are none. */
export function jobsSummary(jobs: readonly Job[], exports: readonly ExportTask[]): string | null {
  const parts = [running(jobs), writing(exports)].filter((part) => part !== null);
  for (const [state, text] of STOPPED) {
    const stopped = jobs.filter((job) => job.state === state).length;
    if (stopped > 0) parts.push(text(stopped));
  }
  return parts.length === 0 ? null : parts.join(" · ");
}

function running(all: readonly Job[]): string | null {
  const jobs = all.filter((job) => ACTIVE.has(job.state));
  if (jobs.length === 0) return null;
  const figures = jobs.flatMap((job) => job.progress ?? []);
  const total = sum(figures.map((p) => p.pointsTotal));
  const started = many(jobs.length, "job");
  if (total === 0) return `${started}: starting`;
  const done = Math.min(total, sum(figures.map((p) => p.pointsDone)));
  const left = figures.flatMap((p) => p.secondsLeft ?? []);
  // The jobs share one service, so all are done when the longest is done, at the earliest.
  const time = left.length > 0 ? `, ${duration(Math.max(...left))} left` : "";
  return `${started}: ${count(done)} of ${count(total)} points${time}`;
}

function writing(exports: readonly ExportTask[]): string | null {
  const running = exports.filter((task) => task.state === "running");
  if (running.length === 0) return null;
  const total = sum(running.map((task) => task.rowsTotal));
  const share = total === 0 ? 0 : sum(running.map((task) => task.rowsDone)) / total;
  return `${many(running.length, "export")}: ${Math.floor(Math.min(1, share) * 100)} %`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, n) => all + n, 0);
}
