import type { ExportReport } from "#shared/file/export.ts";
import type { ExportFormat } from "#shared/file/formats.ts";
import { exportSeries } from "#main/export/exportSeries.ts";
import type { CacheReader } from "#main/store/index.ts";
import type { JobSpec } from "#shared/job/job.ts";

interface Source {
  readonly cache: CacheReader;
}

/** Exports the data of a job as the application does: the file and its sidecar. */
export async function exportJob(
  { cache }: Source,
  spec: JobSpec,
  format: ExportFormat,
  path: string,
): Promise<ExportReport> {
  const request = { ...spec, resampled: false, format, heightReference: "WGS84_ELLIPSOID" as const, path };
  const exported = await exportSeries(cache, { service: "http://127.0.0.1", isSimulated: true }, request, {});
  if (!exported.ok) throw new Error(`${exported.error.message} ${exported.error.cause}`);
  return exported.value;
}
