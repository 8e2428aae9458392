import { NO_VALUE } from "#shared/text.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { alignOutward, formatRange } from "#shared/time/range.ts";
import { difference, hull, type RangeSet, totalMs } from "#shared/time/rangeset.ts";
import { DAY_SECONDS } from "#shared/time/intervals.ts";
import { DAY_MS, formatUtcShort } from "#shared/time/utc.ts";
import { readServiceDays, type ServiceDays } from "../../app/reading/serviceDays.ts";
import { command } from "../command.ts";
import { fetchMissing } from "../download/download.ts";
import { EXIT } from "../exit.ts";
import { RANGE, RAW, STATIONS, variables } from "../options/options.ts";
import { noteUnlisted, readSelection, warnOfRemoved } from "../options/selection.ts";
import { amount, type Column, shrinking } from "../terminal/table.ts";
import { many } from "../terminal/text.ts";

export const addAvailability = command({
  description:
    "Lists for each station on how many UTC days the service has data, and how many of them are not in the cache. " +
    "With --service, unknown days are requested as daily means, at one data point per day and station. The responses " +
    "stay in the cache. Without it, nothing is requested.",
  words: {
    ...STATIONS,
    ...variables(["ztd", "pwv"]),
    ...RANGE,
    ...RAW,
    "--service": "ask the service about days that are not known yet",
  },
  examples: [
    ["availability Kallio --from 2015-01-01 --service", "all years of a station"],
    ["availability country:FI --month 2026-10 --json", "for a script"],
  ],
  async run(shell, values) {
    const { output } = shell;
    const connection = await shell.connection();
    const { cache, session } = connection;
    const { stations, spec } = await readSelection(shell, connection, values, {
      source: values.service ? "service" : "cache",
    });
    noteUnlisted(shell, connection, values.stations);
    warnOfRemoved(shell, connection, values.stations);
    const range = alignOutward(spec.range, DAY_SECONDS);
    const days: JobSpec = { ...spec, range, intervalSeconds: DAY_SECONDS };
    const exitCode = values.service ? await fetchMissing(shell, connection, days) : EXIT.ok;
    const { latestMs: nowMs } = session.time();
    const series = stations.flatMap((station) =>
      spec.variables.map((variable) => ({
        stationId: station.id,
        displayName: station.displayName,
        variable,
        ...readServiceDays(cache, station, { variable, range, raw: spec.raw, nowMs }),
      })),
    );
    output.document("availability", { range, stations: series });
    output.print([`Days of data at the service in ${formatRange(range)}`, ""]);
    output.table(series, COLUMNS);
    const unknown = series.reduce((sum, own) => sum + daysOf(own.unknown), 0);
    if (unknown > 0 && !values.service)
      output.note(`${many(unknown, "day")} unknown: add --service to ask about them.`);
    return exitCode;
  },
});

const COLUMNS = {
  Station: shrinking((series: { readonly displayName: string }) => series.displayName),
  Variable: (series: { readonly variable: string }) => series.variable,
  "With data": counted(({ data }) => data),
  Without: counted(({ none }) => none),
  "May still arrive": counted(({ mayStillArrive }) => mayStillArrive),
  Unknown: counted(({ unknown }) => unknown),
  "Not cached": counted(({ data, cached }) => difference(data, cached)),
  "First day": ({ data }: ServiceDays) => dayText(hull(data)?.startMs),
  "Last day": ({ data }: ServiceDays) => dayText(hull(data)?.endMs, DAY_MS),
};

function counted(days: (of: ServiceDays) => RangeSet): Column<ServiceDays> {
  return amount((of) => daysOf(days(of)));
}

function daysOf(ranges: RangeSet): number {
  return Math.round(totalMs(ranges) / DAY_MS);
}

function dayText(momentMs: number | undefined, earlierMs = 0): string {
  return momentMs === undefined ? NO_VALUE : formatUtcShort(momentMs - earlierMs).slice(0, 10);
}
