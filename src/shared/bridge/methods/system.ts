import { z } from "zod";
import { LOG_LEVELS, type LogLine } from "#shared/logLine.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";

/** The log of the data folder: starts, ends, failures and their causes. It contains no API key. */
export const log = {
  /** The newest lines of at least this severity, oldest first. Faults: disk. */
  read: method<{ readonly path: string; readonly lines: readonly LogLine[] }>()(
    z.object({ level: z.enum(LOG_LEVELS), most: z.number().int().min(1).max(5_000) }),
  ),
  /** Adds an error of the page. */
  report: method<null>()(z.object({ text: z.string().min(1).max(20_000) })),
};

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
  readonly schedules: number;
  /** Records that cannot be used. */
  readonly damagedRecords: number;
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

/** How a stored key is protected. */
export type KeyProtection = "protected" | "file" | "session";

/** Abilities of the shell around the window. The window offers only these. */
export interface Capabilities {
  readonly shell: "electron" | "web" | "test";
  /** System dialogs to choose files and folders. */
  readonly fileDialogs: boolean;
  /** How the user chooses files to open: in a system dialog, in the page, which uploads them, or not at all. */
  readonly openFiles: "dialog" | "upload" | "none";
  /** The shell offers written files for download. */
  readonly downloads: boolean;
  readonly showInFolder: boolean;
  readonly openExternal: boolean;
  readonly notifications: boolean;
  readonly newWindow: boolean;
  /**
   * How keys are stored: `protected` by the system's secret store; in a file only its owner can read (`file`); or, if
   * neither is available, until the program ends (`session`). Unknown until the first key is stored (`unasked`), because
   * access to the secret store may open a system dialog.
   */
  readonly keys: KeyProtection | "unasked";
  /** The time zone of the core's computer, such as `Europe/Helsinki`: local times of schedules are of this zone. */
  readonly timeZone: string;
}

/** Without a desktop. */
export const NO_DESKTOP: Omit<Capabilities, "keys" | "timeZone"> = {
  shell: "test",
  fileDialogs: false,
  openFiles: "none",
  downloads: false,
  showInFolder: false,
  openExternal: false,
  notifications: false,
  newWindow: false,
};

export interface About {
  readonly name: string;
  readonly version: string;
  /** Names and versions of Electron, Chromium, Node, SQLite … */
  readonly components: readonly { readonly name: string; readonly version: string }[];
  readonly platform: string;
  readonly dataFolder: string;
  /** Sentences about the data folder: its place, a disk that cannot be written, damaged records. */
  readonly warnings: readonly string[];
}

/** The program and the desktop around it. */
export const system = {
  about: method<About>()(z.object({})),
  capabilities: method<Capabilities>()(z.object({})),
  /** A path to write to, chosen in the system's dialog; null if cancelled. Faults: usage (no such dialog here). */
  chooseSaveFile: method<string | null>()(
    z.object({ suggestedName: z.string().min(1).max(255), extensions: z.array(z.string().regex(/^[a-z0-9]{1,10}$/)) }),
  ),
  /** A folder to write to, chosen in the system's dialog; null if cancelled. Faults: usage (no such dialog here). */
  chooseFolder: method<string | null>()(z.object({})),
  /** Shows a file that this program wrote in the system's file manager. Faults: usage. */
  showInFolder: method<null>()(z.object({ path: z.string().min(1).max(32_000) })),
  /** Opens one of the allowed addresses in the user's browser. Faults: usage (not allowed). */
  openExternal: method<null>()(z.object({ url: z.string().url().max(2_000) })),
  /** Opens another window of the same core. Faults: usage. */
  newWindow: method<null>()(z.object({})),
};
