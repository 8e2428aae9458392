import type { ForeignFile } from "../../foreign/file.ts";
import { type ColumnFacts, describedBy } from "../meaning/columns.ts";
import { textLines } from "../text.ts";
import { recordHead, type TableHead } from "./heads.ts";
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
    const columns = table.columns.map(([column, unit]) =>
      unit === null ? column : describedBy({ name: column, longName: null, standardName: null, unit }),
    );
    const rows = first.lines.map(read).filter((fields) => fields !== null);
    const isAsked = table.scale === "asked";
    const described = isAsked ? { withoutScale: name } : { comments: [`time system: ${table.scale}`] };
    return {
      format: "csv",
      heads: formatHeads(name, columns, rows).map((head) => ({ ...head, ...described })),
      first,
      records: () => recordsOf(file, table),
      remarks: [`Read as ${name}.`],
    };
  }
  return null;
}

/** The interpretation of a table whose format names the columns. @param columns names alone are of places and times */
export function formatHeads(
  format: string,
  columns: readonly (string | ColumnFacts)[],
  rows: readonly (readonly string[])[],
): TableHead[] {
  const names = columns.map((column) => (typeof column === "string" ? column : column.heading));
  const whole = rows.filter(({ length }) => length === names.length);
  const head = recordHead(`${format}: ${names.join(",")}`, names, whole);
  const facts = columns.map((column) => (typeof column === "string" ? null : column));
  const units = facts.map((column) => column?.raw.unit ?? null);
  return head ? [{ ...head, stations: [], facts, units }] : [];
}

function* recordsOf(file: ForeignFile, table: RecipeTable): Iterable<string[][]> {
  const read = table.reader();
  for (const lines of textLines(file)) yield lines.map(read).filter((fields) => fields !== null);
}
