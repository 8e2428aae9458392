import type { JobSpec } from "./job.ts";

/** The same job without some of its stations. */
export function withoutStations(spec: JobSpec, stationIds: readonly string[]): JobSpec {
  if (stationIds.length === 0) return spec;
  const left = new Set(stationIds);
  return { ...spec, stationIds: spec.stationIds.filter((id) => !left.has(id)) };
}
