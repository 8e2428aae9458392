import type { UtcMs } from "#shared/time/utc.ts";

/** Minimum time between two writes of last uses along with other data. */
const WRITE_AFTER_MS = 60_000;

/**
 * Times at which stations were last read. They are kept in memory and written along with other data, so that reading
 * does not write.
 */
export function createLastUse(save: (usedAtMs: ReadonlyMap<string, UtcMs>) => void) {
  const noted = new Map<string, UtcMs>();
  let written: ReadonlyMap<string, UtcMs> = new Map();
  let writtenMs = -Infinity;
  const write = (): void => {
    save(noted);
    written = new Map(noted);
  };
  return {
    note: (stationId: string) => void noted.set(stationId, Date.now()),
    /** Writes the noted times if that is due. Must run in a write transaction. */
    writeWhenDue(): void {
      if (noted.size > 0 && Date.now() - writtenMs > WRITE_AFTER_MS) write();
    },
    /** Writes the noted times. */
    write,
    /** Forgets the written times; after a transaction that failed, they are written again. */
    committed(): void {
      if (written.size > 0) writtenMs = Date.now();
      for (const [stationId, usedAtMs] of written) if (noted.get(stationId) === usedAtMs) noted.delete(stationId);
      written = new Map();
    },
    hasAny: (): boolean => noted.size > 0,
  };
}
