import type { JobSpec } from "#shared/job/job.ts";
import { stationLabels } from "#shared/service/catalogue.ts";
import { shortName, VALUE_VARIABLES } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { readAvailability } from "../reading/availability.ts";
import { createPace } from "../reading/pace.ts";

/** Share of the expected values from which a station counts as complete: single epochs are missing everywhere. */
const COMPLETE = 0.99;
const MAX_NAMES = 10;

/** Share of the expected values of a station that is cached. */
interface StationShare {
  readonly name: string;
  readonly share: number;
}

/**
 * Lists incomplete stations, the worst first: "Less than 99 % of ZTD: Blitzstein 0.0 %, Kallio 50.9 %."; null if all are
 * complete.
 */
export function incompleteText(quantity: string, shares: readonly StationShare[]): string | null {
  const incomplete = shares.filter(({ share }) => share < COMPLETE).toSorted((a, b) => a.share - b.share);
  if (incomplete.length === 0) return null;
  const named = incomplete.slice(0, MAX_NAMES).map(({ name, share }) => `${name} ${percent(share)} %`);
  const more = incomplete.length > MAX_NAMES ? ` and ${incomplete.length - MAX_NAMES} more stations` : "";
  return `Less than 99 % of ${quantity}: ${named.join(", ")}${more}.`;
}

/** Rounds down, so that a share just below the limit is not shown as the limit. */
function percent(share: number): string {
  return (Math.floor(share * 1_000) / 10).toFixed(1);
}

/**
 * Returns a sentence on the stations whose data of a run are incomplete in the cache, whatever the cause; null if all are
 * complete. It counts the first quantity of the download.
 */
export async function describeIncomplete(
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
  return incompleteText(shortName(variable), shares);
}
