import type { ExportFormat, ExportReport } from "#shared/file/export.ts";
import { exportSeries } from "#main/export/exportSeries.ts";
import type { CacheReader } from "#main/store/types.ts";
import type { JobSpec } from "#shared/job/job.ts";

interface Source {
  readonly cache: CacheReader;
}

/** Writes what a job brought as the application does it: the file and its sidecar. */
export async function exportJob(
  { cache }: Source,
  spec: JobSpec,
  format: ExportFormat,
  path: string,
): Promise<ExportReport> {
  const request = { ...spec, resampled: false, format, heightReference: "WGS84_ELLIPSOID" as const, path };
  const done = await exportSeries(cache, "http://127.0.0.1", request, {});
  if (!done.ok) throw new Error(`${done.error.message} ${done.error.cause}`);
  return done.value;
}
