import { type CsvCell, csvTable } from "#shared/file/csv.ts";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { roundedShare } from "#shared/series/completeness.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { completenessOf, sumCounts, type StationLine } from "./table.ts";
import { dayText } from "./format.ts";

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

/** Writes a row for each station and day in the order of the table. `complete_percent` is empty if nothing was requested. */
export function availabilityCsv(
  availability: SeriesAvailability,
  lines: readonly StationLine[],
  variable: string,
  lastUpdatedMs: (stationId: string) => number | null,
): string {
  const rows: CsvCell[][] = [];
  for (const { stationId, name, index } of lines) {
    const updatedMs = lastUpdatedMs(stationId);
    for (let bin = 0; bin < availability.bins; bin++) {
      const c = sumCounts(availability, index, bin, bin + 1);
      const share = completenessOf(c);
      rows.push([
        stationId,
        name,
        variable,
        dayText(availability.firstMs + bin * availability.binMs),
        c.expected,
        c.received,
        c.filtered,
        c.missing,
        c.failed,
        c.notAsked,
        share === null ? "" : (roundedShare(share, 3) * 100).toFixed(3),
        availability.notFinal[index * availability.bins + bin] ?? null,
        updatedMs === null ? "" : formatUtcShort(updatedMs),
      ]);
    }
  }
  return csvTable(HEAD, rows);
}
