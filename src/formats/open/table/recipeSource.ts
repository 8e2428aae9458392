import type { ForeignFile } from "../../foreign/file.ts";
import { textLines } from "../text.ts";
import { recordHead } from "./heads.ts";
import type { FirstLines } from "./lines.ts";
import type { RecipeTable } from "./recipe.ts";
import { RECIPES } from "./recipes.ts";
import type { TableSource } from "./source.ts";

/** Returns a file of a known format as a table; null for other files. */
export function recipeSource(file: ForeignFile, first: FirstLines): TableSource | null {
  for (const { name, open } of RECIPES) {
    const table = open(first.lines);
    if (!table) continue;
    const read = table.reader();
    const names = table.columns.map(([column]) => column);
    const rows = first.lines.map(read).filter((fields) => fields?.length === names.length) as string[][];
    const head = recordHead(`${name}: ${names.join(",")}`, names, rows);
    const described = {
      units: table.columns.map(([, unit]) => unit),
      about: table.columns.map(([column, unit, longName = null, standardName = null]) =>
        unit === null && longName === null ? null : { name: column, longName, standardName, unit },
      ),
      ...(table.noValue === undefined ? {} : { missing: names.map(() => table.noValue ?? null) }),
      ...(table.scale === "asked" ? { withoutScale: name } : {}),
      comments: table.scale === "asked" || table.scale === null ? [] : [`time system: ${table.scale}`],
    };
    return {
      format: "csv",
      heads: head ? [{ ...head, ...described }] : [],
      first,
      records: () => recordsOf(file, table),
      remarks: [`Read as ${name}.`],
    };
  }
  return null;
}

function* recordsOf(file: ForeignFile, table: RecipeTable): Iterable<string[][]> {
  const read = table.reader();
  for (const lines of textLines(file)) yield lines.map(read).filter((fields) => fields !== null);
}
