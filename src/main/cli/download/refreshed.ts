import type { JobSpec } from "#shared/job/job.ts";
import { changeWords, keptSentence, type RefreshReport } from "#shared/job/refresh.ts";
import { stationLabels } from "#shared/service/catalogue.ts";
import { intersectRange } from "#shared/time/range.ts";
import { DAY_MS, formatUtcShort } from "#shared/time/utc.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import type { Shell } from "../shell.ts";
import { type Columns, right, shrinking, table } from "../terminal/table.ts";
import { count, many } from "../terminal/text.ts";
import { fetchCommand, forgetCommand } from "./commands.ts";

/** Days with differences that are printed; the JSON document has more. */
const MAX_PRINTED_DAYS = 40;

/** What a refresh changed and kept, by station and day. */
export function refreshLines(shell: Shell, { cache }: OpenConnection, spec: JobSpec, report: RefreshReport): string[] {
  const { days, moreDays, kept } = report;
  const names = stationLabels(cache.catalogue());
  const listed = days.slice(0, MAX_PRINTED_DAYS);
  const more = days.length - listed.length + moreDays;
  const columns: Columns<(typeof listed)[number]> = {
    Station: shrinking((day) => names.get(day.stationId) ?? day.stationId),
    "Day (UTC)": (day) => formatUtcShort(day.dayMs).slice(0, 10),
    Added: right((day) => count(day.added)),
    Changed: right((day) => count(day.changed)),
    Kept: right((day) => count(day.kept)),
  };
  return [
    `Compared with the cache: ${changeWords(report)}.`,
    ...(listed.length > 0 ? ["", ...table(listed, columns, shell.output.width)] : []),
    ...(more > 0 ? [`${many(more, "more day")} with differences`] : []),
    ...(kept > 0 ? ["", ...keptLines(shell, spec, report)] : []),
  ];
}

/** A command with more stations leaves their names to the user. */
const MAX_NAMED_STATIONS = 20;

/** Says that rows stay, and with which commands the user removes withdrawn rows. */
function keptLines(shell: Shell, spec: JobSpec, { kept, days, moreDays }: RefreshReport): string[] {
  const withKept = days.filter((day) => day.kept > 0);
  const stationIds = [...new Set(withKept.map(({ stationId }) => stationId))];
  const starts = withKept.map(({ dayMs }) => dayMs);
  const range = intersectRange(spec.range, { startMs: Math.min(...starts), endMs: Math.max(...starts) + DAY_MS });
  // Days that are not listed may be of any station and time of the download.
  const [part, ids] = moreDays > 0 ? [spec, spec.stationIds] : [{ ...spec, range }, stationIds];
  const words = ids.length > MAX_NAMED_STATIONS ? ["STATIONS"] : ids;
  return [
    `${keptSentence(kept)} If the service has withdrawn these data, delete their time from the cache, then fetch what the service has:`,
    `  ${shell.suggest(forgetCommand(part, words))}`,
    `  ${shell.suggest(fetchCommand(part, words))}`,
  ];
}
