import { z } from "zod";
import type { ConnectionInfo } from "#shared/connection.ts";
import { type SavedView, savedView, viewName, viewWorkspace } from "#shared/views/view.ts";
import { method } from "../method.ts";
import { connectionId, range, stationIds } from "./schemas.ts";

const names = z.array(viewName).max(500).readonly();

/** Contents of a session file with data of a connection. */
const shareViews = z.object({
  /** Saved views, with the data of their stations and ranges if they belong to this connection or to none. */
  names,
  /**
   * Additional stations and a range. They become a view of the file, so that they are shown when it is opened: with the
   * given workspace, or the default one (null).
   */
  also: z.object({ stationIds, range, workspace: viewWorkspace.nullable() }).nullable(),
  satellites: z.boolean(),
});
export type ShareSelection = z.output<typeof shareViews>;

/** A file chosen in the system's dialog, or one that the shell offers for download. */
const destination = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("file"), path: z.string().min(1).max(32_000) }),
  z.object({ kind: z.literal("download"), name: z.string().min(1).max(200) }),
]);

/** Chosen by the caller; `workProgress` reports progress under this id. */
const workId = z.string().min(1).max(100);

export interface SessionForecast {
  /** Stations with cached data in the ranges. */
  readonly stations: number;
  /** Estimate. */
  readonly bytes: number;
  readonly hasData: boolean;
}

/** A session file that was written. */
export interface SessionFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly stations: number;
  readonly views: number;
  /** Names of opened files that belong to the views, and are not in the file. */
  readonly withoutFiles: readonly string[];
}

export interface SharedFile extends SessionFile {
  readonly id: string;
  /** Path for download; null if the user chose the file. */
  readonly href: string | null;
}

/** Result of opening a session file. */
export interface OpenedSession {
  /** The file's data as a new read-only connection without a key; null if the file contains only views. */
  readonly connection: ConnectionInfo | null;
  /** Views as stored, under unused names. */
  readonly views: readonly SavedView[];
  /** Names of files that belong to the views, and were not in the session file. */
  readonly withoutFiles: readonly string[];
}

/** Saved views. `viewsChanged` reports changes. */
export const views = {
  /** By name, without unreadable views, which stay stored (see `damaged`). Faults: disk. */
  list: method<SavedView[]>()(z.object({})),
  /** Names of unreadable views: damaged, or of a newer version. `delete` removes one. Faults: disk. */
  damaged: method<string[]>()(z.object({})),
  /**
   * Saves views; answers the views of the same names that were replaced. With `replaces`, saves them only if the stored
   * views of these names are exactly those. Faults: usage (too many, or changed meanwhile), disk.
   */
  save: method<SavedView[]>()(
    z.object({
      views: z.array(savedView).min(1).max(500).readonly(),
      replaces: z.array(savedView).max(500).readonly().optional(),
    }),
  ),
  /** Faults: usage (no such view, or the name is taken), disk. */
  rename: method<null>()(z.object({ name: viewName, to: viewName })),
  /** Deletes a view, readable or not. */
  delete: method<null>()(z.object({ name: z.string().max(10_000) })),
  /** Estimates the size of a session file without reading data. Faults: usage (no such view), disk. */
  estimateFile: method<SessionForecast>()(shareViews.extend({ connectionId })),
  /**
   * Writes a session file with the selected data: never the key, and the address of the service only with
   * `tellsAddress`. Cancelling the call leaves no file. Faults: usage (not chosen, no such view), disk.
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
  /** Files for download since the program started. */
  writtenFiles: method<SharedFile[]>()(z.object({})),
  /**
   * Opens a session file: stores its views under unused names and its data as a new connection. Faults: usage (the grant
   * was used), disk (foreign, newer or damaged file).
   */
  openFile: method<OpenedSession>()(z.object({ grantId: z.string().min(1).max(100), workId })),
};
