import { defined } from "#shared/defined.ts";
import type { Command } from "commander";
import { futureWords } from "#shared/job/nothingSent.ts";
import { formatRange } from "#shared/time/range.ts";
import { hull, rangeSet } from "#shared/time/rangeset.ts";
import type { PlanStation } from "../../planner/types.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import {
  addInterval,
  addRange,
  addRaw,
  addVariables,
  type SelectionOptions,
  STATION_WORDS,
} from "../options/options.ts";
import { readSelection } from "../options/selection.ts";
import { table } from "../terminal/table.ts";
import { bytes, count, duration, many } from "../terminal/text.ts";
import { type AddCommand, examples } from "./types.ts";

/** Options shared by `plan` and `fetch`. */
export function addDownloadOptions(command: Command): Command {
  return addRaw(
    addInterval(
      addRange(addVariables(command)),
      "means over this time, computed by the service: 30s, 15m, 1h (default: every observation)",
    ),
  );
}

export const addPlan: AddCommand = (program, run) => {
  const command = program
    .command("plan")
    .summary("estimate a download without sending anything")
    .description(
      "Shows what “fetch” with the same arguments would do: the number of data points, how many are cached, the " +
        "requests, bytes and seconds for the rest, and what each station lacks. A data point is one epoch (or one " +
        "interval) of one station, as the service counts it. Sends nothing.",
    )
    .argument("<stations...>", STATION_WORDS);
  addDownloadOptions(command)
    .addHelpText(
      "after",
      examples(
        ["plan country:FI --month 2026-10", "a month of all Finnish stations"],
        ["plan Kallio --last 7d --interval 15m", "quarter-hour means of a week"],
      ),
    )
    .action(
      run(async (shell, words: string[], options: SelectionOptions) => {
        const { output } = shell;
        const connection = await shell.connection();
        const { stations, spec } = await readSelection(shell, connection, words, options, "cache");
        const { jobs } = await shell.app();
        const cost = jobs.estimate(connection, spec, true);
        const lacking = jobs.missing(connection, spec);
        const missing = lacking.map((m) => describe(m, stations));
        const failed = jobs.failedBefore(connection.record.id, spec, lacking);
        output.document({ range: spec.range, stations: stations.length, ...cost, missing, failed });
        output.print([
          `${many(stations.length, "station")}, ${spec.variables.join(", ")}, ${formatRange(spec.range)}`,
          `  requested  ${count(cost.pointsAsked)} points`,
          `  cached     ${count(cost.pointsCached)} points`,
          `  to fetch   ${count(cost.pointsToFetch)} points in about ${many(cost.requests, "request")}, ` +
            `${bytes(cost.bodyBytes)} before compression` +
            (cost.seconds === null || cost.pointsToFetch === 0
              ? ""
              : `, ${duration(Math.ceil(cost.seconds))} at the last speed`),
        ]);
        const refused = cost.forbiddenStationIds.length;
        if (refused > 0)
          output.print(`  refused    ${many(refused, "station")} the last time; a fetch requests them again`);
        const [first] = failed;
        if (first)
          output.print(
            `  failed     parts of ${many(failed.length, "station")} the last time; a fetch requests them again` +
              (first.reason === null ? "" : `\n             ${first.reason}`),
          );
        if (missing.length === 0) {
          const { latestMs } = connection.session.time();
          const why =
            spec.range.startMs >= latestMs
              ? futureWords(spec.range.startMs)
              : cost.pointsAsked === 0
                ? "No data can exist in this range"
                : "Everything that can exist is cached";
          return output.print(`${why}: a fetch sends nothing.`);
        }
        const groups = Map.groupBy(missing, (m) => `${m.variables.join(",")}|${m.within}|${m.parts}`);
        const rows = [...groups.values()].map((group) => {
          const { variables, within, parts } = defined(group[0]);
          return [abbreviatedList(group.map((m) => m.displayName)), variables.join(","), within, String(parts)];
        });
        const columns = [
          { title: "Missing of", canShrink: true },
          { title: "Variables", canShrink: true },
          { title: "Between (UTC)" },
          { title: "Parts", align: "right" as const },
        ];
        output.print(["", ...table(columns, rows, output.width)]);
      }),
    );
};

function describe(missing: PlanStation, stations: readonly CatalogueStation[]) {
  const entries = Object.entries(missing.missing).filter(([, ranges]) => ranges.length > 0);
  const ranges = rangeSet(entries.flatMap(([, r]) => r));
  return {
    stationId: missing.id,
    displayName: stations.find((s) => s.id === missing.id)?.displayName ?? missing.id,
    variables: entries.map(([name]) => name),
    within: formatRange(defined(hull(ranges))),
    parts: ranges.length,
    ranges,
  };
}

const MAX_NAMED = 3;

function abbreviatedList(names: readonly string[]): string {
  const first = names.slice(0, MAX_NAMED).join(", ");
  return names.length > MAX_NAMED ? `${first} and ${names.length - MAX_NAMED} more` : first;
}
