import type { StationSize } from "#shared/series/cacheStatistics.ts";
import { SATELLITE_VARIABLES, SCALAR_VARIABLES, shortName, type Variable } from "#shared/service/variables.ts";
import type { Sort } from "../../ui/sort.ts";

/** Columns of the table of sizes, with the variables whose bytes they add up. */
export const SIZE_COLUMNS = [
  { id: "name", title: "Station", variables: null },
  ...SCALAR_VARIABLES.map((v) => ({ id: v, title: shortName(v), variables: [v] }) as const),
  { id: "satellites", title: "Satellites", variables: SATELLITE_VARIABLES },
  { id: "total", title: "Total", variables: null },
  { id: "used", title: "Last used", variables: null },
  { id: "pinned", title: "Pinned", variables: null },
] as const;

export type SizeColumn = (typeof SIZE_COLUMNS)[number]["id"];

export type SizeOrder = Sort<SizeColumn>;

export interface SizeRow {
  readonly size: StationSize;
  readonly name: string;
}

export function bytesOf({ bytes }: StationSize, variables: readonly Variable[]): number {
  return variables.reduce((sum, v) => sum + (bytes[v] ?? 0), 0);
}

/** Returns the sort value of a column other than the name. */
function valueOf(size: StationSize, column: SizeColumn): number {
  if (column === "total") return size.totalBytes;
  if (column === "used") return size.usedAtMs ?? 0;
  if (column === "pinned") return size.isPinned ? 1 : 0;
  const found = SIZE_COLUMNS.find((c) => c.id === column);
  return bytesOf(size, found?.variables ?? []);
}

const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Sorts the rows; ties are sorted by name. */
export function sortSizes(rows: readonly SizeRow[], { column, isDescending }: SizeOrder): readonly SizeRow[] {
  const sign = isDescending ? -1 : 1;
  const byName = (a: SizeRow, b: SizeRow): number => NAMES.compare(a.name, b.name);
  if (column === "name") return rows.toSorted((a, b) => sign * byName(a, b));
  return rows.toSorted((a, b) => sign * (valueOf(a.size, column) - valueOf(b.size, column)) || byName(a, b));
}
