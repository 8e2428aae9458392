import { useMemo } from "react";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useGroupPlaces } from "../../stores/groups.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import type { ColumnContext } from "./columns.ts";
import { useShares } from "./coverage.ts";
import { stationFilter } from "./filters.ts";
import { orderOf } from "./order.ts";
import { groupsFirst } from "#shared/station/group.ts";
import { searcher, searchTexts } from "#shared/station/search.ts";
import type { CatalogueView } from "./view.ts";

export interface StationList {
  /** Those that pass search and filters, in the order of the list. */
  readonly stations: readonly CatalogueStation[];
  readonly ids: readonly string[];
  readonly context: ColumnContext;
}

const NOBODY: readonly string[] = [];
const NO_SHARES: ReadonlyMap<string, number> = new Map();

/** The stations that the list shows. A key in the search only searches: texts and order are made beforehand. */
export function useList(query: string, { filters, sort, chosenFirst }: CatalogueView): StationList {
  const { networks } = useCatalogue((s) => s.catalogue);
  const stations = useCatalogue((s) => s.known);
  const range = useWorkspace((s) => s.range);
  const places = useGroupPlaces();
  const nowMs = useNowMs();
  const shares = useShares();
  // Where it makes no difference to the list, a choice is no reason to make it anew.
  const chosenIds = useWorkspace((s) => (filters.isChosen || chosenFirst ? s.stationIds : NOBODY));

  const networkNames = useMemo(() => new Map(networks.map((n) => [n.id, n.name])), [networks]);
  const context = useMemo(() => ({ nowMs, networkNames, shares }), [nowMs, networkNames, shares]);
  const texts = useMemo(() => searchTexts(stations, networks), [stations, networks]);
  const sharesSorted = sort.column === "cached" ? shares : NO_SHARES;
  const { column, isDescending } = sort;
  const order = useMemo(
    () => orderOf(stations, { column, isDescending }, { nowMs: 0, networkNames, shares: sharesSorted }),
    [stations, column, isDescending, networkNames, sharesSorted],
  );
  const sharesFiltered = filters.cached === "any" ? NO_SHARES : shares;
  const shown = useMemo(() => {
    const matches = searcher(query);
    const passes = stationFilter(filters, range, sharesFiltered, chosenIds);
    const found: CatalogueStation[] = [];
    for (const place of order) {
      const station = stations[place];
      if (station && matches(texts[place] ?? "") && passes(station)) found.push(station);
    }
    const grouped = groupsFirst(found, (s) => s.id, places);
    if (!chosenFirst) return grouped;
    const chosen = new Set(chosenIds);
    return [...grouped.filter((s) => chosen.has(s.id)), ...grouped.filter((s) => !chosen.has(s.id))];
  }, [stations, order, texts, query, filters, range, sharesFiltered, chosenIds, chosenFirst, places]);
  const ids = useMemo(() => shown.map((s) => s.id), [shown]);
  return { stations: shown, ids, context };
}
