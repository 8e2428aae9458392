// Exports a range of an existing cache to a file.
import { type ExportFormat, FORMATS } from "#shared/file/formats.ts";
import { rmSync } from "node:fs";
import { join } from "node:path";
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
  /** The path of the file; null: it is removed immediately. */
  readonly keepAs: string | null;
  /** The number of exports; the peers repeat theirs in one process too. */
  readonly times?: number;
}

export interface Exported {
  readonly rows: number;
  /** The duration of each export. */
  readonly seconds: readonly number[];
  readonly peakMb: number;
  /** The size of the data, without the sidecar. */
  readonly bytes: number;
}

await report(({ folder, cachePath, spec, format, keepAs, times = 1 }: ExportFileArguments) =>
  withFolder(folder, async (workFolder): Promise<Exported> => {
    const cache = openCache(cachePath);
    const path = keepAs ?? join(workFolder, `series.${FORMATS[format].extension}`);
    const taken: number[] = [];
    let [rows, bytes] = [0, 0];
    for (let time = 0; time < times; time++) {
      const { seconds, value } = await timed(() => exportJob({ cache }, spec, format, path));
      if (keepAs === null) for (const file of value.files) rmSync(file.path, { recursive: true });
      taken.push(seconds);
      rows = value.rows;
      bytes = value.files.reduce((sum, file) => sum + file.bytes, 0);
    }
    cache.close();
    return { rows, seconds: taken, peakMb: peakMb(), bytes };
  }),
);
