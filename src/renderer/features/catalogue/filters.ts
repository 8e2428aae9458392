import { z } from "zod";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { choicesFrom } from "../../ui/choices.tsx";

export const CACHED_CHOICES = choicesFrom({
  any: "Cached or not",
  some: "Any part cached",
  complete: "Completely cached",
  partly: "Partly cached",
  none: "Nothing cached",
});

/** Filters of the station list; an empty list of values does not filter. */
export const filtersSchema = z.object({
  countries: z.array(z.string()).catch([]),
  networkIds: z.array(z.string()).catch([]),
  sourceTypes: z.array(z.string()).catch([]),
  hasDataInRange: z.boolean().catch(false),
  cached: z.enum(CACHED_CHOICES.map(({ value }) => value)).catch("any"),
  isChosen: z.boolean().catch(false),
});
export type Filters = z.output<typeof filtersSchema>;
export const NO_FILTERS: Filters = filtersSchema.parse({});

export function filterCount(filters: Filters): number {
  const { countries, networkIds, sourceTypes, hasDataInRange, cached, isChosen } = filters;
  const lists = [countries, networkIds, sourceTypes].filter((values) => values.length > 0);
  return lists.length + [hasDataInRange, cached !== "any", isChosen].filter(Boolean).length;
}

/** Whether the station has data in the range according to the catalogue. */
function hasDataIn({ historicDataFromMs, dataLastUpdatedMs }: CatalogueStation, range: TimeRange): boolean {
  if (dataLastUpdatedMs === null) return false;
  return (historicDataFromMs ?? -Infinity) < range.endMs && dataLastUpdatedMs >= range.startMs;
}

/**
 * Returns a predicate for the active filters.
 *
 * @param shares cached share of the range by station; 0 if absent
 */
export function stationFilter(
  filters: Filters,
  range: TimeRange,
  shares: ReadonlyMap<string, number>,
  selectedIds: readonly string[] = [],
): (station: CatalogueStation) => boolean {
  const inCountry = oneOf(filters.countries);
  const inNetwork = oneOf(filters.networkIds);
  const ofSource = oneOf(filters.sourceTypes);
  const selected = new Set(selectedIds);
  return (station) =>
    inCountry(station.countryCode) &&
    inNetwork(station.networkId) &&
    ofSource(station.sourceType) &&
    (!filters.isChosen || selected.has(station.id)) &&
    (!filters.hasDataInRange || hasDataIn(station, range)) &&
    isCached(filters.cached, shares.get(station.id) ?? 0);
}

function oneOf(values: readonly string[]): (value: string) => boolean {
  const set = new Set(values);
  return (value) => set.size === 0 || set.has(value);
}

function isCached(wanted: Filters["cached"], share: number): boolean {
  const is = { any: true, some: share > 0, complete: share >= 1, partly: share > 0 && share < 1, none: share === 0 };
  return is[wanted];
}
