import { floorToInterval } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";

interface FinalityFacts {
  /** Time of the station's latest measurement in the catalogue before the request, or null. */
  readonly dataLastUpdatedMs: UtcMs | null;
  /** The server's clock when it answered; null if it sent none. */
  readonly serverTimeMs: UtcMs | null;
  /** How long after its epoch an observation may still arrive or be revised. Milliseconds. */
  readonly settlingMs: number;
  readonly intervalSeconds: number | null;
}

/**
 * Returns until when a response is final: everything before is settled; everything after is provisional and requested
 * again once it has aged. The margin also counts from the last measurement: a station that is hours behind may still fill
 * gaps just before it. Never inside an interval, so an unfinished interval is never final. -Infinity if nothing is final.
 */
export function finalUntil(facts: FinalityFacts): UtcMs {
  if (facts.dataLastUpdatedMs === null || facts.serverTimeMs === null) return -Infinity;
  const settled = Math.min(facts.dataLastUpdatedMs, facts.serverTimeMs) - facts.settlingMs;
  return facts.intervalSeconds === null ? settled : floorToInterval(settled, facts.intervalSeconds);
}
