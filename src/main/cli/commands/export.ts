import type { Command } from "commander";
import { defined } from "#shared/defined.ts";
import { type ExportReport, unknownStationsSentence } from "#shared/file/export.ts";
import { type ExportFormat, FORMATS } from "#shared/file/formats.ts";
import { downloadFor } from "#shared/file/savedExport.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { SCALAR_VARIABLES, variableKind } from "#shared/service/variables.ts";
import { SNIPPET_LANGUAGES, SNIPPET_NAMES, snippetOf } from "#shared/snippets/index.ts";
import { formatRange, monthOf } from "#shared/time/range.ts";
import { choice, command, type Values } from "../command.ts";
import { EXIT, usage } from "../exit.ts";
import {
  assertWritable,
  exportSelection,
  formatOf,
  formatWord,
  goesToStdout,
  namedRequests,
  refuseTerminal,
  STDOUT,
} from "../export/exporting.ts";
import { fetchCommand } from "../download/commands.ts";
import { exitCodeOf, fetchOrWarn, incompleteData, isResampled } from "../export/missing.ts";
import { repeatExport } from "../export/repeat.ts";
import {
  ALLOW_INCOMPLETE,
  FETCH,
  fileForms,
  HEIGHT_REFERENCE,
  RESAMPLE,
  requireInterval,
  requireStations,
  selection,
  STATION_WORDS,
  ZONE,
} from "../options/options.ts";
import { userPath } from "../options/paths.ts";
import { noteUnlisted, readSelection } from "../options/selection.ts";
import type { Shell } from "../shell.ts";
import { splitStations } from "../../export/source.ts";

const WORDS = {
  "[stations...]": STATION_WORDS,
  "--out <place>":
    "the file (Parquet and Zarr: a folder); - for a pipe; with --template or --repeat the folder (default: the current one)",
  "--format <format>": formatWord("the format"),
  ...fileForms(
    "CSV and Excel: the station's name beside its id, name and position in columns, or the position in a second file",
    "NetCDF and Zarr: a grid of time and station (default), or the rows of one station after another (ragged)",
    "SINEX_TRO: utc (default) or gps",
  ),
  "--per-station": "with --template: a file for each station",
  "--repeat <name>": "runs the saved export of this name (see “exports”)",
  ...FETCH,
  "--snippet <language>": choice("prints a program that opens the written files, and nothing else", SNIPPET_LANGUAGES),
  ...RESAMPLE,
  "--update": "Parquet: writes only new and revised months into the dataset that is there",
  "--force": "replaces existing files",
  ...selection(),
  ...ZONE,
  ...HEIGHT_REFERENCE,
  ...ALLOW_INCOMPLETE,
};
type ExportValues = Values<typeof WORDS>;

