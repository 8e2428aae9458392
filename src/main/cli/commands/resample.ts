import { defined } from "#shared/defined.ts";
import { csvLine } from "#shared/file/csv.ts";
import type { Column, SeriesRows } from "#shared/series/rows.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { type Variable, variableInfo, variableKind, withImpliedVariables } from "#shared/service/variables.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { usage } from "../exit.ts";
import {
  assertWritable,
  exportSelection,
  type ExportWords,
  formatOf,
  formatOption,
  refuseTerminal,
  STDOUT,
} from "../export/exporting.ts";
import {
  addAllowIncomplete,
  type AllowIncomplete,
  exitCodeOf,
  type Incomplete,
  incompleteData,
  warnMissingSelection,
} from "../export/missing.ts";
import {
  addHeightReference,
  addInterval,
  addRange,
  addRaw,
  addVariables,
  addZone,
  requireInterval,
  type SelectionOptions,
  STATION_WORDS,
  userPath,
} from "../options/options.ts";
import { noteUnlisted, readSelection } from "../options/selection.ts";
import type { Shell } from "../shell.ts";
import { documentHead, toPlainJson } from "../terminal/output.ts";
import { shrinking, table } from "../terminal/table.ts";
import { jsonText } from "../terminal/text.ts";
import { type AddCommand, examples } from "./types.ts";

interface SeriesToWrite {
  readonly stations: readonly CatalogueStation[];
  readonly variables: readonly Variable[];
  readonly rows: (stationId: string) => Iterable<SeriesRows>;
  /** csv and json have all digits; table is rounded for reading. */
  readonly as: "table" | "csv" | "json";
  readonly incomplete: Incomplete | null;
}

/** Writes rows of several stations to stdout, block by block, so that any length fits into memory. */
async function writeSeries({ output }: Shell, series: SeriesToWrite): Promise<void> {
  const { stations, variables, as } = series;
  if (as === "csv") await output.stream(`${["station_id", "time", ...variables.map(columnName)].join(",")}\n`);
  if (as === "json") await output.stream(`${jsonText(documentHead("resample")).slice(0, -1)},"rows":[`);
  let separator = "";
  for (const { id, displayName } of stations) {
    const shown: string[][] = [];
    for (const block of series.rows(id)) {
      if (as === "table") {
        for (const { time, values } of rowsOf(block, variables))
          shown.push([time, ...values.map((value, i) => rounded(value, defined(variables[i])))]);
      } else if (as === "csv") {
        const lines = rowsOf(block, variables).map((r) => `${csvLine([id, r.time, ...r.values])}\n`);
        await output.stream(lines.join(""));
      } else {
        const objects = rowsOf(block, variables).map((r) =>
          jsonText({ station_id: id, time: r.time, ...Object.fromEntries(variables.map((v, i) => [v, r.values[i]])) }),
        );
        await output.stream(separator + objects.join(","));
        separator = ",";
      }
    }
    if (as !== "table") continue;
    const columns = ["Time (UTC)", ...variables.map((v) => ({ ...shrinking(columnName(v)), isRight: true }))];
    output.print(
      shown.length === 0 ? [displayName, "  no rows", ""] : [displayName, ...table(columns, shown, output.width), ""],
    );
  }
  if (as === "json") await output.stream(`],"incomplete":${jsonText(toPlainJson(series.incomplete))}}\n`);
}

type Value = number | string | null;

function rowsOf(block: SeriesRows, variables: readonly Variable[]): { time: string; values: Value[] }[] {
  return Array.from(block.timesMs, (timeMs, i) => ({
    time: formatUtcShort(timeMs),
    values: variables.map((v) => valueAt(block.columns[v], i)),
  }));
}

function valueAt(column: Column | undefined, i: number): Value {
  const value = column?.values[i] ?? null;
  return typeof value === "number" && Number.isNaN(value) ? null : value;
}

/** Variable with its unit, as in files: `ztd_mm`. */
function columnName(variable: Variable): string {
  const { unit } = variableInfo(variable);
  return variableKind(variable) === "scalar" ? `${variable}_${unit}` : variable;
}

/** For reading: with the decimals of the variable. */
function rounded(value: Value, variable: Variable): string {
  if (typeof value !== "number") return value ?? "";
  const info = variableInfo(variable);
  return info.kind === "scalar" ? value.toFixed(info.decimals) : String(value);
}

interface ResampleOptions extends SelectionOptions, AllowIncomplete, Partial<ExportWords> {
  readonly force?: boolean;
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
  const INTERVAL = "length of the intervals, at least 30 s: 30s, 15m, 1h, 1d";
  addAllowIncomplete(addHeightReference(addRaw(addZone(addInterval(addRange(addVariables(command)), INTERVAL, true)))))
    .option("--as <form>", "on the screen: table or csv")
    .option("--out <file>", "write a file instead, as “export” does: .nc, .csv, .parquet …")
    .option("--force", "replaces the file if it exists")
    .addOption(formatOption("of the file"))
    .addHelpText(
      "after",
      examples(
        ["resample Kallio --day 2026-10-05 --interval 1h", "a table of hourly means"],
        ["resample Kallio --month 2026-10 --interval 1d --zone Europe/Helsinki", "local days, also of 23 and 25 h"],
        ["resample all --month 2026-10 --interval 15m --out october.nc", "a NetCDF file"],
      ),
    )
    .action(
      run(async (shell, words: string[], options: ResampleOptions) => {
        const { output } = shell;
        const as = output.json ? "json" : (options.as ?? (output.csv || output.width === null ? "csv" : "table"));
        if (!["table", "csv", "json"].includes(as)) throw usage("--as is table or csv.");
        requireInterval(options);
        const { zone } = options;
        const connection = await shell.connection();
        const selection = await readSelection(shell, connection, { words, source: "cache" }, options);
        const { stations, spec } = selection;
        noteUnlisted(shell, connection, words);
        const native = { ...spec, intervalSeconds: null };
        await warnMissingSelection(shell, connection, native, words);
        const incomplete = incompleteData(connection, native);
        if (options.out !== undefined) {
          const format = formatOf(options.out, options.format);
          refuseTerminal(options.out === "-" ? STDOUT : options.out, format, output);
          if (options.out !== "-") await assertWritable([userPath(options.out)], format, options.force ?? false);
          const heightReference = options.heightReference ?? "WGS84_ELLIPSOID";
          const report = await exportSelection(shell, connection, {
            ...spec,
            resampled: true,
            zone,
            format,
            heightReference,
            path: options.out === "-" ? STDOUT : options.out,
          });
          output.document("export", { ...report, incomplete });
          return exitCodeOf(shell, incomplete, options);
        }
        const app = await shell.app();
        // Satellite values need the satellite identifiers.
        const variables = withImpliedVariables(spec.variables);
        const rows = (stationId: string) =>
          app.rows(connection, { ...spec, resampled: true, zone }, stationId, variables);
        await writeSeries(shell, { stations, variables, rows, incomplete, as: as as "table" | "csv" | "json" });
        return exitCodeOf(shell, incomplete, options);
      }),
    );
};
