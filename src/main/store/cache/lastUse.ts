import type { UtcMs } from "#shared/time/utc.ts";

/** How long uses are kept in memory where something else is written anyway. */
const WRITE_AFTER_MS = 60_000;

/** Which stations were looked at: kept in memory, written with what is written anyway, so that reading stays reading. */
export interface LastUse {
  note(stationId: string): void;
  /** Writes what was noted, if that is due. Inside a transaction that writes. */
  writeWhenDue(): void;
  /** Writes what was noted. */
  write(): void;
  hasAny(): boolean;
}

export function lastUse(save: (usedAtMs: ReadonlyMap<string, UtcMs>) => void): LastUse {
  let noted = new Map<string, UtcMs>();
  let writtenMs = -Infinity;
  const write = (): void => {
    if (noted.size === 0) return;
    save(noted);
    noted = new Map();
    writtenMs = Date.now();
  };
  return {
    note: (stationId) => void noted.set(stationId, Date.now()),
    writeWhenDue() {
      if (Date.now() - writtenMs > WRITE_AFTER_MS) write();
    },
    write,
    hasAny: () => noted.size > 0,
  };
}
