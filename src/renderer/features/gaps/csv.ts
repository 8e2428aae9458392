import { csvTable } from "#shared/file/csv.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { type GapLine, lengthMs } from "./list.ts";

const HEAD = ["station_id", "display_name", "variable", "cause", "start", "end", "duration_s"];

/** Returns the sorted list as CSV, with the columns of `zenith gaps --csv`. */
export function gapsCsv(lines: readonly GapLine[]): string {
  const rows = lines.map((line) => {
    const [start, end] = [formatUtcShort(line.range.startMs), formatUtcShort(line.range.endMs)];
    return [line.stationId, line.name, line.variable, line.cause, start, end, lengthMs(line) / 1_000];
  });
  return csvTable(HEAD, rows);
}
