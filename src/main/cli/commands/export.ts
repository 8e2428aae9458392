import { exportSelection, type ExportWords, FORMAT_HELP, formatOf } from "../exporting.ts";
import { warnOfMissing } from "../missing.ts";
import {
  addHeightReference,
  addInterval,
  addRange,
  addRaw,
  addVariables,
  type SelectionOptions,
  STATION_WORDS,
} from "../options.ts";
import { readSelection } from "../selection.ts";
import { type AddCommand, examples } from "./types.ts";

export const addExport: AddCommand = (program, run) => {
  const command = program
    .command("export")
    .summary("write cached measurements as NetCDF, CSV, Parquet, SINEX_TRO or SQLite files")
    .description(
      "Writes what is in the cache to files that other programs open: NetCDF-4 (CF-1.8, for xarray, ncdump, CDO, Panoply); CSV " +
        "(UTF-8, units in the column names; “excel” as a spreadsheet reads it, in parts of 1,048,576 rows); Parquet, a folder by " +
        "station and month that DuckDB, Spark and Dask read as one table; SINEX_TRO 2.00; SQLite with plain rows; and NetCDF-3 " +
        "(“netcdf3”) for tools that read no NetCDF-4. Satellite variables go to a file of their own. Beside the data, a " +
        "JSON file tells the query, the coverage and the gaps with their causes. Stations without a row are named. Works offline.",
    )
    .argument("<stations...>", STATION_WORDS)
    .requiredOption(
      "--out <file>",
      "the file (Parquet: a folder); it is replaced where it exists, and never left half written",
    )
    .option("--format <format>", FORMAT_HELP);
  addHeightReference(
    addRaw(
      addInterval(
        addRange(addVariables(command)),
        "the means that “fetch --interval” brought, s (default: every observation)",
      ),
    ),
  )
    .addHelpText(
      "after",
      examples(
        ["export Kallio Torsvika --month 2026-10 --out october.nc", "NetCDF"],
        ["export country:FI --last 7d --out week.csv", "CSV"],
        ["export Kallio --month 2026-10 --format excel --out october.csv", "for a spreadsheet"],
        ["export all --from 2026-01-01 --out year.parquet", "for DuckDB, Spark, Dask"],
      ),
    )
    .action(
      run(async (shell, words: string[], options: SelectionOptions & ExportWords) => {
        const format = formatOf(options.out, options.format);
        const connection = await shell.connection();
        const { spec } = await readSelection(shell, connection, words, options, "kept");
        await warnOfMissing(shell, connection, spec, words);
        const { heightReference } = options;
        const report = await exportSelection(shell, connection, {
          ...spec,
          resampled: false,
          format,
          heightReference,
          path: options.out,
        });
        shell.output.document(report);
      }),
    );
};
