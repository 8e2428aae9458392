import { defined } from "#shared/defined.ts";
import { type Command, Option } from "commander";
import {
  type ExportReport,
  FILE_LAYOUTS,
  type FileLayout,
  STATION_DETAILS,
  type StationDetails,
  TIME_SYSTEMS,
  type TimeSystem,
} from "#shared/file/export.ts";
import { type ExportFormat, FORMATS } from "#shared/file/formats.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { SCALAR_VARIABLES, variableKind } from "#shared/service/variables.ts";
import { formatRange, monthOf } from "#shared/time/range.ts";
import { SNIPPET_LANGUAGES, SNIPPET_NAMES, type SnippetLanguage, snippetOf } from "#shared/snippets/index.ts";
import { downloadFor } from "#shared/file/savedExport.ts";
import { EXIT, usage } from "../exit.ts";
import {
  assertWritable,
  exportSelection,
  type ExportWords,
  formatOf,
  formatOption,
  goesToStdout,
  namedRequests,
  refuseTerminal,
  STDOUT,
} from "../export/exporting.ts";
import { isResampled } from "../export/means.ts";
import { fetchMissing } from "../download/download.ts";
import {
  addAllowIncomplete,
  type AllowIncomplete,
  exitCodeOf,
  incompleteData,
  warnMissingSelection,
} from "../export/missing.ts";
import {
  addHeightReference,
  addSelection,
  addZone,
  readTemplate,
  requireInterval,
  requireStations,
  type SelectionOptions,
  STATION_WORDS,
  TEMPLATE_HELP,
  userPath,
} from "../options/options.ts";
import type { Shell } from "../shell.ts";
import { repeatExport } from "../export/repeat.ts";
import { noteUnlisted, readSelection } from "../options/selection.ts";
import { type AddCommand, examples } from "./types.ts";

interface ExportOptions extends SelectionOptions, AllowIncomplete, Omit<ExportWords, "out" | "format"> {
  readonly out?: string;
  readonly format?: string;
  readonly template?: string;
  readonly perStation?: boolean;
  readonly repeat?: string;
  readonly fetch?: boolean;
  readonly force?: boolean;
  readonly stationDetails?: StationDetails;
  readonly emptyRows?: boolean;
  readonly layout?: FileLayout;
  readonly timeSystem?: TimeSystem;
  readonly resample?: boolean;
  readonly update?: boolean;
  readonly snippet?: SnippetLanguage;
}

