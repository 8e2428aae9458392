import { posix } from "node:path";
import { count, many } from "#shared/text.ts";
import { streamXlsxRows } from "hucre/xlsx";
import { FormatFailure, readable } from "../../error.ts";
import { bytesIn, type ForeignFile } from "../../foreign/file.ts";
import { type ZipEntry, zipEntries } from "../../zip.ts";
import { CODE } from "../meaning/stations.ts";
import { listed } from "../notes.ts";
import { recordHeads, type TableHead } from "../table/heads.ts";
import { HEAD_LINES } from "../table/lines.ts";
import { toWidth, withoutEmptyEnd } from "../table/records.ts";
import { sectionOf } from "../table/between.ts";
import { fieldOf, type TableSource } from "../table/source.ts";

/** Whether a line above a heading is a code alone, as of a station. */
const isCode = ([first, ...more]: readonly string[]): boolean => more.length === 0 && CODE.test(first ?? "");

const MAX_MIB = 256;
const BATCH_ROWS = 5_000;
/** Sheets of notes may be before the first one of a table. */
const MAX_LOOKED = 8;
const DAMAGED = "This workbook is damaged: part of it cannot be read.";

/** Limit of the unpacked size of its parts, because a small file can unpack to any size. */
const MAX_UNPACKED_MIB = 2_048;

interface Sheet {
  readonly name: string;
  rows(): AsyncIterable<string[][]>;
  /** The number of its formulas without a value, counted as its rows are read. */
  uncalculated: number;
}

/**
 * Opens an Excel workbook (ECMA-376): the first sheet whose beginning is a table, and all sheets with the same heading;
 * null for another zip archive, by the names of its parts.
 * @throws FormatFailure
 */
export async function workbookSource(file: ForeignFile): Promise<TableSource | null> {
  const parts = await zipEntries(file);
  if (!parts.some(({ name }) => name === "xl/workbook.xml")) return null;
  if (parts.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_UNPACKED_MIB * 2 ** 20)
    throw new FormatFailure("tooLarge", `This workbook unpacks to more than ${count(MAX_UNPACKED_MIB)} MiB.`);
  // The library that reads the sheets does not compare the parts with their checksums.
  for (const part of parts) await part.unpack(() => {});
  if (file.bytes > MAX_MIB * 2 ** 20)
    throw new FormatFailure("tooLarge", `This workbook has more than ${count(MAX_MIB)} MiB. Export it as CSV.`);
  const sheets = await sheetsIn(file, parts);
  const heads: TableHead[] = [];
  for (const sheet of sheets.slice(0, MAX_LOOKED)) {
    const first: string[][] = [];
    for await (const rows of sheet.rows()) {
      first.push(...rows.slice(0, HEAD_LINES));
      if (first.length >= HEAD_LINES) break;
    }
    for (const head of recordHeads(first))
      heads.push({ ...head, skipped: 0, above: first[head.skipped - 1]?.join("\n") ?? "" });
  }
  const leftOut = new Set<Sheet>();
  return {
    format: "excel",
    heads,
    async *records({ above = "" }) {
      for (const sheet of sheets) {
        let isBelow = above === "";
        for await (const batch of sheet.rows()) {
          const at = isBelow ? -1 : batch.findIndex((row) => row.join("\n") === above);
          if (!isBelow && (at < 0 || at > HEAD_LINES)) break;
          const titles = batch.slice(0, Math.max(0, at)).filter((row) => sectionOf(row).isStation || isCode(row));
          yield isBelow ? batch : [[sheet.name], ...titles, ...batch.slice(at + 1)];
          isBelow = true;
        }
        if (!isBelow) leftOut.add(sheet);
      }
    },
    sheets: () => sheets.flatMap((sheet) => (leftOut.has(sheet) ? [] : sheet.name)),
    assumed() {
      const names = [...leftOut].map(({ name }) => name);
      const others = names.length === 0 ? [] : [`Sheets without this table are not shown: ${listed(names)}.`];
      const formulas = sheets.reduce((sum, sheet) => sum + (leftOut.has(sheet) ? 0 : sheet.uncalculated), 0);
      if (formulas === 0) return others;
      const words = many(formulas, "formula");
      return [...others, `This workbook has no values for ${words}: open and save it in Excel or LibreOffice once.`];
    },
  };
}

