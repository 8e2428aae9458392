import { formatUtcShort } from "#shared/time/utc.ts";
import { field } from "../availability/csv.ts";
import { type GapLine, lengthMs } from "./list.ts";

/** The list as it is sorted, in the columns of `zenith gaps --csv`. */
export function gapsCsv(lines: readonly GapLine[]): string {
  const rows = lines.map((line) =>
    [
      field(line.stationId),
      field(line.name),
      line.variable,
      line.cause,
      formatUtcShort(line.range.startMs),
      formatUtcShort(line.range.endMs),
      lengthMs(line) / 1_000,
    ].join(","),
  );
  return `${["station_id,display_name,variable,cause,start,end,duration_s", ...rows].join("\r\n")}\r\n`;
}
