import type { Variable } from "#shared/service/variables.ts";
import { ownVariables, splitOff, type Halves } from "../../planner/split.ts";
import type { PlannedRequest } from "../../planner/types.ts";

/**
 * The variables of a job that the service cannot deliver at all. One of them makes every larger request fail that
 * contains it, so the other variables are requested separately.
 *
 * - suspected: given up alone, while no station has delivered it yet
 * - unavailable: other requests for it were not answered either, while other variables arrive; it is not divided further
 */
export interface UnavailableVariables {
  /** A response with these variables was stored. */
  onArrived(variables: readonly Variable[]): void;
  /** @returns how often the only variable of the request was given up, including this time; 0 if it is not suspected */
  onGivenUp(request: PlannedRequest): number;
  /**
   * Other requests for the same variables were not answered, so they are unavailable.
   *
   * @returns false if the cause may lie elsewhere: some variable is not suspected, or none has arrived
   */
  confirm(request: PlannedRequest): boolean;
  /** Whether all variables of the request are unavailable. */
  includesAllOf(request: PlannedRequest): boolean;
  /** The request without suspected variables, and those alone; null if it does not contain both kinds. */
  separateSuspects(request: PlannedRequest): Halves | null;
}

export function createUnavailableVariables(): UnavailableVariables {
  const timesGivenUp = new Map<Variable, number>();
  const arrived = new Set<Variable>();
  const unavailable = new Set<Variable>();
  return {
    onArrived(variables) {
      for (const variable of variables) {
        arrived.add(variable);
        timesGivenUp.delete(variable);
        unavailable.delete(variable);
      }
    },
    onGivenUp(request) {
      const [variable, ...others] = ownVariables(request);
      if (variable === undefined || others.length > 0 || arrived.has(variable)) return 0;
      const times = (timesGivenUp.get(variable) ?? 0) + 1;
      timesGivenUp.set(variable, times);
      return times;
    },
    confirm(request) {
      if (arrived.size === 0 || !isSubset(request, timesGivenUp)) return false;
      for (const variable of ownVariables(request)) unavailable.add(variable);
      return true;
    },
    includesAllOf: (request) => isSubset(request, unavailable),
    separateSuspects: (request) => splitOff(request, timesGivenUp),
  };
}

function isSubset(request: PlannedRequest, variables: Pick<ReadonlySet<Variable>, "has" | "size">): boolean {
  return variables.size > 0 && ownVariables(request).every((variable) => variables.has(variable));
}
