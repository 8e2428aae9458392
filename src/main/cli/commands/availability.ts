import type { JobSpec } from "#shared/job/job.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import { alignOutward, formatRange } from "#shared/time/range.ts";
import { difference, hull, type RangeSet, totalMs } from "#shared/time/rangeset.ts";
import { DAY_MS, formatUtcShort } from "#shared/time/utc.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { DAY_SECONDS, readServiceDays, type ServiceDays } from "../../app/reading/serviceDays.ts";
import { fetchMissing } from "../download/download.ts";
import { EXIT } from "../exit.ts";
import { addRange, addRaw, addVariables, type SelectionOptions, STATION_WORDS } from "../options/options.ts";
import { readSelection } from "../options/selection.ts";
import { right, shrinking, table } from "../terminal/table.ts";
import { count, many } from "../terminal/text.ts";
import { type AddCommand, examples } from "./types.ts";

interface AvailabilityOptions extends Omit<SelectionOptions, "interval"> {
  readonly service?: true;
}

export const addAvailability: AddCommand = (program, run) => {
  const command = program
    .command("availability")
    .summary("list the days on which the service has data")
    .description(
      "Lists for each station on how many UTC days the service has data, and how many of them are not in the cache. " +
        "With --service, days that are not known yet are asked about as daily means, at a cost of one data point per " +
        "day and station; the answers stay in the cache. Without it, nothing is sent.",
    )
    .argument("<stations...>", STATION_WORDS);
  addRaw(addRange(addVariables(command, ["ztd", "pwv"])))
    .option("--service", "ask the service about days that are not known yet")
    .addHelpText(
      "after",
      examples(
        ["availability Kallio --from 2015-01-01 --service", "all years of a station"],
        ["availability country:FI --month 2026-10 --json", "for a script"],
      ),
    )
    .action(
      run(async (shell, words: string[], options: AvailabilityOptions) => {
        const { output } = shell;
        const connection = await shell.connection();
        const source = options.service ? "service" : "cache";
        const { stations, spec } = await readSelection(shell, connection, { words, source }, options);
        const range = alignOutward(spec.range, DAY_SECONDS);
        const days: JobSpec = { ...spec, range, intervalSeconds: DAY_SECONDS };
        const exitCode = options.service ? (await fetchMissing(shell, connection, days)).exitCode : EXIT.ok;
        const series = seriesOf(connection, stations, days);
        output.document("availability", {
          range,
          stations: series.map(({ station, ...own }) => ({ ...named(station), ...own })),
        });
        output.print(lines(series, days, output.width));
        const unknown = series.reduce((sum, own) => sum + daysOf(own.unknown), 0);
        if (unknown > 0 && !options.service)
          output.note(`${many(unknown, "day")} unknown: add --service to ask about them.`);
        return exitCode;
      }),
    );
};

interface SeriesDays extends ServiceDays {
  readonly station: CatalogueStation;
  readonly variable: Variable;
}

function seriesOf(
  { cache, session }: OpenConnection,
  stations: readonly CatalogueStation[],
  spec: JobSpec,
): SeriesDays[] {
  const { latestMs: nowMs } = session.time();
  return stations.flatMap((station) =>
    spec.variables.map((variable) => ({
      station,
      variable,
      ...readServiceDays(cache, station, { variable, range: spec.range, raw: spec.raw, nowMs }),
    })),
  );
}

function named({ id, displayName }: CatalogueStation) {
  return { stationId: id, displayName };
}

function daysOf(ranges: RangeSet): number {
  return Math.round(totalMs(ranges) / DAY_MS);
}

function lines(series: readonly SeriesDays[], { range }: JobSpec, width: number | null): string[] {
  const counted = ["With data", "Without", "May still come", "Unknown", "Not cached"].map(right);
  const columns = [shrinking("Station"), "Variable", ...counted, "First day", "Last day"];
  const rows = series.map(({ station, variable, data, none, unconfirmed, unknown, cached }) => {
    const within = hull(data);
    const numbers = [data, none, unconfirmed, unknown, difference(data, cached)].map((days) => count(daysOf(days)));
    return [
      station.displayName,
      variable,
      ...numbers,
      within ? dayOf(within.startMs) : "–",
      within ? dayOf(within.endMs - DAY_MS) : "–",
    ];
  });
  return [`Days of data at the service in ${formatRange(range)}`, "", ...table(columns, rows, width)];
}

function dayOf(startMs: number): string {
  return formatUtcShort(startMs).slice(0, 10);
}
