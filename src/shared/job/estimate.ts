/** The cost of a query, shown before anything is sent. Points are data points by section 8 of the specification. */
export interface Estimate {
  readonly pointsAsked: number;
  readonly pointsCached: number;
  /** Points of which at least one variable is missing. */
  readonly pointsToFetch: number;
  readonly requests: number;
  /** Expected bytes of the answers' bodies, before compression; gaps make it less. */
  readonly bodyBytes: number;
  readonly seconds: number | null;
  /** Stations that the service refused to the last job that asked for them: not counted, unless they are requested again. */
  readonly forbiddenStationIds: readonly string[];
}
