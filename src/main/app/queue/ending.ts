import type { JobViewState } from "#shared/bridge/jobs.ts";
import type { ServiceErrorKind } from "#shared/service/error.ts";
import type { JobOutcome } from "../../sync/job.ts";

/** A part that was given up for one of these comes when the service can be reached again. */
const COMES_BACK: ReadonlySet<ServiceErrorKind> = new Set(["network", "unavailable"]);
/** A whole job that ended for one of these; an answer that is cut again and again is a bad network, too. */
const UNREACHED: ReadonlySet<ServiceErrorKind> = new Set(["network", "unavailable", "truncated"]);

export interface Ending {
  readonly state: Extract<JobViewState, "finished" | "cancelled" | "needsKey" | "broken" | "waitingForNetwork">;
  readonly reason: string | null;
}

/**
 * What the end of a run means for its job: one that only lacks what the network kept from it is not over. Stations
 * that the service refuses are no hindrance: waiting changes nothing about them.
 */
export function endingOf(outcome: Pick<JobOutcome, "state" | "reason" | "errorKind" | "failures">): Ending {
  const { state, reason, errorKind } = outcome;
  if (state === "broken" && errorKind !== null && UNREACHED.has(errorKind))
    return { state: "waitingForNetwork", reason };
  const failures = outcome.failures.filter((f) => f.kind !== "forbidden");
  const [first] = failures;
  if (state === "finished" && first && failures.every((f) => COMES_BACK.has(f.kind)))
    return { state: "waitingForNetwork", reason: first.reason };
  return { state, reason };
}