async function sheetsIn(file: ForeignFile, parts: readonly ZipEntry[]): Promise<Sheet[]> {
  const bytes = bytesIn(file, 0, file.bytes);
  return (await sheetParts(parts)).map(({ name, part }, sheet) => ({
    name,
    uncalculated: 0,
    async *rows() {
      let batch: string[][] = [];
      const { merges, uncalculated } = await scanned(part);
      this.uncalculated = uncalculated;
      const fill = mergeFiller(merges);
      const rows = streamXlsxRows(bytes, { sheet });
      const read = () => readable(DAMAGED, () => rows.next());
      for (let next = await read(); !next.done; next = await read()) {
        const record = next.value.values.map(cellText);
        fill(next.value.index, record);
        if (record.every((field) => field === "")) continue;
        batch.push(withoutEmptyEnd(record, 0));
        if (batch.length < BATCH_ROWS) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
  }));
}

/** A cell as the text of a field. Excel counts days since 1900: what is before is a time of day, at the most 24:00. */
function cellText(value: unknown): string {
  if (!(value instanceof Date)) return fieldOf(value);
  // A cell has no zone.
  if (value.getTime() > EXCEL_DAY_1_MS) return fieldOf(value).replace("Z", "");
  return value.getTime() === EXCEL_DAY_1_MS ? "24:00:00" : fieldOf(value).slice(11, 23);
}

const EXCEL_DAY_1_MS = Date.UTC(1900, 0, 1);

/** The parts of the sheets in the order of the workbook, which names their relationships (ECMA-376, part 2). */
async function sheetParts(parts: readonly ZipEntry[]) {
  const elements = async (part: string, element: string): Promise<Map<string, string>[]> => {
    let text = "";
    await parts.find(({ name }) => name === part)?.unpack((bytes) => (text += Buffer.from(bytes).toString("latin1")));
    return [...text.matchAll(new RegExp(`<(?:\\w+:)?${element}\\s([^>]*)>`, "g"))].map(
      ([, attributes = ""]) =>
        new Map(
          [...attributes.matchAll(/([\w:]+)\s*=\s*(["'])(.*?)\2/g)].map(([, key = "", , value = ""]) => [key, value]),
        ),
    );
  };
  const targets = await elements("xl/_rels/workbook.xml.rels", "Relationship");
  return (await elements("xl/workbook.xml", "sheet")).map((sheet) => {
    const id = [...sheet].find(([key]) => key.endsWith(":id"))?.[1];
    const target = targets.find((relationship) => relationship.get("Id") === id)?.get("Target") ?? "";
    const path = posix.resolve("/xl", target).slice(1);
    const name = Buffer.from(sheet.get("name") ?? "", "latin1").toString();
    return { name: withoutEntities(name), part: parts.find((each) => each.name === path) };
  });
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (all, hex, decimal, name) => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal ?? Number.NaN);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : (ENTITIES[name] ?? all);
  });
}

/** Columns and rows, from 0, that are merged into one cell, whose value is stored with the first one alone. */
interface Merge {
  readonly columns: readonly number[];
  readonly first: number;
  readonly last: number;
}

/**
 * Finds what the library that reads the rows of a sheet does not tell: merged cells, as pandas writes an index of several levels, and
 * names of groups of columns, and the number of formulas without a value, as libraries write them that do not calculate.
 */
async function scanned(sheet: ZipEntry | undefined) {
  let [text, uncalculated, isBelow] = ["", 0, false];
  const countTo = (end: number): void => {
    uncalculated += text.slice(0, end).match(UNCALCULATED)?.length ?? 0;
    text = text.slice(end);
  };
  await sheet?.unpack((bytes) => {
    text += Buffer.from(bytes).toString("latin1");
    isBelow ||= text.includes(END_OF_ROWS);
    if (!isBelow) countTo(Math.max(0, text.lastIndexOf("<c"), text.length - MAX_CELL_CHARACTERS));
  });
  countTo(text.indexOf(END_OF_ROWS));
  // They follow the rows.
  const merges = [...text.matchAll(/<mergeCell ref="([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)"/g)].map(
    ([, from = "", first, to = "", last]) => {
      const [start = 0, end = 0] = [from, to].map(columnOf);
      const columns = Array.from({ length: Math.min(MAX_MERGED, 1 + end - start) }, (_, i) => start + i);
      return { columns, first: Number(first) - 1, last: Number(last) - 1 };
    },
  );
  return { merges, uncalculated };
}

function columnOf(letters: string): number {
  return letters.split("").reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1;
}

const MAX_MERGED = 1_000;
const END_OF_ROWS = "</sheetData>";
const MAX_CELL_CHARACTERS = 200_000;
/** A cell with a formula and no value. A formula of texts may have the empty one. */
const UNCALCULATED = /<c(?![^>]* t="str")[^>]*>\s*<f(?:[^>]*\/>|[^<]*<\/f>)\s*(?:<v\s*\/>|<v><\/v>|<\/c>)/g;

function mergeFiller(merges: readonly Merge[]): (row: number, record: string[]) => void {
  const starting = Map.groupBy(merges, ({ first }) => first);
  /** By column, because merged cells do not overlap. */
  const open = new Map<number, { readonly last: number; readonly value: string }>();
  return (row, record) => {
    for (const [column, { last, value }] of open) {
      if (row > last) open.delete(column);
      else toWidth(record, column + 1)[column] ||= value;
    }
    const isAlone = record.filter(Boolean).length < 2;
    for (const { columns, last } of starting.get(row) ?? []) {
      const [first = 0] = columns;
      const value = record[first] ?? "";
      open.set(first, { last, value });
      // The title of a whole table is not that of its columns.
      const isTitle = isAlone && first === 0;
      if (!isTitle && value !== "") for (const column of columns) toWidth(record, column + 1)[column] ||= value;
    }
  };
}
