import { z } from "zod";
import type { AppFault } from "#shared/fault.ts";
import { EXPORT_FORMATS, type ExportReport, type ExportRequest } from "#shared/file/export.ts";
import { type SavedExport, savedExport, savedExportName, formatChoices, template } from "#shared/file/savedExport.ts";
import { HEIGHT_REFERENCES } from "#shared/service/catalogue.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";
import { connectionId, range, readMode, stationIds, variables } from "./words.ts";

export const exportSelection = readMode.extend({
  stationIds,
  variables,
  range,
  format: z.enum(EXPORT_FORMATS),
  heightReference: z.enum(HEIGHT_REFERENCES),
  ...formatChoices,
});

/** What a file would be, before it is written. */
export interface ExportForecast {
  readonly rows: number;
  /** Expected bytes of all files. */
  readonly bytes: number;
  /** Names of the files, the first as `suggestedName`. */
  readonly fileNames: readonly string[];
  /** A name that tells content and range, safe on every system. */
  readonly suggestedName: string;
  /** Share of the cells of a grid that would hold no row, about; null where the file is no grid. */
  readonly emptyShare: number | null;
  /** What writes the same files from the command line; there is nothing secret in it. */
  readonly command: string;
  /** Stations of which parts are not in the cache: the file will say so. */
  readonly incompleteStationIds: readonly string[];
}

/** An export as the drawer shows it. */
export interface ExportTask {
  readonly id: string;
  readonly connectionId: string;
  readonly request: Omit<ExportRequest, "path">;
  readonly state: "running" | "finished" | "failed" | "cancelled";
  readonly rowsDone: number;
  readonly rowsTotal: number;
  readonly report: ExportReport | null;
  readonly fault: AppFault | null;
  readonly startedAtMs: UtcMs;
  /** Where the shell serves the files for download: a path on its own origin, for each file; empty where it does not. */
  readonly downloads: readonly { readonly name: string; readonly href: string; readonly bytes: number }[];
}

/** A saved export as the window shows it. */
export interface KeptExport extends SavedExport {
  /** What repeats it from the command line: whole, in words that every shell takes alike. */
  readonly command: string;
}

const exportId = z.string().min(1).max(100);

/** Into a file that the user named, or, where the shell has no file dialog, for download. */
const destination = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("file"), path: z.string().min(1).max(32_000) }),
  z.object({ kind: z.literal("download") }),
]);
export type ExportDestination = z.output<typeof destination>;

/** Files of what is cached. An export goes on when its window closes. */
export const exports = {
  /** Rows, size and names of the files that an export would write. Faults: usage, disk. */
  estimate: method<ExportForecast>()(
    z.object({ connectionId, request: exportSelection, template: template.optional() }),
  ),
  /**
   * Starts to write. The task is told by events; a file for download is named by the template. Faults: usage, disk.
   */
  start: method<ExportTask>()(
    z.object({
      connectionId,
      request: exportSelection,
      destination,
      template: template.optional(),
    }),
  ),
  /** Exports since the program started, newest first. */
  list: method<ExportTask[]>()(z.object({})),
  /** Stops an export; nothing of an unfinished file is left. */
  cancel: method<ExportTask>()(z.object({ exportId })),
  /** Takes it off the list; files stay. */
  remove: method<null>()(z.object({ exportId })),
  /** Saved exports by name; each change is told by `savedExportsChanged`. Faults: disk. */
  saved: method<KeptExport[]>()(z.object({})),
  /** Saves one; answers that of the same name which was replaced. Faults: usage, disk. */
  save: method<SavedExport | null>()(z.object({ saved: savedExport })),
  /** Faults: usage (no such export, or the name is taken), disk. */
  renameSaved: method<null>()(z.object({ name: savedExportName, to: savedExportName })),
  removeSaved: method<null>()(z.object({ name: savedExportName })),
  /**
   * Repeats a saved export: brings what the cache lacks as a job of the queue, then starts to write. Answers when it has
   * started, which takes as long as the download; it goes on when the window closes. Faults: usage, disk, service,
   * cancelled (the job was stopped).
   */
  repeat: method<ExportTask>()(z.object({ name: savedExportName, destination })),
};
