import { z } from "zod";
import type { ConnectionInfo } from "#shared/connection.ts";
import { type SavedView, savedView, viewName, viewWorkspace } from "#shared/views/view.ts";
import { method } from "../method.ts";
import { connectionId, range, stationIds } from "./words.ts";

const names = z.array(viewName).max(500).readonly();

/** What of a connection goes into a file with data. */
const shareViews = z.object({
  /** Saved views; the data of their stations and ranges go along where they belong to the connection, or to none. */
  names,
  /**
   * Stations and a range beside those of the views. They become a view of the file, so that who opens it sees them: as
   * the workspace shows them, or plainly where there is none.
   */
  also: z.object({ stationIds, range, workspace: viewWorkspace.nullable() }).nullable(),
  satellites: z.boolean(),
});
export type ShareSelection = z.output<typeof shareViews>;

/** A file chosen in the dialog of the system, or one that the shell offers for download. */
const destination = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("file"), path: z.string().min(1).max(32_000) }),
  z.object({ kind: z.literal("download"), name: z.string().min(1).max(200) }),
]);

/** Chosen by the caller: `workProgress` tells of it under this name. */
const workId = z.string().min(1).max(100);

export interface SessionForecast {
  /** Stations of which anything is cached in the ranges. */
  readonly stations: number;
  /** About. */
  readonly bytes: number;
  readonly hasData: boolean;
}

/** A file with views, and perhaps data, that was written. */
export interface SessionFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly stations: number;
  readonly views: number;
}

export interface SharedFile extends SessionFile {
  readonly id: string;
  /** Where the shell offers it; null where the user named the file. */
  readonly href: string | null;
}

/** What came of a file that a colleague shared. */
export interface OpenedSession {
  /** Its data, as a connection of their own: read only, without a key; null where the file holds views alone. */
  readonly connection: ConnectionInfo | null;
  /** Kept under names that were free. */
  readonly views: readonly SavedView[];
}

/** Views that the user gave a name. Each change is told by `viewsChanged`. */
export const views = {
  /** By name; what this version cannot read is left out, and kept: `damaged` names it. Faults: disk. */
  list: method<SavedView[]>()(z.object({})),
  /** Names of the views that cannot be read: damaged, or of a newer version. `delete` removes one. Faults: disk. */
  damaged: method<string[]>()(z.object({})),
  /** Saves views; answers those of the same names that were replaced. Faults: usage (too many), disk. */
  save: method<SavedView[]>()(z.object({ views: z.array(savedView).min(1).max(500).readonly() })),
  /** Faults: usage (no such view, or the name is taken), disk. */
  rename: method<null>()(z.object({ name: viewName, to: viewName })),
  /** Also one that cannot be read, whatever its name. */
  delete: method<null>()(z.object({ name: z.string().max(10_000) })),
  /** How large a file with data would be. Reads no data. Faults: usage (no such view), disk. */
  estimateFile: method<SessionForecast>()(shareViews.extend({ connectionId })),
  /**
   * Writes a file for somebody else, with the data of the selection: never the key; the address of the service only where
   * it is to be told. Stopping the call stops it, and nothing is left. Faults: usage (not chosen, no such view), disk.
   */
  writeFile: method<SharedFile>()(
    shareViews.extend({
      connectionId,
      author: z.string().trim().max(100).nullable(),
      tellsAddress: z.boolean(),
      destination,
      workId,
    }),
  ),
  /** Files for download that were written since the program started. */
  writtenFiles: method<SharedFile[]>()(z.object({})),
  /**
   * Opens a file that a colleague shared: its views are kept under free names, its data as a connection of their own.
   * Faults: usage (the grant is used up), disk (foreign, newer, damaged, in a sentence).
   */
  openFile: method<OpenedSession>()(z.object({ grantId: z.string().min(1).max(100), workId })),
};