export const addExport: AddCommand = (program, run) => {
  const command = program
    .command("export")
    .summary("write cached measurements as NetCDF, CSV, Excel, Parquet, SINEX_TRO, COST-716, SQLite or Zarr files")
    .description(
      "Writes cached data to files for other programs: NetCDF-4 (CF-1.8, for xarray, ncdump, NCO, Panoply); CSV " +
        "(UTF-8, units in the column names); Excel (.xlsx, a sheet for every 1,048,575 rows, times as dates); Parquet, a folder by " +
        "station and month that DuckDB, Spark and Dask read as one table; SINEX_TRO 2.00; COST-716 V2.2a (means); SQLite with plain rows; Zarr 3, a folder for object storage; and NetCDF-3 " +
        "(“netcdf3”) for tools that read no NetCDF-4. Satellite variables go to a file of their own. Beside the data, a " +
        "JSON file lists the query, the coverage and the gaps with their causes. Stations without rows are listed. Works offline.",
    )
    .argument("[stations...]", STATION_WORDS)
    .option(
      "--out <place>",
      "the file (Parquet and Zarr: a folder); - for a pipe; with --template or --repeat the folder (default: the current one)",
    )
    .addOption(formatOption("the format"))
    .option("--template <template>", `names the files: ${TEMPLATE_HELP}`, readTemplate)
    .option("--per-station", "with --template: a file for each station")
    .option("--repeat <name>", "runs the saved export of this name (see “exports”)")
    .option("--fetch", "fetches missing data first; if that fails, writes nothing")
    .addOption(
      new Option(
        "--station-details <kind>",
        "CSV and Excel: the station's name beside its id, name and position in columns, or the position in a second file",
      ).choices(STATION_DETAILS),
    )
    .addOption(
      new Option(
        "--layout <kind>",
        "NetCDF and Zarr: a grid of time and station (default), or the rows of one station after another (ragged)",
      ).choices(FILE_LAYOUTS),
    )
    .addOption(new Option("--time-system <system>", "SINEX_TRO: utc (default) or gps").choices(TIME_SYSTEMS))
    .addOption(
      new Option("--snippet <language>", "prints only a program that opens the files").choices(SNIPPET_LANGUAGES),
    )
    .option("--resample", "with --interval: averages cached observations here, as “resample” does")
    .option("--update", "Parquet: writes only new and revised months into the dataset that is there")
    .option("--empty-rows", "tables: keeps rows without any value")
    .option("--force", "replaces existing files");
  addAllowIncomplete(addHeightReference(addZone(addSelection(command))))
    .addHelpText(
      "after",
      examples(
        ["export Kallio Torsvika --month 2026-10 --out october.nc", "NetCDF"],
        ["export country:FI --last 7d --out week.csv", "CSV"],
        ["export Kallio --month 2026-10 --station-details columns --out october.xlsx", "for Excel, with positions"],
        ["export all --from 2026-01-01 --out year.parquet", "for DuckDB, Spark, Dask"],
        ["export all --last 7d --fetch --out all.parquet --update", "keeps such a dataset up to date"],
        ["export all --day 2026-10-05 --template '{stations}_{start}.csv' --per-station", "a file each"],
        ["export Kallio --day 2026-10-05 --format csv --out - | head", "pipes rows to another program"],
        ['export --repeat "Daily Kallio" --fetch --out /data', "for a cron job"],
      ),
    )
    .action(
      run(async (shell, words: string[], options: ExportOptions, command: Command) => {
        if (options.repeat !== undefined) {
          refuseBesideRepeat(command, words);
          return repeatExport(shell, options.repeat, options);
        }
        requireStations(words);
        const { template } = options;
        const out = options.out === "-" ? STDOUT : options.out;
        if (template === undefined && options.perStation) throw usage("--per-station needs --template.");
        if (template === undefined && out === undefined)
          throw usage("Name the output: --out october.nc, or --template for the name.");
        const format = formatOf(template ?? options.out ?? "", options.format);
        if (options.update) checkUpdate(format, options);
        const { heightReference, stationDetails, emptyRows, layout, timeSystem, snippet } = options;
        if (stationDetails !== undefined && !(FORMATS[format].hasDetails === true))
          throw usage("--station-details is for csv and excel: the other formats include station details.");
        if (layout !== undefined && !(FORMATS[format].kind === "array"))
          throw usage("--layout is for netcdf, netcdf3 and zarr: the other formats are tables.");
        if (timeSystem !== undefined && format !== "sinex")
          throw usage("--time-system is for sinex: the times of the other formats are UTC.");
        requireInterval(options);
        if (snippet !== undefined && (out === STDOUT || options.perStation))
          throw usage("--snippet opens the files of one export: leave out --per-station and --out -.");
        if (emptyRows && !(FORMATS[format].kind === "table"))
          throw usage("--empty-rows is for tables: NetCDF has an axis of all epochs anyway.");
        const connection = await shell.connection();
        const source = options.fetch ? "service" : "cache";
        const selection = await readSelection(shell, connection, { words, source }, options);
        noteUnlisted(shell, connection, words);
        const spec = options.update ? inWholeMonths(selection.spec, shell) : selection.spec;
        const resampled = await isResampled(shell, connection, spec, options);
        const request = {
          ...spec,
          resampled,
          zone: options.zone,
          format,
          heightReference,
          stationDetails,
          emptyRows,
          layout,
          timeSystem,
          isUpdate: options.update,
        };
        const known = { format, layout, variables: spec.variables };
        if (snippet !== undefined && snippetOf(snippet, known, ["any"]) === null)
          throw usage(`${SNIPPET_NAMES[snippet]} does not read ${format}. Choose another format.`);
        const isPerStation = options.perStation ?? false;
        const requests =
          template === undefined
            ? [{ ...request, path: out ?? "" }]
            : namedRequests(connection, request, { template, folder: out ?? ".", isPerStation });
        refuseTerminal(requests[0]?.path ?? "", format, shell.output);
        // Checked before anything is downloaded.
        await assertWritable(
          requests.map((r) => userPath(r.path)),
          format,
          options.force ?? options.update ?? false,
        );
        const needed = downloadFor(request);
        const fetched = options.fetch ? await fetchMissing(shell, connection, needed) : null;
        if (!fetched) await warnMissingSelection(shell, connection, needed, words);
        const reports: ExportReport[] = [];
        for (const one of requests) reports.push(await exportSelection(shell, connection, one, snippet !== undefined));
        const [first] = reports;
        const paths = first?.files.map((file) => file.path) ?? [];
        const incomplete = incompleteData(connection, needed);
        const text = snippet === undefined ? null : snippetOf(snippet, known, paths);
        if (text !== null) {
          shell.output.text(text.trimEnd());
          shell.output.document("export", { ...first, incomplete, snippet: text });
        } else if (goesToStdout(requests[0]?.path ?? ""))
          shell.output.event("export", { ...defined(first), incomplete });
        else
          shell.output.document(
            "export",
            isPerStation ? { exports: reports, incomplete } : { ...defined(first), incomplete },
          );
        const code = exitCodeOf(shell, incomplete, options);
        return fetched !== null && fetched.exitCode !== EXIT.ok ? fetched.exitCode : code;
      }),
    );
};

