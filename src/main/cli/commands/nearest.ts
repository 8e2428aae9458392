import { LIMITS } from "#shared/service/limits.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import type { NearestRow } from "#shared/service/nearest.ts";
import { findStations } from "../../app/stations.ts";
import { usage } from "../exit.ts";
import { addRaw, addVariables, readDuration, readMoment, STATION_WORDS } from "../options.ts";
import { freshCatalogue } from "../selection.ts";
import { orStop } from "../shell.ts";
import { table } from "../table.ts";
import { duration } from "../text.ts";
import { type AddCommand, examples } from "./types.ts";

interface NearestOptions {
  readonly vars: Variable[];
  readonly time?: UtcMs;
  readonly within: number;
  readonly raw?: boolean;
}

export const addNearest: AddCommand = (program, run) => {
  const command = program
    .command("nearest")
    .summary("show the observation nearest to a moment, station by station")
    .description(
      "Asks the service for the one observation of each station that is closest to a moment, or for the latest one. The " +
        "window reaches to both sides of the moment; without --time it reaches back from now. Stations with nothing in the window " +
        "are named. Answers are shown and not kept. Delays and water vapour in mm; “off” is observation minus moment.",
    )
    .argument("<stations...>", STATION_WORDS)
    .option("--time <time>", "the moment, UTC (default: now, the latest observation)", readMoment)
    .option(
      "--within <duration>",
      "how far away it may be, 60 s to 24 h: 600, 15m, 6h",
      readDuration,
      LIMITS.withinSeconds.default,
    );
  addRaw(addVariables(command))
    .addHelpText(
      "after",
      examples(
        ["nearest all", "the latest of every station"],
        ["nearest Kallio --time 2026-10-05T12:00:00Z --within 15m", ""],
      ),
    )
    .action(
      run(async (shell, words: string[], options: NearestOptions) => {
        const { output } = shell;
        const { min, max } = LIMITS.withinSeconds;
        if (options.within < min || options.within > max) throw usage("--within is 60 s to 24 h.");
        const connection = await shell.connection();
        const catalogue = await freshCatalogue(shell, connection, false);
        const stations = orStop(findStations(catalogue, words));
        const query = {
          stationIds: words.includes("all") ? ("all" as const) : stations.map((s) => s.id),
          variables: options.vars,
          timeMs: options.time ?? null,
          withinSeconds: options.within,
          raw: options.raw ?? false,
        };
        const answer = orStop(await (await shell.app()).nearest(connection, query, shell.signal));
        const names = new Map(stations.map((s) => [s.id, s.displayName]));
        output.document({ timeMs: answer.timeMs, rows: answer.rows, missingStationIds: answer.missingStationIds });
        output.print(`Nearest to ${formatUtcShort(answer.timeMs)}, within ${duration(options.within)}:`);
        const columns = [
          { title: "Station", canShrink: true },
          { title: "Observed (UTC)" },
          { title: "Off", align: "right" as const },
          ...options.vars.map((v) => ({ title: titleOf(v), align: "right" as const, canShrink: true })),
        ];
        const rows = answer.rows.map((row) => cells(row, names.get(row.stationId), answer.timeMs, options.vars));
        if (rows.length > 0) output.print(table(columns, rows, output.width));
        const missing = answer.missingStationIds.map((id) => `“${names.get(id) ?? id}”`);
        if (missing.length > 0) output.print(`Nothing in this window: ${missing.join(", ")}`);
      }),
    );
};

function titleOf(variable: Variable): string {
  const { unit } = variableInfo(variable);
  return unit ? `${variable} ${unit}` : variable;
}

function cells(row: NearestRow, name: string | undefined, momentMs: UtcMs, variables: readonly Variable[]): string[] {
  const off = (row.timeMs - momentMs) / 1000;
  const values = variables.map((v) => row.values[v] ?? null);
  return [
    name ?? row.displayName,
    formatUtcShort(row.timeMs),
    `${off < 0 ? "−" : "+"}${duration(Math.abs(off))}`,
    ...values.map((v) => (v === null ? "" : String(v))),
  ];
}
