import type { WorkPace } from "../../store/types.ts";
import type { OpenConnection } from "../connections/connections.ts";

export interface CompactContext {
  /** Downloads stand still meanwhile. */
  readonly queue: { suspend(): Promise<void>; resumeAll(): Promise<void> };
}

/**
 * Makes the cache of a connection as small as what is in it; it is read as before meanwhile.
 *
 * @throws StoreError, and the signal's reason once it has stopped for it: the file is as it was then
 */
export async function compactCache(
  { queue }: CompactContext,
  { cache }: OpenConnection,
  pace: WorkPace,
): Promise<void> {
  await queue.suspend();
  try {
    await cache.compact(pace);
  } finally {
    await queue.resumeAll();
  }
}
