import { csvLine } from "#shared/file/csv.ts";
import type { Column, SeriesRows } from "#shared/series/rows.ts";
import { type Variable, variableInfo, variableKind } from "#shared/service/variables.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Shell } from "../shell.ts";
import { table } from "../terminal/table.ts";
import { jsonText } from "../terminal/text.ts";

export interface SeriesToWrite {
  readonly stations: readonly CatalogueStation[];
  readonly variables: readonly Variable[];
  readonly rows: (stationId: string) => Iterable<SeriesRows>;
  /** csv and json have all digits; table is rounded for reading. */
  readonly as: "table" | "csv" | "json";
}

/** Writes rows of several stations to stdout, block by block, so that any length fits into memory. */
export async function writeSeries({ output }: Shell, series: SeriesToWrite): Promise<void> {
  const { stations, variables, as } = series;
  if (as === "csv") await output.stream(`${["station_id", "time", ...variables.map(columnName)].join(",")}\n`);
  if (as === "json") await output.stream('{"rows":[');
  let separator = "";
  for (const { id, displayName } of stations) {
    const shown: string[][] = [];
    for (const block of series.rows(id)) {
      if (as === "table") {
        for (const { time, values } of rowsOf(block, variables)) shown.push([time, ...values.map(rounded)]);
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
    const columns = [
      { title: "Time (UTC)" },
      ...variables.map((v) => ({ title: columnName(v), align: "right" as const, canShrink: true })),
    ];
    output.print(
      shown.length === 0 ? [displayName, "  no rows", ""] : [displayName, ...table(columns, shown, output.width), ""],
    );
  }
  if (as === "json") await output.stream("]}\n");
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

function rounded(value: Value): string {
  return typeof value === "number" ? value.toFixed(2) : (value ?? "");
}
