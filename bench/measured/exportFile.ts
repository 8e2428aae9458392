// Export of a range of an existing cache into a file.
import { join } from "node:path";
import { EXPORT_EXTENSIONS, type ExportFormat } from "#shared/file/export.ts";
import { openCache } from "#main/store/index.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { withFolder } from "../harness/folder.ts";
import { peakMb, report, timed } from "../harness/report.ts";
import { exportJob } from "./exportJob.ts";

export interface ExportFileArguments {
  readonly folder: string;
  readonly cachePath: string;
  readonly spec: JobSpec;
  readonly format: ExportFormat;
  /** Where the file is to stay; null: it is removed at once. */
  readonly keepAs: string | null;
}

export interface ExportedOnce {
  readonly rows: number;
  readonly seconds: number;
  readonly peakMb: number;
}

await report(({ folder, cachePath, spec, format, keepAs }: ExportFileArguments) =>
  withFolder(folder, async (own): Promise<ExportedOnce> => {
    const cache = openCache(cachePath);
    const path = keepAs ?? join(own, `series.${EXPORT_EXTENSIONS[format]}`);
    const { seconds, value } = await timed(() => exportJob({ cache }, spec, format, path));
    cache.close();
    return { rows: value.rows, seconds, peakMb: peakMb() };
  }),
);
