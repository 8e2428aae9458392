import { posix } from "node:path";
import { count } from "#shared/text.ts";
import { streamXlsxRows } from "hucre/xlsx";
import { FormatFailure, readable } from "../../error.ts";
import { bytesIn, type ForeignFile } from "../../foreign/file.ts";
import { type ZipEntry, zipEntries } from "../../zip.ts";
import { fieldOf } from "../table/source.ts";

const MAX_MIB = 256;
const BATCH_ROWS = 5_000;
const DAMAGED = "This workbook is damaged: part of it cannot be read.";

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
  const sheets = await sheetParts(await zipEntries(file));
  let names: string[] | null = null;
  for (let sheet = 0, hasRows = true; hasRows; sheet++) {
    hasRows = false;
    let batch: string[][] = [];
    const fill = mergeFiller(await mergesOf(sheets[sheet]));
    const rows = streamXlsxRows(bytes, { sheet });
    const read = () => readable(DAMAGED, () => rows.next());
    for (let next = await read(); !next.done; next = await read()) {
      const record = next.value.values.map(fieldOf);
      const isHead = !hasRows;
      hasRows = true;
      if (names !== null && isHead && record.join("\n") === names.join("\n")) continue;
      // A sheet with other content, such as a user's notes.
      if (names !== null && isHead) break;
      names ??= record;
      // Trailing empty cells are not stored.
      while (record.length < names.length) record.push("");
      fill(next.value.index, record);
      batch.push(record);
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  }
}

/** The parts of the sheets in the order of the workbook, which names their relationships (ECMA-376, part 2). */
async function sheetParts(parts: readonly ZipEntry[]): Promise<(ZipEntry | undefined)[]> {
  const elements = async (part: string, element: string): Promise<Map<string, string>[]> => {
    let text = "";
    await parts.find(({ name }) => name === part)?.unpack((bytes) => (text += Buffer.from(bytes).toString("latin1")));
    return [...text.matchAll(new RegExp(`<(?:\\w+:)?${element}\\s([^>]*)>`, "g"))].map(
      ([, attributes = ""]) =>
        new Map(
          [...attributes.matchAll(/([\w:]+)\s*=\s*["']([^"']*)["']/g)].map(([, key = "", value = ""]) => [key, value]),
        ),
    );
  };
  const targets = await elements("xl/_rels/workbook.xml.rels", "Relationship");
  return (await elements("xl/workbook.xml", "sheet")).map((sheet) => {
    const id = [...sheet].find(([key]) => key.endsWith(":id"))?.[1];
    const target = targets.find((relationship) => relationship.get("Id") === id)?.get("Target") ?? "";
    const path = posix.resolve("/xl", target).slice(1);
    return parts.find(({ name }) => name === path);
  });
}

/** Rows of a column, from 0, that are merged into one cell, whose value is stored with the first one alone. */
interface Merge {
  readonly column: number;
  readonly first: number;
  readonly last: number;
}

/** The cells of a sheet that are merged downwards, as pandas writes an index of several levels. They follow the rows. */
async function mergesOf(sheet: ZipEntry | undefined): Promise<Merge[]> {
  let text = "";
  let isBelow = false;
  await sheet?.unpack((bytes) => {
    text += Buffer.from(bytes).toString("latin1");
    isBelow ||= text.includes(END_OF_ROWS);
    if (!isBelow) text = text.slice(-END_OF_ROWS.length);
  });
  return [...text.matchAll(/<mergeCell ref="([A-Z]{1,3})(\d+):\1(\d+)"/g)].map(([, letters = "", first, last]) => ({
    column: letters.split("").reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1,
    first: Number(first) - 1,
    last: Number(last) - 1,
  }));
}

const END_OF_ROWS = "</sheetData>";

function mergeFiller(merges: readonly Merge[]): (row: number, record: string[]) => void {
  const starting = Map.groupBy(merges, ({ first }) => first);
  /** By column, because merged cells do not overlap. */
  const open = new Map<number, { readonly last: number; readonly value: string }>();
  return (row, record) => {
    for (const [column, { last, value }] of open) {
      if (row > last) open.delete(column);
      else record[column] ||= value;
    }
    for (const { column, last } of starting.get(row) ?? []) open.set(column, { last, value: record[column] ?? "" });
  };
}
