import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";
import type { PlannedRequest } from "../../planner/types.ts";
import { meaningOf } from "../../planner/failures.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import type { StationRefusal } from "../profile.ts";
import type { Session } from "../session.ts";

export const FORBIDDEN = "The service refuses this station for the key in use.";
export const SHIFTED =
  "The times of this station are shifted, perhaps to local time: its rows lie outside of the requested range. Nothing was stored. Tell the operator of the service.";

/** The stations of which a job can get nothing: refused by the service (now or lately), or with shifted times. */
export class ExcludedStations {
  readonly #statistics: JobStatistics;
  readonly #excluded;

  constructor(session: Session, statistics: JobStatistics) {
    this.#statistics = statistics;
    this.#excluded = new Map<string, { readonly kind: ServiceErrorKind; readonly reason: string }>(
      session.profile.refusedStations(),
    );
  }

  /** Requests nothing more of these stations in this job. */
  exclude(stationIds: readonly string[], kind: ServiceErrorKind, reason: string): void {
    for (const id of stationIds) this.#excluded.set(id, { kind, reason });
  }

  /** The request without excluded stations; null if none is left. */
  permitted(request: PlannedRequest): PlannedRequest | null {
    const pointsEach = request.points / request.stationIds.length;
    const allowed = request.stationIds.filter((id) => !this.#excluded.has(id));
    for (const id of request.stationIds) {
      const why = this.#excluded.get(id);
      if (why) this.#statistics.givenUp({ ...request, stationIds: [id], points: pointsEach }, why.kind, why.reason);
    }
    if (allowed.length === request.stationIds.length) return request;
    return allowed.length === 0 ? null : { ...request, stationIds: allowed, points: pointsEach * allowed.length };
  }

  forbiddenIds(): readonly string[] {
    return [...this.#excluded].flatMap(([id, { kind }]) => (kind === "forbidden" ? [id] : []));
  }
}

/** How the profile remembers a station that the service refuses as a whole, or of which nothing arrives. */
export function refusalOf(error: ServiceError): StationRefusal["kind"] {
  if (meaningOf(error).reach === "lost") return "lost";
  return error.kind === "forbidden" || error.kind === "notFound" ? error.kind : "invalid";
}
