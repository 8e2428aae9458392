import { chunksOf, type ForeignFile } from "../../foreign/file.ts";
import type { FirstLines, TableHead } from "./lines.ts";
import { RECIPES, type RecipeTable } from "./recipes.ts";
import type { TableSource } from "./source.ts";

/** Returns a file of a known format as a table; null for other files. */
export function recipeSource(file: ForeignFile, first: FirstLines): TableSource | null {
  for (const { name, open } of RECIPES) {
    const table = open(first.lines);
    if (!table) continue;
    const rows = first.lines.flatMap((line) => fitting(table, line));
    const head: TableHead = {
      delimiter: null,
      header: `${name}: ${table.names.join(",")}`,
      names: table.names,
      rows: rows.slice(0, 40),
      units: table.units,
      about: table.names.map((column, i) => {
        const unit = table.units[i] ?? null;
        return unit === null ? null : { name: column, longName: null, standardName: null, unit };
      }),
      comments: [`time system: ${table.scale}`],
      skipped: 0,
    };
    return {
      format: "csv",
      heads: rows.length === 0 ? [] : [head],
      first,
      records: () => recordsOf(file, table),
      remarks: [`Read as ${name}.`],
    };
  }
  return null;
}

function fitting({ names, read }: RecipeTable, line: string): string[][] {
  const fields = read(line);
  return fields && fields.length === names.length ? [fields] : [];
}

function* recordsOf(file: ForeignFile, table: RecipeTable): Iterable<string[][]> {
  let rest = "";
  for (const chunk of chunksOf(file)) {
    const lines = (rest + chunk.toString("latin1")).split(/\r?\n/);
    rest = lines.pop() ?? "";
    yield lines.map((line) => table.read(line)).filter((fields) => fields !== null);
  }
  const last = table.read(rest);
  if (last) yield [last];
}
