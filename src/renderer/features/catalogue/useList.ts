import { useMemo } from "react";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { groupsFirst } from "#shared/station/group.ts";
import { searcher, searchTexts } from "#shared/station/search.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useGroupPlaces } from "../../stores/groups.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { type Sort, sortedIndices } from "../../ui/grid/columns.ts";
import { type ColumnContext, columnsWith } from "./columns.ts";
import { useShares } from "./CoverageStrip.tsx";
import { stationFilter } from "./filters.ts";
import { ON_MAP, useOnMap } from "./onMap.ts";
import type { CatalogueView } from "./view.ts";

/**
 * Returns the indices of the stations sorted by a column, stations without a value last and equal ones by name.
 *
 * @param valueOf the value on the map, NaN for none
 */
export function orderOf(
  stations: readonly CatalogueStation[],
  sort: Sort,
  context: ColumnContext,
  valueOf: (stationId: string) => number = () => Number.NaN,
): readonly number[] {
  const onMap = { id: ON_MAP, key: ({ id }: CatalogueStation) => valueOf(id) };
  return sortedIndices(stations, [...columnsWith(context), onMap], sort, ["name"]);
}

const NO_IDS: readonly string[] = [];
const NO_RANGE = { startMs: 0, endMs: 0 };
const NO_SHARES: ReadonlyMap<string, number> = new Map();

export type StationList = ReturnType<typeof useList>;

/** Returns the listed stations. Search texts and the sort order are memoized, so that typing only searches. */
export function useList(query: string, { filters, sort, chosenFirst }: CatalogueView) {
  const { networks } = useCatalogue((s) => s.catalogue);
  const stations = useCatalogue((s) => s.known);
  const range = useWorkspace((s) => (filters.hasDataInRange ? s.range : NO_RANGE));
  const places = useGroupPlaces();
  const nowMs = useNowMs();
  const shares = useShares(sort.column === "cached" || filters.cached !== "any");
  // Does not depend on the selection unless it affects the list.
  const selectedIds = useWorkspace((s) => (filters.isChosen || chosenFirst ? s.stationIds : NO_IDS));
  const valueOf = useOnMap(({ map }) => (sort.column === ON_MAP ? map?.valueOf : undefined));
  const listedIds = useOnMap(({ map, only }) => (only === null ? undefined : map?.parts[only]));

  const networkNames = useMemo(() => new Map(networks.map((n) => [n.id, n.name])), [networks]);
  // Shares sort and filter, and are not a text of the list.
  const context = useMemo(() => ({ nowMs, networkNames, shares: NO_SHARES }), [nowMs, networkNames]);
  const texts = useMemo(() => searchTexts(stations, networks), [stations, networks]);
  const sharesSorted = sort.column === "cached" ? shares : NO_SHARES;
  const { column, isDescending } = sort;
  const order = useMemo(
    () => orderOf(stations, { column, isDescending }, { nowMs: 0, networkNames, shares: sharesSorted }, valueOf),
    [stations, column, isDescending, networkNames, sharesSorted, valueOf],
  );
  const sharesFiltered = filters.cached === "any" ? NO_SHARES : shares;
  const shown = useMemo(() => {
    const matches = searcher(query);
    const passes = stationFilter(filters, range, sharesFiltered, selectedIds);
    const found: CatalogueStation[] = [];
    for (const index of order) {
      const station = stations[index];
      if (!station || listedIds?.has(station.id) === false) continue;
      if (matches(texts[index] ?? "") && passes(station)) found.push(station);
    }
    const grouped = groupsFirst(found, (s) => s.id, places);
    if (!chosenFirst) return grouped;
    const selected = new Set(selectedIds);
    return [...grouped.filter((s) => selected.has(s.id)), ...grouped.filter((s) => !selected.has(s.id))];
  }, [stations, order, texts, query, filters, range, sharesFiltered, selectedIds, chosenFirst, places, listedIds]);
  return useMemo(
    () => ({
      /** Stations that match search and filters, in the order of the list. */
      stations: shown,
      ids: shown.map((s) => s.id),
      context,
    }),
    [shown, context],
  );
}
