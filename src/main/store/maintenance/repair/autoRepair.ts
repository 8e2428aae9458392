import type { CacheDamage } from "#shared/series/damage.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Db } from "../../database/database.ts";
import { ALL_TIME } from "../../chunks/bucket.ts";
import { DamagedData } from "../../errors.ts";
import type { Tables } from "../../tables/index.ts";
import { type ChunkKey, modeKey } from "../../tables/keys.ts";
import { createRepairer, repairStation } from "./repairer.ts";
import { repairSites } from "./repairSites.ts";

/** The data that an operation reads or writes; null means all. */
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
  range: ALL_TIME,
};

interface AutoRepair {
  /**
   * Runs work. If it finds damage, repairs the scope and runs it again, and then the same for all data.
   *
   * @param work reads or writes in its own transaction
   * @throws DamagedData if no repair helped, and what SQLite throws
   */
  run<T>(work: () => T, scope: Scope): T;
  /** Repairs the scope in the transaction of the caller. */
  repair(scope: Scope): readonly CacheDamage[];
}

/**
 * @param write runs work in a write transaction
 * @param onRepaired called after each repair
 */
export function createAutoRepair(
  db: Db,
  tables: Tables,
  write: (work: () => void) => void,
  onRepaired: (damages: readonly CacheDamage[]) => void,
): AutoRepair {
  let repairer: ReturnType<typeof createRepairer> | null = null;
  const repair = (scope: Scope): CacheDamage[] => {
    repairer ??= createRepairer(db, tables);
    const opened = repairer;
    repairSites(db, tables);
    const wanted = scope.stationIds && new Set(scope.stationIds);
    const kinds = scope.variables && new Set(scope.variables.map(variableKind));
    const mode = scope.mode && modeKey(scope.mode);
    const wants = (key: ChunkKey): boolean =>
      (kinds === null || kinds.has(key.kind)) &&
      (mode === null || (mode.interval === key.interval && mode.raw === key.raw));
    return tables.sites
      .all()
      .filter(({ stationId }) => wanted === null || wanted.has(stationId))
      .flatMap(({ site }) => repairStation(opened, site, wants, scope.range));
  };
  return {
    repair,
    run(work, scope) {
      for (const repaired of [scope, EVERYTHING, null]) {
        try {
          return work();
        } catch (thrown) {
          if (!(thrown instanceof DamagedData) || repaired === null) throw thrown;
          let damages: readonly CacheDamage[] = [];
          tables.verified.forget();
          write(() => {
            damages = repair(repaired);
          });
          tables.readCache.clear();
          if (damages.length > 0) onRepaired(damages);
        }
      }
      throw new Error("not reached");
    },
  };
}
