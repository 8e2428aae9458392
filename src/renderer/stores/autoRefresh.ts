import type { JobViewState } from "#shared/bridge/methods/jobs.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import { bridge } from "../bridge/index.ts";
import { useConnection } from "./connection.ts";
import { showMovingRange } from "./range.ts";
import { jobSpecOf } from "./selection.ts";
import { useWorkspace } from "./workspace.ts";

/** Minutes between two refreshes that can be chosen; 0: none. */
export const REFRESH_MINUTES = [0, 1, 5, 15] as const;
export type RefreshMinutes = (typeof REFRESH_MINUTES)[number];

/** Name of the pane that keeps the choice. */
export const REFRESH_PANE = "range.refresh";

export function readRefresh(kept: unknown): RefreshMinutes {
  return REFRESH_MINUTES.find((minutes) => minutes === kept) ?? 0;
}

/** All that decides whether to refresh now; moments by a clock that never jumps. */
export interface RefreshState {
  readonly minutes: RefreshMinutes;
  /** Whether the range moves with the clock. */
  readonly isMoving: boolean;
  readonly isHidden: boolean;
  /** Out of reach, or data of a file, which has no service. */
  readonly isOffline: boolean;
  readonly hasStations: boolean;
  /** Whether the last refresh is still under way. */
  readonly isBusy: boolean;
  readonly lastMs: number;
  readonly nowMs: number;
}

export function isRefreshDue(state: RefreshState): boolean {
  const { minutes, isMoving, isHidden, isOffline, hasStations, isBusy, lastMs, nowMs } = state;
  if (minutes === 0 || !isMoving || isHidden || isOffline || !hasStations || isBusy) return false;
  return nowMs - lastMs >= minutes * MINUTE_MS;
}

const LOOK_MS = 5_000;
/** A download that waits, or was paused, is not started a second time. */
const ENDED: ReadonlySet<JobViewState> = new Set(["finished", "cancelled", "broken"]);

/** Refreshes the shown range as often as chosen, while it moves with the clock and the window is in sight. */
export function followRefresh(): () => void {
  let lastMs = -Infinity;
  /** Of what the last refresh is: a longer interval or another connection begins anew. */
  let lastOf = "";
  let jobId: string | null = null;
  let isBusy = false;

  const look = (): void => {
    const workspace = useWorkspace.getState();
    const { current, connectivity } = useConnection.getState();
    if (!current) return;
    const minutes = readRefresh(workspace.panes[REFRESH_PANE]);
    const of = `${current.info.id} ${minutes}`;
    if (of !== lastOf) [lastOf, lastMs] = [of, -Infinity];
    const isDue = isRefreshDue({
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
    void refresh(current.info.id).finally(() => (isBusy = false));
  };
  const refresh = async (connectionId: string): Promise<void> => {
    const { moving } = useWorkspace.getState();
    if (moving) showMovingRange(moving);
    const spec = jobSpecOf(useWorkspace.getState());
    const cost = await bridge.jobs.estimate({ connectionId, spec });
    if (!cost.ok || cost.value.pointsToFetch === 0) return;
    const job = await bridge.jobs.start({ connectionId, spec, keepUp: false });
    // The next refresh tries again: a message every minute would tell nothing more.
    if (job.ok) jobId = job.value.id;
  };
  const offJobs = bridge.on("jobChanged", ({ id, state, verdictCounts }) => {
    if (id !== jobId || !ENDED.has(state)) return;
    jobId = null;
    // What went well would fill the list of downloads by the evening.
    const isWell = state === "finished" && !verdictCounts?.failed && !verdictCounts?.forbidden;
    if (isWell) void bridge.jobs.remove({ jobId: id });
  });
  const offRemoved = bridge.on("jobRemoved", (removed) => {
    if (removed.jobId === jobId) jobId = null;
  });
  const timer = setInterval(look, LOOK_MS);
  const offWorkspace = useWorkspace.subscribe((next, before) => {
    if (next.panes[REFRESH_PANE] !== before.panes[REFRESH_PANE]) look();
  });
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    offJobs();
    offRemoved();
    offWorkspace();
    document.removeEventListener("visibilitychange", look);
  };
}
