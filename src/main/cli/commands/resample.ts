import { withImpliedVariables } from "#shared/service/variables.ts";
import { writeSeries } from "../export/series.ts";
import { exportSelection, FORMAT_HELP, formatOf, type ExportWords } from "../export/exporting.ts";
import { usage } from "../exit.ts";
import {
  addHeightReference,
  addInterval,
  addRange,
  addRaw,
  addVariables,
  type SelectionOptions,
  STATION_WORDS,
} from "../options/options.ts";
import { readSelection } from "../options/selection.ts";
import { warnMissingSelection } from "../export/missing.ts";
import { type AddCommand, examples } from "./types.ts";

interface ResampleOptions extends SelectionOptions, Partial<ExportWords> {
  readonly as?: string;
}

export const addResample: AddCommand = (program, run) => {
  const command = program
    .command("resample")
    .summary("average cached observations over any interval, without the service")
    .description(
      "Averages cached observations over intervals aligned to UTC, by the service's rules: the mean of ztd, " +
        "ztd_sigma and pwv (mm), the first observation of satellite variables, and no row without an observation; the " +
        "time is the start of the interval. A range that does not start and end on an interval is extended, with a " +
        "message. A variable has a mean where its observations of the whole interval are cached. Works offline from the data of “fetch” without --interval, and reports gaps of the cache. Prints a " +
        "table on a terminal and CSV elsewhere, or writes a file with --out.",
    )
    .argument("<stations...>", STATION_WORDS);
  addHeightReference(
    addRaw(
      addInterval(addRange(addVariables(command)), "length of the intervals, at least 30 s: 30s, 15m, 1h, 1d", true),
    ),
  )
    .option("--as <form>", "on the screen: table or csv")
    .option("--out <file>", "write a file instead, as “export” does: .nc, .csv, .parquet …")
    .option("--format <format>", `of the file: ${FORMAT_HELP}`)
    .addHelpText(
      "after",
      examples(
        ["resample Kallio --day 2026-10-05 --interval 1h", "a table of hourly means"],
        ["resample all --month 2026-10 --interval 15m --out october.nc", "a NetCDF file"],
      ),
    )
    .action(
      run(async (shell, words: string[], options: ResampleOptions) => {
        const { output } = shell;
        const as = output.json ? "json" : (options.as ?? (output.width === null ? "csv" : "table"));
        if (!["table", "csv", "json"].includes(as)) throw usage("--as is table or csv.");
        const connection = await shell.connection();
        const { stations, spec } = await readSelection(shell, connection, words, options, "cache");
        const native = { ...spec, intervalSeconds: null };
        await warnMissingSelection(shell, connection, native, words);
        if (options.out !== undefined) {
          const format = formatOf(options.out, options.format);
          const heightReference = options.heightReference ?? "WGS84_ELLIPSOID";
          const report = await exportSelection(shell, connection, {
            ...spec,
            resampled: true,
            format,
            heightReference,
            path: options.out,
          });
          output.document(report);
          return;
        }
        const app = await shell.app();
        // Satellite values need the satellite identifiers.
        const variables = withImpliedVariables(spec.variables);
        const rows = (stationId: string) => app.rows(connection, { ...spec, resampled: true }, stationId, variables);
        await writeSeries(shell, { stations, variables, rows, as: as as "table" | "csv" | "json" });
      }),
    );
};
