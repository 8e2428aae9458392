import { z } from "zod";
import { method } from "../method.ts";

/** How keys are kept, once one is. */
export type KeyProtection = "protected" | "file" | "session";

/** What the shell around the window can do; what it cannot do is not offered. */
export interface Capabilities {
  readonly shell: "electron" | "web" | "test";
  /** Dialogs of the system to choose files and folders. */
  readonly fileDialogs: boolean;
  /** How files to open are chosen: in a dialog of the system, in the page, which uploads them, or not at all. */
  readonly openFiles: "dialog" | "upload" | "none";
  /** Files are offered for download by the shell instead. */
  readonly downloads: boolean;
  readonly showInFolder: boolean;
  readonly openExternal: boolean;
  readonly notifications: boolean;
  /** The window has the menus of the system, with their shortcuts. */
  readonly nativeMenus: boolean;
  readonly newWindow: boolean;
  /**
   * How keys are kept: `protected` by the system's secret store; in a file only its owner can read (`file`); or, where
   * neither can be had, until the program ends (`session`). Whether the system has a store shows only when the first
   * key is kept (`unasked`): asking may open a dialog of the system.
   */
  readonly keys: KeyProtection | "unasked";
}

export interface About {
  readonly name: string;
  readonly version: string;
  /** Name and version of what it runs on: Electron, Chromium, Node, SQLite … */
  readonly components: readonly { readonly name: string; readonly version: string }[];
  readonly platform: string;
  readonly dataFolder: string;
  /** What speaks against the place of the databases, in a sentence; null where nothing does. */
  readonly folderWarning: string | null;
}

/** The program and the desktop around it. */
export const system = {
  about: method<About>()(z.object({})),
  capabilities: method<Capabilities>()(z.object({})),
  /** A path to write to, chosen in the system's dialog; null where the user chose none. Faults: usage (no such dialog here). */
  chooseSaveFile: method<string | null>()(
    z.object({ suggestedName: z.string().min(1).max(255), extensions: z.array(z.string().regex(/^[a-z0-9]{1,10}$/)) }),
  ),
  /** A folder to write to, chosen in the system's dialog; null where the user chose none. Faults: usage (no such dialog here). */
  chooseFolder: method<string | null>()(z.object({})),
  /** Shows a file that this program wrote in the system's file manager. Faults: usage. */
  showInFolder: method<null>()(z.object({ path: z.string().min(1).max(32_000) })),
  /** Opens one of the allowed addresses in the user's browser. Faults: usage (not allowed). */
  openExternal: method<null>()(z.object({ url: z.string().url().max(2_000) })),
  /** Opens another window on the same data. Faults: usage. */
  newWindow: method<null>()(z.object({})),
};
