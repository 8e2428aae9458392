import { count } from "#shared/text.ts";
import type { CellValue } from "hucre";
import { streamXlsxRows } from "hucre/xlsx";
import { FormatFailure } from "../../error.ts";
import { bytesIn, type ForeignFile } from "../../foreign/file.ts";
import { zipEntries } from "../packed/zip.ts";
import { fieldOf } from "../table/source.ts";

/** Limit of the compressed size, because the file is kept in memory. */
const MAX_MIB = 256;
const BATCH_ROWS = 5_000;

/** Limit of the unpacked size of its parts, because a small file can unpack to any size. */
const MAX_UNPACKED_MIB = 2_048;

/**
 * Whether a zip archive is an Excel workbook (ECMA-376), by the name of its main part. Its parts are compared with their
 * checksums, which the library that reads the sheets does not do. @throws FormatFailure
 */
export async function isWorkbook(file: ForeignFile): Promise<boolean> {
  const parts = await zipEntries(file);
  if (!parts.some(({ name }) => name === "xl/workbook.xml")) return false;
  if (parts.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_UNPACKED_MIB * 2 ** 20)
    throw new FormatFailure("tooLarge", `This workbook unpacks to more than ${count(MAX_UNPACKED_MIB)} MiB.`);
  for (const part of parts) await part.unpack(() => {});
  return true;
}

/**
 * Yields an exported workbook as records in batches, starting with the column names. A full sheet is continued on the next
 * one with the same header. @throws FormatFailure
 */
export async function* workbookRecords(file: ForeignFile): AsyncIterable<string[][]> {
  if (file.bytes > MAX_MIB * 2 ** 20)
    throw new FormatFailure("tooLarge", `This workbook has more than ${count(MAX_MIB)} MiB. Export it as CSV.`);
  const bytes = bytesIn(file, 0, file.bytes);
  let names: string[] | null = null;
  for (let sheet = 0, hasRows = true; hasRows; sheet++) {
    hasRows = false;
    let batch: string[][] = [];
    const rows = streamXlsxRows(bytes, { sheet });
    for (let next = await readable(rows); next !== null; next = await readable(rows)) {
      const record = next.map(fieldOf);
      const isHead = !hasRows;
      hasRows = true;
      if (names !== null && isHead && record.join("\n") === names.join("\n")) continue;
      // A sheet with other content, such as a user's notes.
      if (names !== null && isHead) break;
      names ??= record;
      // Trailing empty cells are not stored.
      while (record.length < names.length) record.push("");
      batch.push(record);
      if (batch.length < BATCH_ROWS) continue;
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