export const addExport = command({
  description:
    "Writes cached data to files for other programs: NetCDF-4 (CF-1.8, for xarray, ncdump, NCO, Panoply); CSV " +
    "(UTF-8, units in the column names); Excel (.xlsx, a sheet for every 1,048,575 rows, times as dates); Parquet, a folder by " +
    "station and month that DuckDB, Spark and Dask read as one table; SINEX_TRO 2.00; COST-716 V2.2a (means); SQLite with plain rows; Zarr 3, a folder for object storage; and NetCDF-3 " +
    "(“netcdf3”) for tools that cannot read NetCDF-4. Satellite variables go to a file of their own. Beside the data, a " +
    "JSON file lists the query, the coverage and the gaps with their causes. Stations without rows are listed. Works offline.",
  words: WORDS,
  examples: [
    ["export Kallio Torsvika --month 2026-10 --out october.nc", "NetCDF"],
    ["export country:FI --last 7d --out week.csv", "CSV"],
    ["export Kallio --month 2026-10 --station-details columns --out october.xlsx", "for Excel, with positions"],
    ["export all --from 2026-01-01 --out year.parquet", "for DuckDB, Spark, Dask"],
    ["export all --last 7d --fetch --out all.parquet --update", "keeps such a dataset up to date"],
    ["export all --day 2026-10-05 --template '{stations}_{start}.csv' --per-station", "a file each"],
    ["export Kallio --day 2026-10-05 --format csv --out - | head", "pipes rows to another program"],
    ['export --repeat "Daily Kallio" --fetch --out /data', "for a cron job"],
  ],
  async run(shell, values, self) {
    const { stations: words, template, perStation: isPerStation = false, zone } = values;
    if (values.repeat !== undefined) {
      refuseBesideRepeat(self, words);
      return repeatExport(shell, values.repeat, values);
    }
    requireStations(words);
    const out = values.out === "-" ? STDOUT : values.out;
    if (template === undefined && isPerStation) throw usage("--per-station needs --template.");
    if (template === undefined && out === undefined)
      throw usage("Name the output: --out october.nc, or --template for the name.");
    const format = formatOf(template ?? values.out ?? "", values.format);
    if (values.update) checkUpdate(format, values);
    checkForm(format, values);
    const { heightReference, stationDetails, emptyRows, layout, timeSystem, snippet } = values;
    requireInterval(values);
    if (snippet !== undefined && (out === STDOUT || isPerStation))
      throw usage("--snippet opens the files of one export: leave out --per-station and --out -.");
    const connection = await shell.connection();
    const selected = await readSelection(shell, connection, values, {
      source: values.fetch ? "service" : "cache",
      withUnknownIds: true,
    });
    noteUnlisted(shell, connection, words);
    const spec = values.update ? inWholeMonths(selected.spec, shell) : selected.spec;
    const resampled = await isResampled(shell, connection, spec, values);
    const form = { format, heightReference, stationDetails, emptyRows, layout, timeSystem, isUpdate: values.update };
    const request = { ...spec, resampled, zone, ...form };
    const known = { format, layout, variables: spec.variables };
    if (snippet !== undefined && snippetOf(snippet, known, ["any"]) === null)
      throw usage(`${SNIPPET_NAMES[snippet]} does not read ${format}. Choose another format.`);
    const requests =
      template === undefined
        ? [{ ...request, path: out ?? "" }]
        : namedRequests(connection, request, { template, folder: out ?? ".", isPerStation });
    const isPiped = goesToStdout(requests[0]?.path ?? "");
    refuseTerminal(requests[0]?.path ?? "", format, shell.output);
    // Checked before anything is downloaded.
    const paths = requests.map(({ path }) => userPath(path));
    await assertWritable(paths, format, values.force ?? values.update ?? false);
    const needed = downloadFor(request);
    const fetched = await fetchOrWarn(shell, connection, needed, values.fetch ? null : fetchCommand(needed, words));
    const exports: ExportReport[] = [];
    for (const one of requests) exports.push(await exportSelection(shell, connection, one, snippet !== undefined));
    const first = defined(exports[0]);
    const incomplete = incompleteData(connection, needed);
    const written = first.files.map(({ path }) => path);
    const program = snippet === undefined ? null : snippetOf(snippet, known, written);
    if (program !== null) {
      shell.output.text(program.trimEnd());
      shell.output.document("export", { ...first, incomplete, snippet: program });
    } else if (isPiped) shell.output.event("export", { ...first, incomplete });
    else shell.output.document("export", isPerStation ? { exports, incomplete } : { ...first, incomplete });
    const { unknownIds } = splitStations(connection.cache.catalogue(), spec.stationIds);
    // Any other export names them itself.
    const unnamed = isPerStation ? unknownStationsSentence(unknownIds) : null;
    if (unnamed !== null) shell.output.warn(unnamed);
    return exitCodeOf(
      shell,
      incomplete,
      values,
      unknownIds.length > 0 && fetched === EXIT.ok ? EXIT.incomplete : fetched,
    );
  },
});

const REPEAT_OPTIONS: ReadonlySet<string> = new Set(["repeat", "out", "fetch", "force", "allowIncomplete"]);

/** Refuses arguments that the saved export determines, because they would be ignored silently. */
function refuseBesideRepeat(self: Command, words: readonly string[]): void {
  const given = self.options.find(
    (o) => !REPEAT_OPTIONS.has(o.attributeName()) && self.getOptionValueSource(o.attributeName()) === "cli",
  );
  const hasConnection = self.parent?.getOptionValueSource("connection") === "cli";
  const refused = words.length > 0 ? "stations" : hasConnection ? "--connection" : given?.long;
  if (refused !== undefined)
    throw usage(
      `--repeat does not accept ${refused}, because the saved export determines it. It accepts --out, --fetch, --force and --allow-incomplete.`,
    );
}

/** Refuses options that a format does not have. @throws Stop */
function checkForm(format: ExportFormat, { stationDetails, layout, timeSystem, emptyRows }: ExportValues): void {
  const { kind, hasDetails } = FORMATS[format];
  if (stationDetails !== undefined && hasDetails !== true)
    throw usage("--station-details is for csv and excel: the other formats include station details.");
  if (layout !== undefined && kind !== "array")
    throw usage("--layout is for netcdf, netcdf3 and zarr: the other formats are tables.");
  if (timeSystem !== undefined && format !== "sinex")
    throw usage("--time-system is for sinex: the times of the other formats are UTC.");
  if (emptyRows && kind !== "table")
    throw usage("--empty-rows is for tables: NetCDF has an axis of all epochs anyway.");
}

/** Checks the options of `--update`. @throws Stop */
function checkUpdate(format: ExportFormat, { out, vars, template }: ExportValues): void {
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
