import { z } from "zod";
import type { Result } from "#shared/service/error.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ExportReport, ExportRequest } from "#shared/file/export.ts";
import { EXPORT_FORMATS } from "#shared/file/formats.ts";
import { type SavedExport, savedExport, savedExportName, formatChoices, template } from "#shared/file/savedExport.ts";
import { HEIGHT_REFERENCES } from "#shared/service/catalogue.ts";
import { method } from "../method.ts";
import { connectionId, range, readMode, stationIds, variables } from "./schemas.ts";

const exportSelection = readMode.extend({
  stationIds,
  variables,
  range,
  format: z.enum(EXPORT_FORMATS),
  heightReference: z.enum(HEIGHT_REFERENCES),
  ...formatChoices,
});

/** Forecast of an export. */
export interface ExportForecast {
  readonly rows: number;
  /** Expected size of all files. */
  readonly bytes: number;
  /** File names; the first one is `suggestedName`. */
  readonly fileNames: readonly string[];
  /** Describes content and range; valid on every system. */
  readonly suggestedName: string;
  /** Approximate share of empty cells of a grid; null if the file has no grid. */
  readonly emptyShare: number | null;
  /** Command line that writes the same files; contains no secret. */
  readonly command: string;
  /** Stations that are not completely cached; the file says so. */
  readonly incompleteStationIds: readonly string[];
}

/** A running or finished export. */
export interface ExportTask {
  readonly id: string;
  readonly connectionId: string;
  readonly request: Omit<ExportRequest, "path">;
  readonly state: "running" | "finished" | "failed" | "cancelled";
  /** Whether it waits for the download of data that the cache lacks. */
  readonly isDownloading: boolean;
  readonly rowsDone: number;
  readonly rowsTotal: number;
  readonly report: ExportReport | null;
  readonly fault: AppFault | null;
  /** The figure of a saved export, beside its first file, or why it was not drawn; null if none was wanted or yet. */
  readonly figure: Result<{ readonly path: string }, AppFault> | null;
  /** Files that the shell serves for download: paths on its own origin; empty if it does not. */
  readonly downloads: readonly { readonly name: string; readonly href: string; readonly bytes: number }[];
}

/** A saved export as the window shows it. */
export interface KeptExport extends SavedExport {
  /** Command line that repeats it, with quoting that works in every shell. */
  readonly command: string;
}

/** A saved export that was edited. */
interface EditedExport {
  readonly saved: SavedExport;
  readonly replaced: SavedExport;
}

const exportId = z.string().min(1).max(100);

/** A file that the user chose, or a download if the shell has no file dialog. */
const destination = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("file"), path: z.string().min(1).max(32_000) }),
  z.object({ kind: z.literal("download") }),
]);
export type ExportDestination = z.output<typeof destination>;

/** Exports of cached data. An export continues after its window closes. */
export const exports = {
  /** Rows, size and names of the files that an export would write. Faults: usage, disk. */
  estimate: method<ExportForecast>()(
    z.object({ connectionId, request: exportSelection, template: template.optional() }),
  ),
  /**
   * Starts an export; events report its progress. A download is named by the template. With `fetchesFirst`, the export
   * begins with a queued job that downloads the data that the cache lacks; stopping either stops both. Faults: usage, disk.
   */
  start: method<ExportTask>()(
    z.object({
      connectionId,
      request: exportSelection,
      destination,
      template: template.optional(),
      fetchesFirst: z.boolean().optional(),
    }),
  ),
  /** Exports since the program started, newest first. */
  list: method<ExportTask[]>()(z.object({})),
  /** Stops an export and deletes unfinished files. */
  cancel: method<ExportTask>()(z.object({ exportId })),
  /** Writes a failed or cancelled export again: the same data to the same place. Faults: usage, disk. */
  retry: method<ExportTask>()(z.object({ exportId })),
  /** Removes it from the list; files stay. */
  remove: method<null>()(z.object({ exportId })),
  /** Saved exports by name; `savedExportsChanged` reports changes. Faults: disk. */
  saved: method<KeptExport[]>()(z.object({})),
  /**
   * Saves an export; answers the one of the same name that it replaced. With `replaces`, it only replaces that export,
   * which may have another name, or none (null). Faults: usage (such as `replaces` was changed meanwhile), disk.
   */
  save: method<SavedExport | null>()(z.object({ saved: savedExport, replaces: savedExport.nullable().optional() })),
  /**
   * Changes an export from what it was `before`, and renames it if the names differ; keeps the settings that only others
   * have changed meanwhile. Faults: usage (no such export, or the name is taken), disk.
   */
  edit: method<EditedExport>()(z.object({ before: savedExport, saved: savedExport })),
  removeSaved: method<null>()(z.object({ name: savedExportName })),
  /**
   * Repeats a saved export like `start` with `fetchesFirst`; continues after the window closes.
   */
  repeat: method<ExportTask>()(z.object({ name: savedExportName, destination })),
};