const REPEAT_OPTIONS: ReadonlySet<string> = new Set(["repeat", "out", "fetch", "force", "allowIncomplete"]);

/** Refuses arguments that the saved export determines, because they would be ignored silently. */
function refuseBesideRepeat(command: Command, words: readonly string[]): void {
  const given = command.options.find(
    (o) => !REPEAT_OPTIONS.has(o.attributeName()) && command.getOptionValueSource(o.attributeName()) === "cli",
  );
  const hasConnection = command.parent?.getOptionValueSource("connection") === "cli";
  const refused = words.length > 0 ? "stations" : hasConnection ? "--connection" : given?.long;
  if (refused !== undefined)
    throw usage(
      `--repeat does not accept ${refused}, because the saved export determines it. It accepts --out, --fetch, --force and --allow-incomplete.`,
    );
}

/** Checks the options of `--update`. @throws Stop */
function checkUpdate(format: ExportFormat, { out, vars, template }: ExportOptions): void {
  if (format !== "parquet")
    throw usage("--update is for Parquet datasets: name the folder with --out, ending in .parquet.");
  if (out === undefined || out === "-" || template !== undefined)
    throw usage("--update needs --out, the folder of the dataset.");
  if (vars.some((variable) => variableKind(variable) === "satellite"))
    throw usage(`--update is for ${SCALAR_VARIABLES.join(", ")}: satellites have other columns in other months.`);
}

/** Extends the range to whole months, the partitions of a dataset, because updating a part would lose the rest. */
function inWholeMonths(spec: JobSpec, { output }: Shell): JobSpec {
  const { startMs, endMs } = spec.range;
  const range = { startMs: monthOf(startMs).startMs, endMs: monthOf(endMs - 1).endMs };
  if (range.startMs !== startMs || range.endMs !== endMs)
    output.note(`Months are updated as a whole: the range was extended to ${formatRange(range)}.`);
  return { ...spec, range };
}
