import { z } from "zod";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";

/** A backup of the file with the user's connections, views, saved exports and jobs, and what is in it. */
export interface UserBackup {
  readonly path: string;
  readonly madeAtMs: UtcMs;
  /** Names of the connections, oldest first. */
  readonly connectionNames: readonly string[];
  readonly connections: number;
  readonly views: number;
  readonly savedExports: number;
  readonly jobs: number;
}

export interface Recovery {
  /**
   * Why the file with the user's connections cannot be opened: it is `damaged`, of another program (`foreign`), or of a
   * `newer` version of this one; null where it is open.
   */
  readonly reason: "damaged" | "foreign" | "newer" | null;
  /** Where it lies. */
  readonly path: string;
  /** Those that can be restored, the newest first; none are looked for while the file is open. */
  readonly backups: readonly UserBackup[];
}

/** What can be done where the file with the user's connections is damaged. While it is, all other calls are answered with a fault. */
export const recovery = {
  state: method<Recovery>()(z.object({})),
  /**
   * Puts a copy of a backup in the place of the damaged file, or nothing (null: an empty list). The damaged file is put
   * aside; measurements and keys are not touched. `recovered` tells all windows. Faults: usage (nothing is damaged, no such
   * backup), disk (another program has the file open, or the backup is damaged: nothing is changed then).
   */
  restore: method<{ readonly putAsideAt: string | null }>()(z.object({ backup: z.string().max(32_000).nullable() })),
};
