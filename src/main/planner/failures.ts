import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";

/**
 * What the end of a request reveals about the path to the service:
 *
 * - answered: the service responded; a refusal is a response, too
 * - lost: nothing usable arrived. A single loss is not an outage
 * - obstructed: something between this computer and the service responded in its place
 * - unknown: the request was cancelled, or never sent
 */
type Reach = "answered" | "lost" | "obstructed" | "unknown";

/** What a failure means, for every request of every kind. */
interface FailureMeaning {
  readonly reach: Reach;
  /** Whether fewer requests at once are sent: because of their number (429), or because the service has other trouble. */
  readonly overload?: "number" | "trouble";
  /**
   * What a job does about the request:
   *
   * - narrow: requests the same again with backoff, then in halves
   * - isolate: separates the stations; a single one is requested once more, at several times, and then refused for a day
   * - wait: waits for the end of the pause that the service asked for
   * - stop: nothing more is available now
   * - none: the job has ended
   */
  readonly reaction: "narrow" | "isolate" | "wait" | "stop" | "none";
  /** How often a request is sent before it is halved, and the smallest before it is given up; once each if omitted. */
  readonly attempts?: Attempts;
}

interface Attempts {
  readonly large: number;
  readonly smallest: number;
}
const ONCE: Attempts = { large: 1, smallest: 1 };
/** A bad line may lose every second request. */
const LOST: Attempts = { large: 2, smallest: 5 };

const MEANINGS: Readonly<Record<ServiceErrorKind, FailureMeaning>> = {
  invalid: { reach: "answered", reaction: "isolate" },
  notFound: { reach: "answered", reaction: "isolate" },
  forbidden: { reach: "answered", reaction: "isolate" },
  unauthorized: { reach: "answered", reaction: "stop" },
  tooLarge: { reach: "answered", reaction: "narrow" },
  deadline: { reach: "answered", reaction: "narrow", attempts: { large: 1, smallest: 3 } },
  unusable: { reach: "answered", reaction: "narrow", attempts: { large: 1, smallest: 2 } },
  busy: { reach: "answered", overload: "number", reaction: "wait" },
  unavailable: { reach: "lost", overload: "trouble", reaction: "narrow", attempts: LOST },
  network: { reach: "lost", reaction: "narrow", attempts: LOST },
  truncated: { reach: "lost", reaction: "narrow", attempts: LOST },
  notTheService: { reach: "obstructed", reaction: "narrow", attempts: { large: 2, smallest: 2 } },
  tls: { reach: "obstructed", reaction: "stop" },
  proxy: { reach: "obstructed", reaction: "stop" },
  redirected: { reach: "obstructed", reaction: "stop" },
  cancelled: { reach: "unknown", reaction: "none" },
};

export function meaningOf({ kind }: Pick<ServiceError, "kind">): FailureMeaning {
  return MEANINGS[kind];
}

export function attemptsAt({ kind }: Pick<ServiceError, "kind">): Attempts {
  return MEANINGS[kind].attempts ?? ONCE;
}

/** @param error null: the request succeeded */
export function reachOf(error: ServiceError | null): Reach {
  if (error === null) return "answered";
  const { reach } = meaningOf(error);
  // Without a status, the request could not be built, or was not sent because there is no key.
  return reach === "answered" && error.status === null && error.kind !== "unusable" ? "unknown" : reach;
}

/** Whether the same request may succeed soon. */
export function isTemporary(error: ServiceError): boolean {
  return meaningOf(error).reach === "lost" || error.kind === "busy";
}
