import type { JobSpec } from "#shared/job/job.ts";
import { stationLabels } from "#shared/service/catalogue.ts";
import { shortName, VALUE_VARIABLES } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { readAvailability } from "../reading/availability.ts";
import { createPace } from "../reading/pace.ts";

/** Below it, a station is named: single epochs are missing everywhere. */
const COMPLETE = 0.99;
const MOST_NAMES = 10;

/** Share of the expected values of a station that is cached. */
export interface StationShare {
  readonly name: string;
  readonly share: number;
}

/** "Less than 99 % of ZTD: Blitzstein 0.0 %, Kallio 50.9 %.", the worst first; null where all stations are complete. */
export function lackingWords(quantity: string, shares: readonly StationShare[]): string | null {
  const lacking = shares.filter(({ share }) => share < COMPLETE).toSorted((a, b) => a.share - b.share);
  if (lacking.length === 0) return null;
  const named = lacking.slice(0, MOST_NAMES).map(({ name, share }) => `${name} ${percent(share)} %`);
  const more = lacking.length > MOST_NAMES ? ` and ${lacking.length - MOST_NAMES} more stations` : "";
  return `Less than 99 % of ${quantity}: ${named.join(", ")}${more}.`;
}

/** Rounds down, so that a share just below the limit is not shown as the limit. */
function percent(share: number): string {
  return (Math.floor(share * 1_000) / 10).toFixed(1);
}

/** What a run leaves missing in the cache, whatever the cause, in a sentence; null where nothing is missing. */
export async function lackingIn(
  { cache, session }: OpenConnection,
  { stationIds, variables, range, intervalSeconds, raw }: JobSpec,
  signal: AbortSignal,
): Promise<string | null> {
  const variable = VALUE_VARIABLES.find((one) => variables.includes(one));
  if (variable === undefined) return null;
  const query = { stationIds, variable, range, mode: { intervalSeconds, raw }, binMs: DAY_MS };
  const found = await readAvailability(
    cache,
    { ...query, nowMs: session.serverNowMs() },
    { failed: () => [], isForbidden: () => false, reason: () => null },
    createPace(signal),
  );
  const names = stationLabels(cache.catalogue());
  const sum = (counts: Uint32Array, i: number): number =>
    counts.subarray(i * found.bins, (i + 1) * found.bins).reduce((all, n) => all + n, 0);
  const shares = stationIds.map((id, i) => {
    const expected = sum(found.expected, i);
    return { name: names.get(id) ?? id, share: expected === 0 ? 1 : sum(found.received, i) / expected };
  });
  return lackingWords(shortName(variable), shares);
}
