import { z } from "zod";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";

/** A backup of the file with the user's connections, views, saved exports and jobs, with counts of its contents. */
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
   * Why the file with the user's connections cannot be opened: it is `damaged`, from another program (`foreign`), or from
   * a `newer` version of this one; null if it is open.
   */
  readonly reason: "damaged" | "foreign" | "newer" | null;
  readonly path: string;
  /** Backups that can be restored, newest first; empty while the file is open. */
  readonly backups: readonly UserBackup[];
}

/** Recovery from a damaged file of connections. Until then, all other calls resolve to a fault. */
export const recovery = {
  state: method<Recovery>()(z.object({})),
  /**
   * Replaces the damaged file by a copy of a backup, or by an empty file (null). The damaged file is renamed;
   * measurements and keys are not touched. Emits `recovered` to all windows. Faults: usage (nothing is damaged, no such
   * backup), disk (another program has the file open, or the backup is damaged: nothing is changed then).
   */
  restore: method<{ readonly putAsideAt: string | null }>()(z.object({ backup: z.string().max(32_000).nullable() })),
};
