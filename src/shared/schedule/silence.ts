import { percent } from "../series/statistics.ts";
import { firstNames } from "../text.ts";
import { stationLabels } from "../service/catalogue.ts";
import { formatUtcShort, HOUR_MS, MINUTE_MS, type UtcMs } from "../time/utc.ts";

/** A station whose newest measurement is too old. */
export interface SilentStation {
  readonly stationId: string;
  readonly displayName: string;
  /** Its newest measurement in the catalogue; null if it never sent one, or that is unknown. */
  readonly lastMs: UtcMs | null;
}

/** The stations that have been silent for longer than a time, longest first, by the catalogue. */
export function silentStations(
  catalogue: Parameters<typeof stationLabels>[0],
  stationIds: readonly string[],
  limitMs: number,
  nowMs: UtcMs,
): SilentStation[] {
  const names = stationLabels(catalogue);
  // Of a station that left the list, the last known measurement.
  const byId = new Map([...catalogue.withdrawn, ...catalogue.stations].map((station) => [station.id, station]));
  return stationIds
    .map((stationId) => ({
      stationId,
      displayName: names.get(stationId) ?? stationId,
      lastMs: byId.get(stationId)?.dataLastUpdatedMs ?? null,
    }))
    .filter(({ lastMs }) => lastMs === null || nowMs - lastMs > limitMs)
    .toSorted((a, b) => (a.lastMs ?? 0) - (b.lastMs ?? 0));
}

const MAX_NAMES = 10;

/** `Silent for longer than 2 h: Kallio (since 2026-11-05 04:10 UTC), Torsvika (no measurement known).` */
export function silentSentence(silent: readonly SilentStation[], limitMs: number): string | null {
  if (silent.length === 0) return null;
  const named = silent.map(({ displayName, lastMs }) =>
    lastMs === null ? `${displayName} (no measurement known)` : `${displayName} (since ${minute(lastMs)} UTC)`,
  );
  return `Silent for longer than ${words(limitMs)}: ${firstNames(named, MAX_NAMES)}.`;
}

/** `2 h`, `90 min` */
function words(ms: number): string {
  return ms % HOUR_MS === 0 ? `${ms / HOUR_MS} h` : `${Math.round(ms / MINUTE_MS)} min`;
}

function minute(moment: UtcMs): string {
  return formatUtcShort(moment).slice(0, 16).replace("T", " ");
}

/** `Less than 90 % of PWV: Kallio 50.9 %.`; null if all have more. */
export function lowSentence(
  quantity: string,
  shares: readonly { readonly name: string; readonly share: number | null }[],
  limit: number,
): string | null {
  const low = shares
    .filter(({ share }) => share !== null && share < limit)
    .toSorted((a, b) => (a.share ?? 0) - (b.share ?? 0));
  if (low.length === 0) return null;
  // With as many decimals as the limit, so that no station is listed with the limit itself.
  const decimals = Math.max(1, (String(Math.round(limit * 1e8) / 1e6).split(".")[1] ?? "").length);
  const mostShown = limit - 10 ** -(decimals + 2);
  const named = low.map(({ name, share }) => `${name} ${percent(Math.min(share ?? 0, mostShown), decimals)}`);
  return `Less than ${percent(limit, decimals)} of ${quantity}: ${firstNames(named, MAX_NAMES)}.`;
}
