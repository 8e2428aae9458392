import { readFile, stat } from "node:fs/promises";
import { count } from "#shared/text.ts";
import type { CellValue } from "hucre";
import { streamXlsxRows } from "hucre/xlsx";
import { FormatFailure } from "../../error.ts";
import { zipEntries } from "../packed/zip.ts";

/** The packed file is in memory while it is read. */
const MOST_MIB = 256;
const ROWS_AT_ONCE = 5_000;

/** Whether a zip archive is a workbook of Excel (ECMA-376), by the name of its main part. @throws FormatFailure */
export async function isWorkbook(path: string): Promise<boolean> {
  return (await zipEntries(path)).some(({ name }) => name === "xl/workbook.xml");
}

/**
 * A workbook of ours as the records of a table, in batches, the names of its columns first. Where a sheet is full the next
 * one goes on below the same names. @throws FormatFailure
 */
export async function* workbookRecords(path: string): AsyncIterable<string[][]> {
  if ((await stat(path)).size > MOST_MIB * 2 ** 20)
    throw new FormatFailure("tooLarge", `This workbook has more than ${count(MOST_MIB)} MiB. Export it as CSV.`);
  const bytes = await readFile(path);
  let names: string[] | null = null;
  for (let sheet = 0, hasRows = true; hasRows; sheet++) {
    hasRows = false;
    let batch: string[][] = [];
    const rows = streamXlsxRows(bytes, { sheet });
    for (let next = await readable(rows); next !== null; next = await readable(rows)) {
      const record = next.map(textOf);
      const isHead = !hasRows;
      hasRows = true;
      if (names !== null && isHead && record.join("\n") === names.join("\n")) continue;
      // A sheet of something else, such as notes that somebody added.
      if (names !== null && isHead) break;
      names ??= record;
      // Empty cells at the end of a row are not in the file.
      while (record.length < names.length) record.push("");
      batch.push(record);
      if (batch.length < ROWS_AT_ONCE) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  }
}

async function readable(rows: AsyncGenerator<{ readonly values: readonly CellValue[] }>) {
  try {
    const next = await rows.next();
    return next.done ? null : next.value.values;
  } catch (thrown) {
    throw new FormatFailure("unreadable", "This workbook is damaged: part of it cannot be read.", thrown);
  }
}

function textOf(value: CellValue): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
