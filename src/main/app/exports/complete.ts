import type { JobSpec } from "#shared/job/job.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { Jobs } from "../jobs/jobs.ts";

/** Whether a download would have nothing to do: all of it is in the cache, or nothing can be asked for. */
export function isComplete(jobs: Jobs, connection: OpenConnection, spec: JobSpec): boolean {
  if (connection.record.kind === "file") return true;
  const known = new Set(connection.cache.catalogue().stations.map((s) => s.id));
  // Of one that is not in the kept catalogue, `missing` cannot tell: the cache may have been rebuilt.
  return spec.stationIds.every((id) => known.has(id)) && jobs.missing(connection, spec).length === 0;
}
