import { z } from "zod";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";

export const CACHED_CHOICES = ["any", "some", "complete", "partly", "none"] as const;

/** Which stations the list shows; an empty list of values lets all of them through. */
export const filtersSchema = z.object({
  countries: z.array(z.string()).catch([]).default([]),
  networkIds: z.array(z.string()).catch([]).default([]),
  sourceTypes: z.array(z.string()).catch([]).default([]),
  hasDataInRange: z.boolean().catch(false).default(false),
  cached: z.enum(CACHED_CHOICES).catch("any").default("any"),
  isChosen: z.boolean().catch(false).default(false),
});
export type Filters = z.output<typeof filtersSchema>;
export const NO_FILTERS: Filters = filtersSchema.parse({});

/** How many of the filters leave something out. */
export function filterCount(filters: Filters): number {
  const { countries, networkIds, sourceTypes, hasDataInRange, cached, isChosen } = filters;
  const lists = [countries, networkIds, sourceTypes].filter((values) => values.length > 0);
  return lists.length + [hasDataInRange, cached !== "any", isChosen].filter(Boolean).length;
}

/** Whether the station has measurements in the range, as far as the catalogue tells. */
export function hasDataIn({ historicDataFromMs, dataLastUpdatedMs }: CatalogueStation, range: TimeRange): boolean {
  if (dataLastUpdatedMs === null) return false;
  return (historicDataFromMs ?? -Infinity) < range.endMs && dataLastUpdatedMs >= range.startMs;
}

/**
 * @param shares share of the range that is cached, by station; 0 where a station is not in it
 * @param chosenIds stations that are chosen
 */
export function stationFilter(
  filters: Filters,
  range: TimeRange,
  shares: ReadonlyMap<string, number>,
  chosenIds: readonly string[] = [],
): (station: CatalogueStation) => boolean {
  const inCountry = within(filters.countries);
  const inNetwork = within(filters.networkIds);
  const ofSource = within(filters.sourceTypes);
  const chosen = new Set(chosenIds);
  return (station) =>
    inCountry(station.countryCode) &&
    inNetwork(station.networkId) &&
    ofSource(station.sourceType) &&
    (!filters.isChosen || chosen.has(station.id)) &&
    (!filters.hasDataInRange || hasDataIn(station, range)) &&
    isCached(filters.cached, shares.get(station.id) ?? 0);
}

function within(values: readonly string[]): (value: string) => boolean {
  const set = new Set(values);
  return (value) => set.size === 0 || set.has(value);
}

function isCached(asked: Filters["cached"], share: number): boolean {
  switch (asked) {
    case "any":
      return true;
    case "some":
      return share > 0;
    case "complete":
      return share >= 1;
    case "partly":
      return share > 0 && share < 1;
    case "none":
      return share === 0;
  }
}
