import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { COLUMNS, type ColumnContext } from "./columns.ts";
import { fold } from "#shared/station/search.ts";

export interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

/**
 * Places of the stations in the order of a column: ascending or descending, stations without a value last, and equal
 * ones by name.
 */
export function orderOf(
  stations: readonly CatalogueStation[],
  { column, isDescending }: Sort,
  context: ColumnContext,
): readonly number[] {
  const { key } = COLUMNS.find((c) => c.id === column) ?? COLUMNS[0]!;
  const names = stations.map((s) => natural(s.displayName || s.id));
  const keys = stations.map((s) => {
    const value = key(s, context);
    return typeof value === "string" ? natural(value) : value;
  });
  const sign = isDescending ? -1 : 1;
  return stations
    .map((_, place) => place)
    .toSorted((a, b) => {
      const [x = null, y = null] = [keys[a], keys[b]];
      if (x === null || y === null) return Number(x === null) - Number(y === null) || compare(names[a]!, names[b]!);
      return sign * compare(x, y) || compare(names[a]!, names[b]!) || a - b;
    });
}

/** Numbers in a name count as numbers: "Mast 9" comes before "Mast 10". Signs before the first letter do not count. */
function natural(text: string): string {
  const plain = fold(text);
  const named = plain.replace(/^[^\p{L}\p{N}]+/u, "");
  return (named === "" ? plain : named).replaceAll(/\d+/g, (digits) => digits.padStart(12, "0"));
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
