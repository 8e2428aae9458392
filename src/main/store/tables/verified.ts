import type { TimeRange } from "#shared/time/range.ts";
import type { Db } from "../database/database.ts";

/** What was verified since another process last wrote to the file: each thing once. */
export interface Verified {
  /** Calls `verify` for the parts of the range that were not verified under this name yet. */
  demand(name: string, range: TimeRange, verify: (part: TimeRange) => void): void;
  forget(): void;
  /** Another number once what was read before is no longer known to be so. */
  version(): number;
}

/** A hundred bytes each. */
const MOST_NAMES = 100_000;

export function verified(db: Db): Verified {
  const known = new Map<string, TimeRange>();
  const dataVersion = db.prepare<[], number>("PRAGMA data_version").pluck();
  let knownVersion = dataVersion.get();
  let forgotten = 0;
  const forget = (): void => {
    known.clear();
    forgotten++;
  };
  return {
    demand(name, range, verify) {
      const version = dataVersion.get();
      if (version !== knownVersion || known.size > MOST_NAMES) forget();
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
