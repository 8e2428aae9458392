import { floorToInterval } from "#shared/time/interval.ts";
import type { UtcMs } from "#shared/time/utc.ts";

export interface FinalityFacts {
  /** Time of the station's latest measurement as the catalogue told it before the request; null where there is none. */
  readonly dataLastUpdatedMs: UtcMs | null;
  /** The server's clock when it answered; null where it did not tell. */
  readonly serverTimeMs: UtcMs | null;
  /** How long after its epoch an observation may still arrive or be revised. Milliseconds. */
  readonly settlingMs: number;
  readonly intervalSeconds: number | null;
}

/**
 * Until when an answer is settled: everything before is final, everything after is provisional and asked again when it
 * has aged. The margin counts from the last measurement too: a station that is hours behind may still fill in what
 * lies just before it. Never inside an interval, so that an interval that is not over is never final. -Infinity: nothing is.
 */
export function finalUntil(facts: FinalityFacts): UtcMs {
  if (facts.dataLastUpdatedMs === null || facts.serverTimeMs === null) return -Infinity;
  const settled = Math.min(facts.dataLastUpdatedMs, facts.serverTimeMs) - facts.settlingMs;
  return facts.intervalSeconds === null ? settled : floorToInterval(settled, facts.intervalSeconds);
}
