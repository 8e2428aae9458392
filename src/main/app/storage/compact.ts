import type { WorkPace } from "../../store/types.ts";
import type { OpenConnection } from "../connections/connections.ts";

interface CompactContext {
  /** Downloads are suspended meanwhile. */
  readonly queue: { suspend(): Promise<void>; resumeAll(): Promise<void> };
}

/**
 * Compacts the cache of a connection, which stays readable meanwhile.
 *
 * @throws StoreError, and the signal's reason once it has stopped; the file is unchanged then
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
