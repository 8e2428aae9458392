import { planRequests } from "#main/planner/plan.ts";
import { CEILING_POINTS } from "#main/planner/limits.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { formatUtc } from "#shared/time/utc.ts";

/** The bodies of the requests of a job with 30 s stations, for peers that send the same requests. */
export function queriesOf(spec: JobSpec): readonly object[] {
  const stations = spec.stationIds.map((id) => ({
    id,
    epochSeconds: 30,
    missing: Object.fromEntries(spec.variables.map((variable) => [variable, [spec.range]])),
  }));
  const { intervalSeconds, raw } = spec;
  return [...planRequests({ stations, mode: { intervalSeconds, raw }, maxPoints: () => CEILING_POINTS })].map(
    (request) => bodyOf(request),
  );
}

/** The same job as one simple request. */
export function oneQueryOf(spec: JobSpec): object {
  return bodyOf(spec);
}

function bodyOf({ range, stationIds, variables }: Pick<JobSpec, "range" | "stationIds" | "variables">): object {
  return {
    start_time: formatUtc(range.startMs),
    end_time: formatUtc(range.endMs),
    station_ids: stationIds,
    data_vars: variables,
  };
}
