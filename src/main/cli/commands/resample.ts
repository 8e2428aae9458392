import { csvLine } from "#shared/file/csv.ts";
import { failure, success } from "#shared/service/error.ts";
import type { Column, SeriesRows } from "#shared/series/rows.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { type Variable, variableInfo, variableKind, withImpliedVariables } from "#shared/service/variables.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { command, type Parsed, read, required } from "../command.ts";
import { assertWritable, exportSelection, formatOf, formatWord, refuseTerminal, STDOUT } from "../export/exporting.ts";
import { fetchCommand } from "../download/commands.ts";
import { exitCodeOf, fetchOrWarn, type Incomplete, incompleteData } from "../export/missing.ts";
import {
  ALLOW_INCOMPLETE,
  HEIGHT_REFERENCE,
  RANGE,
  RAW,
  requireInterval,
  STATIONS,
  variables as variablesWord,
  ZONE,
} from "../options/options.ts";
import { parseInterval } from "../options/parse.ts";
import { userPath } from "../options/paths.ts";
import { noteUnlisted, readSelection, warnOfRemoved } from "../options/selection.ts";
import type { Shell } from "../shell.ts";
import { documentHead, toPlainJson } from "../terminal/output.ts";
import { type Columns, right, shrinking, table } from "../terminal/table.ts";
import { jsonText } from "../terminal/text.ts";

export const addResample = command({
  description:
    "Averages cached observations over intervals aligned to UTC, by the service's rules: the mean of ztd, " +
    "ztd_sigma and pwv (mm), the first observation of satellite variables, and no row without an observation; the " +
    "time is the start of the interval. A range that does not start and end on an interval is extended, with a " +
    "message. A variable has a mean where its observations of the whole interval are cached. Works offline from the data of “fetch” without --interval, and reports gaps of the cache. Prints a " +
    "table on a terminal and CSV elsewhere, or writes a file with --out.",
  words: {
    ...STATIONS,
    ...variablesWord(),
    ...RANGE,
    "--interval <duration>": required(read("length of the intervals, at least 30 s: 30s, 15m, 1h, 1d", parseInterval)),
    ...ZONE,
    ...RAW,
    ...HEIGHT_REFERENCE,
    ...ALLOW_INCOMPLETE,
    "--as <form>": read("on the screen: table or csv", (text): Parsed<"table" | "csv"> =>
      text === "table" || text === "csv" ? success(text) : failure("--as is table or csv."),
    ),
    "--out <file>": "write a file instead, as “export” does: .nc, .csv, .parquet …",
    "--force": "replaces the file if it exists",
    "--format <format>": formatWord("of the file"),
  },
  examples: [
    ["resample Kallio --day 2026-10-05 --interval 1h", "a table of hourly means"],
    ["resample Kallio --month 2026-10 --interval 1d --zone Europe/Helsinki", "local days, also of 23 and 25 h"],
    ["resample all --month 2026-10 --interval 15m --out october.nc", "a NetCDF file"],
  ],
  async run(shell, values) {
    const { output } = shell;
    const { zone, heightReference } = values;
    const as = output.json ? "json" : (values.as ?? (output.csv || output.width === null ? "csv" : "table"));
    requireInterval(values);
    const connection = await shell.connection();
    const { stations, spec } = await readSelection(shell, connection, values);
    noteUnlisted(shell, connection, values.stations);
    warnOfRemoved(shell, connection, values.stations);
    const native = { ...spec, intervalSeconds: null };
    await fetchOrWarn(shell, connection, native, fetchCommand(native, values.stations));
    const incomplete = incompleteData(connection, native);
    if (values.out !== undefined) {
      const path = values.out === "-" ? STDOUT : values.out;
      const format = formatOf(values.out, values.format);
      refuseTerminal(path, format, output);
      if (path !== STDOUT) await assertWritable([userPath(path)], format, values.force ?? false);
      const request = { ...spec, resampled: true, zone, format, heightReference, path };
      output.document("export", { ...(await exportSelection(shell, connection, request)), incomplete });
      return exitCodeOf(shell, incomplete, values);
    }
    const app = await shell.app();
    // Satellite values need the satellite identifiers.
    const variables = withImpliedVariables(spec.variables);
    const rows = (stationId: string) => app.rows(connection, { ...spec, resampled: true, zone }, stationId, variables);
    await writeSeries(shell, { stations, variables, rows, incomplete, as });
    return exitCodeOf(shell, incomplete, values);
  },
});

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
  const columns = Object.fromEntries([
    ["Time (UTC)", (row: Row) => row.time],
    ...variables.map((v, i) => [columnName(v), right(shrinking((row: Row) => roundedText(row.values[i] ?? null, v)))]),
  ]) as Columns<Row>;
  if (as === "csv") await output.stream(`${["station_id", "time", ...variables.map(columnName)].join(",")}\n`);
  if (as === "json") await output.stream(`${jsonText(documentHead("resample")).slice(0, -1)},"rows":[`);
  let separator = "";
  for (const { id, displayName } of stations) {
    const shown: Row[] = [];
    for (const block of series.rows(id)) {
      if (as === "table") shown.push(...meanRows(block, variables));
      else if (as === "csv") {
        const lines = meanRows(block, variables).map((r) => `${csvLine([id, r.time, ...r.values])}\n`);
        await output.stream(lines.join(""));
      } else {
        const objects = meanRows(block, variables).map((r) =>
          jsonText({ station_id: id, time: r.time, ...Object.fromEntries(variables.map((v, i) => [v, r.values[i]])) }),
        );
        await output.stream(separator + objects.join(","));
        separator = ",";
      }
    }
    if (as !== "table") continue;
    output.print([displayName, ...(shown.length > 0 ? table(shown, columns, output.width) : ["  no rows"]), ""]);
  }
  if (as === "json") await output.stream(`],"incomplete":${jsonText(toPlainJson(series.incomplete))}}\n`);
}

type Value = number | string | null;

interface Row {
  readonly time: string;
  readonly values: readonly Value[];
}

function meanRows(block: SeriesRows, variables: readonly Variable[]): Row[] {
  return Array.from(block.timesMs, (timeMs, i) => ({
    time: formatUtcShort(timeMs),
    values: variables.map((v) => cellValue(block.columns[v], i)),
  }));
}

function cellValue(column: Column | undefined, i: number): Value {
  const value = column?.values[i] ?? null;
  return typeof value === "number" && Number.isNaN(value) ? null : value;
}

/** Variable with its unit, as in files: `ztd_mm`. */
function columnName(variable: Variable): string {
  const { unit } = variableInfo(variable);
  return variableKind(variable) === "scalar" ? `${variable}_${unit}` : variable;
}

/** For reading: with the decimals of the variable. */
function roundedText(value: Value, variable: Variable): string {
  if (typeof value !== "number") return value ?? "";
  const info = variableInfo(variable);
  return info.kind === "scalar" ? value.toFixed(info.decimals) : String(value);
}
