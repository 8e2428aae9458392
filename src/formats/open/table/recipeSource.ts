import type { ForeignFile } from "../../foreign/file.ts";
import { textLines } from "../text.ts";
import type { FirstLines, TableHead } from "./lines.ts";
import { RECIPES, type RecipeTable } from "./recipes.ts";
import type { TableSource } from "./source.ts";

/** Returns a file of a known format as a table; null for other files. */
export function recipeSource(file: ForeignFile, first: FirstLines): TableSource | null {
  for (const { name, open } of RECIPES) {
    const table = open(first.lines);
    if (!table) continue;
    const read = table.reader();
    const rows = first.lines.flatMap((line) => fitting(table, read(line)));
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

function fitting({ names }: RecipeTable, fields: readonly string[] | null): (readonly string[])[] {
  return fields && fields.length === names.length ? [fields] : [];
}

function* recordsOf(file: ForeignFile, table: RecipeTable): Iterable<string[][]> {
  const read = table.reader();
  for (const lines of textLines(file)) yield lines.map(read).filter((fields) => fields !== null);
}
