import type { TimeRange } from "#shared/time/range.ts";
import type { Db } from "../database/database.ts";

/** Ranges that were verified since another process last wrote to the file, so that each is verified once. */
export interface VerifiedRanges {
  /** Calls `verify` for the parts of the range that were not verified under this name yet. */
  verifyOnce(name: string, range: TimeRange, verify: (part: TimeRange) => void): void;
  forget(): void;
  /** Returns a number that changes when earlier results may no longer be valid. */
  version(): number;
}

/** About 100 bytes each. */
const MAX_NAMES = 100_000;

export function createVerifiedRanges(db: Db): VerifiedRanges {
  const known = new Map<string, TimeRange>();
  const dataVersion = db.prepare<[], number>("PRAGMA data_version").pluck();
  let knownVersion = dataVersion.get();
  let forgotten = 0;
  const forget = (): void => {
    known.clear();
    forgotten++;
  };
  return {
    verifyOnce(name, range, verify) {
      const version = dataVersion.get();
      if (version !== knownVersion || known.size > MAX_NAMES) forget();
      knownVersion = version;
      const before = known.get(name);
      if (!before || range.startMs > before.endMs || range.endMs < before.startMs) {
        verify(range);
        known.set(name, range);
        return;
      }
      if (range.startMs < before.startMs) verify({ startMs: range.startMs, endMs: before.startMs });
      if (range.endMs > before.endMs) verify({ startMs: before.endMs, endMs: range.endMs });
      known.set(name, {
        startMs: Math.min(range.startMs, before.startMs),
        endMs: Math.max(range.endMs, before.endMs),
      });
    },
    forget,
    version: () => forgotten,
  };
}
