import { portableFileName } from "#formats/fileName.ts";
import { EXPORT_EXTENSIONS, type ExportRequest } from "#shared/file/export.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, formatUtcShort, MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";

/** A name that tells what is in the file: `Kallio ztd-pwv 1 h 2026-10-01 to 2026-10-07.nc`. */
export function suggestedName(
  request: Omit<ExportRequest, "path">,
  stations: ReadonlyMap<string, CatalogueStation>,
): string {
  const { stationIds, variables, intervalSeconds, raw, range } = request;
  const [only] = stationIds;
  const who =
    stationIds.length === 1 && only !== undefined
      ? (stations.get(only)?.displayName ?? only).slice(0, 40)
      : `${stationIds.length} stations`;
  const words = [
    who,
    variables.join("-"),
    ...(intervalSeconds === null ? [] : [intervalWords(intervalSeconds)]),
    ...(raw ? ["raw"] : []),
    rangeWords(range),
  ];
  return `${portableFileName(words.join(" "))}.${EXPORT_EXTENSIONS[request.format]}`;
}

function intervalWords(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`;
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/** Whole days by their names, the last one included; other moments without the colons that no file name may have. */
function rangeWords({ startMs, endMs }: TimeRange): string {
  if (startMs % DAY_MS !== 0 || endMs % DAY_MS !== 0) return `${moment(startMs)} to ${moment(endMs)}`;
  const [first, last] = [day(startMs), day(endMs - DAY_MS)];
  return first === last ? first : `${first} to ${last}`;
}

function day(momentMs: UtcMs): string {
  return formatUtcShort(momentMs).slice(0, 10);
}

function moment(momentMs: UtcMs): string {
  const text = formatUtcShort(momentMs).replaceAll(":", "");
  return momentMs % MINUTE_MS === 0 ? `${text.slice(0, 15)}Z` : text;
}
