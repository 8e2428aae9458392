import type { CacheDamage } from "#shared/series/damage.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Db } from "../../database/database.ts";
import { DamagedData } from "../../errors.ts";
import type { Tables } from "../../tables/index.ts";
import { type ChunkKey, modeKey } from "../../tables/keys.ts";
import { mender, mendStation } from "./mend.ts";
import { mendSites } from "./sites.ts";

/** What was being read, or written, when damage was met; null is all. */
export interface Scope {
  readonly stationIds: readonly string[] | null;
  readonly variables: readonly Variable[] | null;
  readonly mode: SeriesMode | null;
  readonly range: TimeRange;
}

export const EVERYTHING: Scope = {
  stationIds: null,
  variables: null,
  mode: null,
  range: { startMs: -9e15, endMs: 9e15 },
};

export interface Healer {
  /**
   * Does work once more after each repair of what it met. Damage that is not in its scope leads to a repair of all.
   *
   * @param work reads, or writes, in a transaction of its own
   * @throws DamagedData where no repair helped, and what SQLite throws
   */
  heal<T>(work: () => T, scope: Scope): T;
  /** Repairs what is damaged in a scope, in the transaction of the caller. */
  mend(scope: Scope): readonly CacheDamage[];
}

/** @param write runs work in one transaction that writes @param onMended told of each repair */
export function healer(
  db: Db,
  tables: Tables,
  write: (work: () => void) => void,
  onMended: (damages: readonly CacheDamage[]) => void,
): Healer {
  let own: ReturnType<typeof mender> | null = null;
  const mend = (scope: Scope): CacheDamage[] => {
    own ??= mender(db, tables);
    const opened = own;
    mendSites(db, tables);
    const wanted = scope.stationIds && new Set(scope.stationIds);
    const kinds = scope.variables && new Set(scope.variables.map(variableKind));
    const mode = scope.mode && modeKey(scope.mode);
    const wants = (key: ChunkKey): boolean =>
      (kinds === null || kinds.has(key.kind)) &&
      (mode === null || (mode.interval === key.interval && mode.raw === key.raw));
    return tables.sites
      .all()
      .filter(({ stationId }) => wanted === null || wanted.has(stationId))
      .flatMap(({ site }) => mendStation(opened, site, wants, scope.range));
  };
  return {
    mend,
    heal(work, scope) {
      for (const repaired of [scope, EVERYTHING, null]) {
        try {
          return work();
        } catch (thrown) {
          if (!(thrown instanceof DamagedData) || repaired === null) throw thrown;
          let damages: readonly CacheDamage[] = [];
          tables.verified.forget();
          write(() => {
            damages = mend(repaired);
          });
          tables.caches.clear();
          if (damages.length > 0) onMended(damages);
        }
      }
      throw new Error("not reached");
    },
  };
}
