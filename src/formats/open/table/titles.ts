import { stationNamed } from "../meaning/stations.ts";
import { isTimeName } from "../time/names.ts";
import { withoutEmptyEnd } from "./records.ts";

// Lines above a heading that are no part of it.

/** The number of titles above a heading. */
export function titlesOf(records: readonly (readonly string[])[]): number {
  return Math.max(
    0,
    records.findIndex((_, at) => !isTitle(records, at)),
  );
}

/** Whether a record is a name and a value, as `Station,KALL`. */
export function isStationCell(record: readonly string[]): boolean {
  const [name = "", ...values] = withoutEmptyEnd([...record], 0);
  return values.length === 1 && stationNamed(name) !== null;
}

/**
 * Whether a record of a heading has a single cell, or a name and a value, as `Station,KALL` has above more columns or, with others
 * of the kind, above the names of the columns.
 */
function isTitle(records: readonly (readonly string[])[], at: number): boolean {
  const cells = records.map((record) => withoutEmptyEnd([...record], 0));
  if (cells[at]?.length !== 2) return cells[at]?.length === 1;
  const heading = cells.findIndex((fields) => fields.length > 1 && fields.some(isTimeName));
  const isAbove = at < heading && cells.slice(0, heading).some(isStationCell);
  return isAbove || (isStationCell(cells[at] ?? []) && (cells[at + 1]?.length ?? 0) > 2);
}
