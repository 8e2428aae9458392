import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { COLUMNS, type ColumnContext } from "./columns.ts";
import { fold } from "#shared/station/search.ts";
import type { Sort } from "../../ui/sort.ts";

/**
 * Returns the indices of the stations sorted by a column, stations without a value last and equal ones by name.
 */
export function orderOf(
  stations: readonly CatalogueStation[],
  { column, isDescending }: Sort<string>,
  context: ColumnContext,
): readonly number[] {
  const keyOf = COLUMNS.find((c) => c.id === column)?.key ?? ((s: CatalogueStation) => s.displayName);
  const sign = isDescending ? -1 : 1;
  return stations
    .map((station, index) => {
      const value = keyOf(station, context);
      const key = typeof value === "string" ? naturalKey(value) : value;
      return { index, key, name: naturalKey(station.displayName || station.id) };
    })
    .toSorted((a, b) => {
      const isMissing = Number(a.key === null) - Number(b.key === null);
      const byKey = a.key === null || b.key === null ? isMissing : sign * compare(a.key, b.key);
      return byKey || compare(a.name, b.name) || a.index - b.index;
    })
    .map(({ index }) => index);
}

/** Returns a sort key in which numbers count as numbers ("Mast 9" before "Mast 10") and leading symbols are ignored. */
function naturalKey(text: string): string {
  const plain = fold(text);
  const named = plain.replace(/^[^\p{L}\p{N}]+/u, "");
  return (named === "" ? plain : named).replaceAll(/\d+/g, (digits) => digits.padStart(12, "0"));
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
