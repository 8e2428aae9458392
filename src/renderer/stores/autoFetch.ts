import { z } from "zod";
import { cleanupOf } from "#shared/async.ts";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import { hasEnded } from "#shared/job/job.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import { bridge } from "../bridge/index.ts";
import { useConnection } from "./connection.ts";
import { showMovingRange } from "./range.ts";
import { jobSpecOf } from "./selection.ts";
import { useWorkspace } from "./workspace.ts";
import { pane } from "./pane.ts";

/** Selectable minutes between downloads; 0 turns them off. */
export const AUTO_FETCH_MINUTES = [0, 1, 5, 15] as const;
type AutoFetchMinutes = (typeof AUTO_FETCH_MINUTES)[number];

/** Minutes between downloads. */
export const AUTO_FETCH = pane("range.autoFetch", z.literal(AUTO_FETCH_MINUTES).catch(0));

/** Everything that decides whether to fetch now; times are of a monotonic clock. */
interface AutoFetchState {
  readonly minutes: AutoFetchMinutes;
  /** Whether the range moves with the clock. */
  readonly isMoving: boolean;
  readonly isHidden: boolean;
  /** The service is unreachable, or the data are from a file. */
  readonly isOffline: boolean;
  readonly hasStations: boolean;
  /** Whether the last download is still in progress. */
  readonly isBusy: boolean;
  readonly lastMs: number;
  readonly nowMs: number;
}

export function isFetchDue(state: AutoFetchState): boolean {
  const { minutes, isMoving, isHidden, isOffline, hasStations, isBusy, lastMs, nowMs } = state;
  if (minutes === 0 || !isMoving || isHidden || isOffline || !hasStations || isBusy) return false;
  return nowMs - lastMs >= minutes * MINUTE_MS;
}

const CHECK_INTERVAL_MS = 5_000;

/**
 * Fetches missing data of the shown range at the chosen interval, while it moves with the clock and the window is visible.
 *
 * @returns a function that stops it
 */
export function followAutoFetch(): () => void {
  let lastMs = -Infinity;
  /** Connection and interval of the last download: changing either fetches at once. */
  let lastKey = "";
  let jobId: string | null = null;
  let isBusy = false;

  const fetchIfDue = (): void => {
    const workspace = useWorkspace.getState();
    const { current, connectivity } = useConnection.getState();
    if (!current) return;
    const minutes = AUTO_FETCH.of(workspace);
    const key = `${current.info.id} ${minutes}`;
    if (key !== lastKey) [lastKey, lastMs] = [key, -Infinity];
    const isDue = isFetchDue({
      minutes,
      isMoving: workspace.moving !== null,
      isHidden: document.hidden,
      isOffline: connectivity?.state === "offline" || current.info.kind === "file",
      hasStations: workspace.stationIds.length > 0,
      isBusy: isBusy || jobId !== null,
      lastMs,
      nowMs: performance.now(),
    });
    if (!isDue) return;
    lastMs = performance.now();
    isBusy = true;
    void fetchMissing(current.info.id).finally(() => (isBusy = false));
  };
  const fetchMissing = async (connectionId: string): Promise<void> => {
    const { moving } = useWorkspace.getState();
    if (moving) showMovingRange(moving);
    const spec = jobSpecOf(useWorkspace.getState());
    const cost = await bridge.jobs.estimate({ connectionId, spec });
    if (!cost.ok || cost.value.pointsToFetch === 0) return;
    const job = await bridge.jobs.start({ connectionId, spec, keepUp: false });
    // A failure shows no message, because the next download tries again.
    if (!job.ok) return;
    jobId = job.value.id;
    onJob(job.value);
  };
  const onJob = ({ id, state, verdictCounts }: Job): void => {
    // A waiting or paused download counts as in progress, so that it is not started twice.
    if (id !== jobId || !hasEnded({ state })) return;
    jobId = null;
    // Successful downloads would fill the list of downloads within a day.
    const isSuccessful = state === "finished" && !verdictCounts?.failed && !verdictCounts?.forbidden;
    if (isSuccessful) void bridge.jobs.remove({ jobId: id });
  };
  const offRemoved = bridge.on("jobRemoved", (removed) => {
    if (removed.jobId === jobId) jobId = null;
  });
  // A job that ended with the core sends no event.
  const offRestarts = bridge.on("coreRestarted", () => (jobId = null));
  const timer = setInterval(fetchIfDue, CHECK_INTERVAL_MS);
  const offWorkspace = useWorkspace.subscribe((next, before) => {
    if (AUTO_FETCH.of(next) !== AUTO_FETCH.of(before)) fetchIfDue();
  });
  const stop = new AbortController();
  document.addEventListener("visibilitychange", fetchIfDue, stop);
  return cleanupOf(
    () => clearInterval(timer),
    bridge.on("jobChanged", onJob),
    offRestarts,
    offRemoved,
    offWorkspace,
    () => stop.abort(),
  );
}
