import { type CsvCell, csvOf } from "#shared/file/csv.ts";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { countsOf, type StationLine } from "./table.ts";
import { dayText } from "./words.ts";

const HEAD = [
  "station_id",
  "display_name",
  "variable",
  "day",
  "expected",
  "received",
  "filtered",
  "missing",
  "failed",
  "not_asked",
  "complete_percent",
  "not_final",
  "data_last_updated",
];

/** A row for each station and day, in the order of the table; complete is received of asked, empty where nothing was. */
export function availabilityCsv(
  found: SeriesAvailability,
  lines: readonly StationLine[],
  variable: string,
  lastUpdatedMs: (stationId: string) => number | null,
): string {
  const rows: CsvCell[][] = [];
  for (const { stationId, name, place } of lines) {
    const updatedMs = lastUpdatedMs(stationId);
    for (let bin = 0; bin < found.bins; bin++) {
      const c = countsOf(found, place, bin, bin + 1);
      const asked = c.expected - c.notAsked - c.failed;
      rows.push([
        stationId,
        name,
        variable,
        dayText(found.firstMs + bin * found.binMs),
        c.expected,
        c.received,
        c.filtered,
        c.missing,
        c.failed,
        c.notAsked,
        asked > 0 ? (Math.min(1, c.received / asked) * 100).toFixed(3) : "",
        found.notFinal[place * found.bins + bin] ?? null,
        updatedMs === null ? "" : formatUtcShort(updatedMs),
      ]);
    }
  }
  return csvOf(HEAD, rows);
}
