import { type JobSpec, jobRanges } from "#shared/job/job.ts";
import { withImpliedVariables } from "#shared/service/variables.ts";
import { isEmpty } from "#shared/time/range.ts";
import { difference, rangeSet } from "#shared/time/rangeset.ts";
import { answeredTime } from "../../analysis/requestedTimes.ts";
import { requestableRange } from "../../planner/missing.ts";
import type { OpenConnection } from "../connections/connections.ts";

/**
 * What the cache knows of a selection and range:
 * - final: everything that the service has is present, and the rest is confirmed to be absent
 * - mayStillArrive: everything was requested, but data may still arrive or change
 * - notDownloaded: a part was never requested, or requests for it failed
 */
export type Settlement = "final" | "mayStillArrive" | "notDownloaded";

const ORDER: readonly Settlement[] = ["final", "mayStillArrive", "notDownloaded"];

/** The least settled of several. */
export function leastSettled(all: readonly Settlement[]): Settlement {
  return ORDER[Math.max(0, ...all.map((one) => ORDER.indexOf(one)))] ?? "final";
}

/** How settled the data of a download are, for each of its stations. Reads the cache only. */
export function settlementByStation(
  { cache, session }: OpenConnection,
  spec: JobSpec,
): ReadonlyMap<string, Settlement> {
  const { latestMs: nowMs } = session.time();
  const newMs = nowMs - session.provisionalAgeMs;
  const stations = new Map(cache.catalogue().stations.map((station) => [station.id, station]));
  const of = (stationId: string): Settlement => {
    const station = stations.get(stationId);
    if (!station) return "notDownloaded";
    const { historicDataFromMs, hasNeverSent } = station;
    const { intervalSeconds } = spec;
    const requestable = requestableRange(spec.range, { intervalSeconds, nowMs, historicDataFromMs, hasNeverSent });
    const wanted = spec.only === undefined ? [requestable] : jobRanges(spec, stationId);
    if (wanted.every(isEmpty)) return spec.range.endMs <= nowMs ? "final" : "mayStillArrive";
    const all = withImpliedVariables(spec.variables).map((variable): Settlement => {
      const known = cache.coverage(stationId, variable, spec);
      if (difference(wanted, rangeSet(known.final)).length === 0)
        return spec.range.endMs <= nowMs ? "final" : "mayStillArrive";
      const unknown = difference(wanted, answeredTime(known));
      // What was measured since a download is as recent as what may still arrive.
      return unknown.every(({ startMs }) => startMs > newMs) ? "mayStillArrive" : "notDownloaded";
    });
    return leastSettled(all);
  };
  return new Map(spec.stationIds.map((id) => [id, of(id)]));
}

/** How settled all data of a download are. */
export function settlementOf(connection: OpenConnection, spec: JobSpec): Settlement {
  return leastSettled([...settlementByStation(connection, spec).values()]);
}
