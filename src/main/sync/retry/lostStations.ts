import type { PlannedRequest } from "../../planner/types.ts";
import type { QueuedRequest, Replacement } from "../requestQueue.ts";
import type { Session } from "../session.ts";

/** Requests of one station with fewer points are divided without asking whether the whole station is refused. */
export const MIN_VERIFIED_POINTS = 16;
/** Requests of one station that are lost before it counts as dead, if nothing else does: then few more ask for it. */
const LOST_BEFORE_STATION = 4;

/** The stations of a job that were answered, and those whose requests are lost. */
export class LostStations {
  readonly #session: Session;
  /** Stations of which something was answered: they are not refused as a whole. */
  readonly #answered = new Set<string | undefined>();
  /** Lost requests of single stations of which nothing was answered. */
  readonly #lostOf = new Map<string, number>();
  /** Stations of which nothing arrived in earlier jobs, nor in this one: they are requested apart from others, and one loss is enough. */
  readonly #lostBefore;

  constructor(session: Session) {
    this.#session = session;
    this.#lostBefore = new Set(session.profile.lostStations().keys());
  }

  isAnswered(stationId: string | undefined): boolean {
    return this.#answered.has(stationId);
  }

  isAnyAnswered(): boolean {
    return this.#answered.size > 0;
  }

  /** Something arrived of a station. */
  answers(stationId: string | undefined): void {
    this.treatAsAnswered(stationId);
    if (stationId !== undefined && this.#lostBefore.delete(stationId)) this.#session.profile.allow([stationId]);
  }

  /** It is not the station alone that is lost. */
  treatAsAnswered(stationId: string | undefined): void {
    this.#answered.add(stationId);
  }

  /** Counts a loss. @returns whether only this station is lost, again and again, while others are answered */
  seemsDead({ stationIds: [id, ...others], points }: PlannedRequest): boolean {
    if (id === undefined || others.length > 0 || this.#answered.has(id)) return false;
    const lost = (this.#lostOf.get(id) ?? 0) + 1;
    this.#lostOf.set(id, lost);
    // Its first loss asks for a verdict; requests that are lost before the verdict are repeated.
    if (this.#lostBefore.has(id)) return lost === 1;
    return lost >= LOST_BEFORE_STATION && points >= MIN_VERIFIED_POINTS;
  }

  /** A request without the stations of which nothing arrived lately, and those alone; null if it has none, or only one. */
  apart({ request, history }: QueuedRequest): Replacement | null {
    const { stationIds, points } = request;
    const lost = stationIds.filter((id) => this.#lostBefore.has(id));
    if (lost.length === 0 || stationIds.length === 1) return null;
    const part = (ids: readonly string[]): QueuedRequest => ({
      request: { ...request, stationIds: ids, points: (points / stationIds.length) * ids.length },
      history: { ...history, trial: null },
    });
    const others = stationIds.filter((id) => !this.#lostBefore.has(id));
    return { first: others.length === 0 ? [] : [part(others)], last: lost.map((id) => part([id])) };
  }
}
