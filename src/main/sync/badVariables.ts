import type { Variable } from "#shared/service/variables.ts";
import { ownVariables, splitOff, type Halves } from "../planner/split.ts";
import type { PlannedRequest } from "../planner/types.ts";

/**
 * The variables of a job that the service cannot deliver at all. One of them makes every larger request fail that
 * contains it, so the other variables are requested apart from it.
 *
 * - suspected: given up alone, while it has not arrived from anywhere yet
 * - condemned: other requests for it were not answered either, while other variables arrive; it is not divided further
 */
export interface BadVariables {
  /** A response with these variables was stored. */
  arrived(variables: readonly Variable[]): void;
  /** @returns how often the only variable of the request was given up, with this time; 0 if it is not suspected */
  givenUp(request: PlannedRequest): number;
  /**
   * Other requests for the same variables were not answered.
   *
   * @returns false if the cause may lie elsewhere: some variable is not suspected, or none has arrived
   */
  condemn(request: PlannedRequest): boolean;
  /** Whether all variables of the request are condemned. */
  isCondemned(request: PlannedRequest): boolean;
  /** The request without suspected variables, and those alone; null if it does not contain both kinds. */
  apart(request: PlannedRequest): Halves | null;
}

export function createBadVariables(): BadVariables {
  const timesGivenUp = new Map<Variable, number>();
  const arrived = new Set<Variable>();
  const condemned = new Set<Variable>();
  return {
    arrived(variables) {
      for (const variable of variables) {
        arrived.add(variable);
        timesGivenUp.delete(variable);
        condemned.delete(variable);
      }
    },
    givenUp(request) {
      const [variable, ...others] = ownVariables(request);
      if (variable === undefined || others.length > 0 || arrived.has(variable)) return 0;
      const times = (timesGivenUp.get(variable) ?? 0) + 1;
      timesGivenUp.set(variable, times);
      return times;
    },
    condemn(request) {
      if (arrived.size === 0 || !isAmong(request, timesGivenUp)) return false;
      for (const variable of ownVariables(request)) condemned.add(variable);
      return true;
    },
    isCondemned: (request) => isAmong(request, condemned),
    apart: (request) => splitOff(request, timesGivenUp),
  };
}

function isAmong(request: PlannedRequest, variables: Pick<ReadonlySet<Variable>, "has" | "size">): boolean {
  return variables.size > 0 && ownVariables(request).every((variable) => variables.has(variable));
}
