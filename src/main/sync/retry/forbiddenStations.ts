import type { ServiceError } from "#shared/service/error.ts";
import { splitStations } from "../../planner/split.ts";
import type { EpochSecondsLookup, PlannedRequest } from "../../planner/types.ts";
import type { JobStatistics } from "../jobStatistics.ts";

/** The stations that the service refuses to this key (403), as far as a job has found out. */
interface ForbiddenStations {
  /** After a refusal: both halves of the stations; null for a single station, which is then forbidden. */
  isolate(request: PlannedRequest, error: ServiceError): readonly PlannedRequest[] | null;
  /** The request without forbidden stations; null if none is left. */
  permitted(request: PlannedRequest): PlannedRequest | null;
  ids(): readonly string[];
}

export function createForbiddenStations(
  statistics: JobStatistics,
  epochSecondsOf: EpochSecondsLookup,
): ForbiddenStations {
  const forbidden = new Set<string>();
  return {
    isolate(request, error) {
      const halves = splitStations(request, epochSecondsOf);
      if (halves) return halves;
      for (const id of request.stationIds) forbidden.add(id);
      statistics.givenUp(request, error.kind, error.message);
      return null;
    },
    permitted(request) {
      const refused = request.stationIds.filter((id) => forbidden.has(id));
      if (refused.length === 0) return request;
      const allowed = request.stationIds.filter((id) => !forbidden.has(id));
      const pointsEach = request.points / request.stationIds.length;
      const reason = "The service refuses this station for the key in use.";
      statistics.givenUp({ ...request, stationIds: refused, points: pointsEach * refused.length }, "forbidden", reason);
      return allowed.length === 0 ? null : { ...request, stationIds: allowed, points: pointsEach * allowed.length };
    },
    ids: () => [...forbidden],
  };
}
