import type { JobSpec } from "#shared/job/job.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import type { Shell } from "../shell.ts";

/**
 * Whether means are computed from cached observations: with `--resample` or `--zone`, or where the cache has a larger share of those than
 * of means from the service.
 */
export async function isResampled(
  shell: Shell,
  connection: OpenConnection,
  spec: JobSpec,
  values: {
    readonly resample: true | undefined;
    readonly zone: string | undefined;
    readonly fetch: true | undefined;
  },
): Promise<boolean> {
  const isAsked = values.resample === true || values.zone !== undefined;
  if (isAsked || values.fetch || spec.intervalSeconds === null) return isAsked;
  const { jobs } = await shell.app();
  const cachedShare = (of: JobSpec): number => {
    const { pointsKnown, pointsRequested } = jobs.estimate(connection, of, true);
    return pointsRequested === 0 ? 0 : pointsKnown / pointsRequested;
  };
  if (cachedShare({ ...spec, intervalSeconds: null }) <= cachedShare(spec)) return false;
  shell.output.note("These are means of cached observations, because fewer means of the service are cached.");
  return true;
}
