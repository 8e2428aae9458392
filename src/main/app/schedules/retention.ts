import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import type { OpenConnection } from "../connections/connections.ts";

/**
 * The time before which data of a schedule may be deleted. Keeps whole days, and data that other ranges still need.
 *
 * @param neededFromMs start times of the ranges that are downloaded again
 */
export function deletableBefore(keepDays: number, nowMs: UtcMs, neededFromMs: readonly UtcMs[]): UtcMs {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return Math.min(today - keepDays * DAY_MS, ...neededFromMs);
}

const ENDED_STATES: ReadonlySet<string> = new Set(["finished", "broken", "cancelled"]);

/**
 * Deletes cached data of a schedule's stations and variables before a time. Skips stations that are pinned or used by a
 * download.
 *
 * @returns number of rows that were deleted, or lost a variable
 * @throws StoreError
 */
export async function forgetBefore(
  { cache, record }: OpenConnection,
  { stationIds, variables }: Pick<JobSpec, "stationIds" | "variables">,
  beforeMs: UtcMs,
  jobs: readonly Pick<Job, "connectionId" | "keepUp" | "state" | "spec">[],
  signal: AbortSignal,
): Promise<number> {
  const inUse = jobs.filter((job) => job.connectionId === record.id && (job.keepUp || !ENDED_STATES.has(job.state)));
  const kept = new Set([
    ...cache
      .sizes()
      .filter((s) => s.isPinned)
      .map((s) => s.stationId),
    ...inUse.flatMap((job) => job.spec.stationIds),
  ]);
  const deletable = stationIds.filter((id) => !kept.has(id));
  if (deletable.length === 0 || beforeMs <= 0) return 0;
  const range = { startMs: 0, endMs: beforeMs };
  return cache.forgetInSteps({ stationIds: deletable, range, variables }, () => undefined, signal);
}
