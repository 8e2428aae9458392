import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import type { OpenConnection } from "../connections/connections.ts";

/**
 * Before which moment data of a schedule may be deleted: whole days are kept, and whatever another range still needs.
 *
 * @param neededFromMs where the ranges begin that are downloaded again
 */
export function deletableBefore(keepDays: number, nowMs: UtcMs, neededFromMs: readonly UtcMs[]): UtcMs {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return Math.min(today - keepDays * DAY_MS, ...neededFromMs);
}

const AT_REST: ReadonlySet<string> = new Set(["finished", "broken", "cancelled"]);

/**
 * Forgets cached data of a schedule's stations and variables before a moment. Stations that are pinned, or that a download
 * works with, are left alone.
 *
 * @returns rows that are gone, or lost a variable
 * @throws StoreError
 */
export async function forgetBefore(
  { cache, record }: OpenConnection,
  { stationIds, variables }: Pick<JobSpec, "stationIds" | "variables">,
  beforeMs: UtcMs,
  jobs: readonly Pick<Job, "connectionId" | "keepUp" | "state" | "spec">[],
  signal: AbortSignal,
): Promise<number> {
  const inUse = jobs.filter((job) => job.connectionId === record.id && (job.keepUp || !AT_REST.has(job.state)));
  const kept = new Set([
    ...cache
      .sizes()
      .filter((s) => s.isPinned)
      .map((s) => s.stationId),
    ...inUse.flatMap((job) => job.spec.stationIds),
  ]);
  const going = stationIds.filter((id) => !kept.has(id));
  if (going.length === 0 || beforeMs <= 0) return 0;
  const range = { startMs: 0, endMs: beforeMs };
  return cache.forgetInSteps({ stationIds: going, range, variables }, () => undefined, signal);
}
