import type { JobSpec } from "#shared/job/job.ts";
import { DAY_MS, formatUtcShort, startOfDay, type UtcMs } from "#shared/time/utc.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { stationsInUse } from "../jobs/records.ts";

/**
 * The time before which data of a schedule may be deleted. Keeps whole days, and data that other ranges still need.
 *
 * @param neededFromMs start times of the ranges that are downloaded again
 */
function deletableBefore(keepDays: number, nowMs: UtcMs, neededFromMs: readonly UtcMs[]): UtcMs {
  const today = startOfDay(nowMs);
  return Math.min(today - keepDays * DAY_MS, ...neededFromMs);
}

/**
 * Deletes cached data of a schedule's stations and variables before a time. Skips stations that are pinned or used by a
 * download.
 *
 * @returns number of rows that were deleted, or lost a variable
 * @throws StoreError
 */
async function forgetBefore(
  { cache, record }: OpenConnection,
  { stationIds, variables, beforeMs }: Pick<JobSpec, "stationIds" | "variables"> & { readonly beforeMs: UtcMs },
  jobs: Parameters<typeof stationsInUse>[0],
  signal: AbortSignal,
): Promise<number> {
  const pinned = new Set(cache.sizes().flatMap((s) => (s.isPinned ? [s.stationId] : [])));
  const inUse = stationsInUse(jobs, record.id);
  const deletable = stationIds.filter((id) => !pinned.has(id) && !inUse.has(id));
  if (deletable.length === 0 || beforeMs <= 0) return 0;
  const range = { startMs: 0, endMs: beforeMs };
  return cache.forgetInSteps({ stationIds: deletable, range, variables }, () => undefined, signal);
}

/**
 * Says which data are kept because the service has not confirmed this computer's clock; null if the clocks differ by less
 * than a day, which is how exactly data are deleted.
 */
function keptText(confirmedMs: UtcMs | null, wallMs: UtcMs, beforeMs: UtcMs | null): string | null {
  if (confirmedMs !== null && wallMs - confirmedMs < DAY_MS) return null;
  const kept =
    beforeMs === null ? "no old data were deleted" : `data from ${formatUtcShort(beforeMs).slice(0, 10)} on were kept`;
  return `The service has not confirmed the clock of this computer, so ${kept}.`;
}

/**
 * Deletes the data of a schedule that are older than it keeps them, by a time that the service has confirmed: a clock that
 * is ahead must not empty the cache.
 *
 * @param neededFromMs start times of the ranges that are downloaded again, at a given time
 * @returns number of rows that were deleted, and a sentence for the user on data that were kept
 * @throws StoreError
 */
export async function forgetOld(
  connection: OpenConnection,
  spec: Pick<JobSpec, "stationIds" | "variables">,
  keepDays: number,
  {
    wallMs,
    neededFromMs,
    jobs,
    signal,
  }: {
    readonly wallMs: UtcMs;
    readonly neededFromMs: (nowMs: UtcMs) => readonly UtcMs[];
    readonly jobs: Parameters<typeof forgetBefore>[2];
    readonly signal: AbortSignal;
  },
): Promise<{ readonly rows: number; readonly remark: string | null }> {
  const confirmedMs = connection.session.confirmedMs();
  const beforeMs = confirmedMs === null ? null : deletableBefore(keepDays, confirmedMs, neededFromMs(confirmedMs));
  const rows = beforeMs === null ? 0 : await forgetBefore(connection, { ...spec, beforeMs }, jobs, signal);
  return { rows, remark: keptText(confirmedMs, wallMs, beforeMs) };
}
