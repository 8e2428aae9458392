import type { UtcMs } from "#shared/time/utc.ts";

/** Minimum time between two writes of last uses along with other data. */
const WRITE_AFTER_MS = 60_000;

/**
 * Times at which stations were last read. They are kept in memory and written along with other data, so that reading
 * does not write.
 */
export function createLastUse(save: (usedAtMs: ReadonlyMap<string, UtcMs>) => void) {
  let noted = new Map<string, UtcMs>();
  let writtenMs = -Infinity;
  const write = (): void => {
    if (noted.size === 0) return;
    save(noted);
    noted = new Map();
    writtenMs = Date.now();
  };
  return {
    note: (stationId: string) => void noted.set(stationId, Date.now()),
    /** Writes the noted times if that is due. Must run in a write transaction. */
    writeWhenDue(): void {
      if (Date.now() - writtenMs > WRITE_AFTER_MS) write();
    },
    /** Writes the noted times. */
    write,
    hasAny: (): boolean => noted.size > 0,
  };
}
