import { parseUtc } from "#shared/time/utc.ts";
import { count } from "#shared/text.ts";
import { FormatFailure } from "../../error.ts";
import type { Pace } from "../../pace.ts";
import type { ColumnCache } from "../columnCache.ts";
import { Gathering, type GroupOf } from "../gathered/index.ts";
import { createNotes, listed, type Notes } from "../notes.ts";
import { type Recognized, recognize } from "../quantity.ts";
import type { SeriesFile } from "../types.ts";
import { type CsvColumn, csvColumns } from "./columns.ts";
import { csvRecords } from "./records.ts";

const NOT_OURS =
  "This table is not of Zenith Desk: it has no columns station_id and time. Export it as CSV with named columns, and open that.";
interface Numbers extends Recognized {
  /** Where its fields stand in a record. */
  readonly at: number;
}

/** Reads a CSV file of ours, for tools or for spreadsheets, of series or of satellites. @throws FormatFailure */
export async function describeCsv(path: string, cache: ColumnCache, pace: Pace): Promise<SeriesFile> {
  return describeTable({ format: "csv", records: csvRecords(path) }, cache, pace);
}

/** A table of ours in any format, as its records: the names of the columns first. */
export interface TableRecords {
  readonly format: "csv" | "parquet" | "sqlite" | "excel";
  readonly remarks?: readonly string[];
  readonly records: AsyncIterable<readonly (readonly string[])[]>;
}

export async function describeTable(table: TableRecords, cache: ColumnCache, pace: Pace): Promise<SeriesFile> {
  const gathering = new Gathering();
  try {
    const notes = createNotes();
    for (const remark of table.remarks ?? []) notes.add(remark);
    const { stations, numbers } = await readRows(table.records, gathering, notes, pace);
    const about = { format: table.format, title: null, source: null };
    return await gathering.done(about, numbers, (key) => stations.get(key) ?? NOWHERE, { notes, cache, pace });
  } catch (thrown) {
    gathering.close();
    throw thrown;
  }
}

const NOWHERE: GroupOf = { label: "no station", stationId: "", satellite: null, position: null };

interface ReadRows {
  readonly stations: Map<string, GroupOf>;
  readonly numbers: Numbers[];
}

async function readRows(
  batches: TableRecords["records"],
  gathering: Gathering,
  notes: Notes,
  pace: Pace,
): Promise<ReadRows> {
  let header: readonly CsvColumn[] | null = null;
  let numbers: Numbers[] = [];
  const stations = new Map<string, GroupOf>();
  const counts = { untimed: 0, unread: 0, short: 0 };
  for await (const records of batches) {
    for (const record of records) {
      if (header === null) {
        header = csvColumns(record);
        if (header === null) throw new FormatFailure("unreadable", NOT_OURS);
        numbers = numbersOf(header);
        tellOfLists(record, header, notes);
        if (numbers.length === 0)
          throw new FormatFailure("unreadable", "This table has no column of numbers that could be shown.");
        continue;
      }
      readRecord(record, header, numbers, { gathering, stations, counts });
    }
    await gathering.settle(pace);
  }
  if (header === null) throw new FormatFailure("unreadable", "This file is empty.");
  if (gathering.isEmpty)
    throw new FormatFailure("unreadable", "This table has columns, and no rows that could be shown.");
  tellOfRows({ ...counts, left: gathering.left }, notes);
  return { stations, numbers };
}

interface Found {
  readonly gathering: Gathering;
  readonly stations: Map<string, GroupOf>;
  readonly counts: Record<"untimed" | "unread" | "short", number>;
}

function readRecord(
  record: readonly string[],
  header: readonly CsvColumn[],
  numbers: readonly Numbers[],
  { gathering, stations, counts }: Found,
): void {
  if (record.length !== header.length) return void counts.short++;
  let [stationId, name, satellite, timeMs]: [string, string, string | null, number] = ["", "", null, Number.NaN];
  for (let i = 0; i < header.length; i++) {
    const [kind, field] = [header[i]?.kind, record[i] ?? ""];
    if (kind === "station") stationId = asItWas(field);
    else if (kind === "name") name = asItWas(field);
    else if (kind === "satellite") satellite = asItWas(field);
    else if (kind === "time") timeMs = parseUtc(field.trim()) ?? Number.NaN;
  }
  if (Number.isNaN(timeMs)) return void counts.untimed++;
  let unread = 0;
  const values = numbers.map(({ at }) => {
    const text = record[at]!.trim();
    const value = text === "" ? Number.NaN : Number(text);
    if (text !== "" && Number.isNaN(value)) unread++;
    return value;
  });
  const key = satellite === null ? stationId : JSON.stringify([stationId, satellite]);
  if (!gathering.add(key, timeMs, values)) return;
  counts.unread += unread;
  if (stations.has(key)) return;
  const label = [name || stationId || "no station", satellite ?? ""].join(" ").trim();
  stations.set(key, { label, stationId, satellite, position: null });
}

function numbersOf(header: readonly CsvColumn[]): Numbers[] {
  return header.flatMap((column, at) => (column.kind === "number" ? [{ ...recognize(column.quantity), at }] : []));
}

function tellOfLists(names: readonly string[], header: readonly CsvColumn[], notes: Notes): void {
  const lists = names.filter((_, i) => header[i]!.kind === "lists");
  if (lists.length > 0) notes.add(`Lists of satellites are not shown: ${listed(lists)}.`);
}

function tellOfRows(
  { untimed, unread, short, left }: Record<"untimed" | "unread" | "short" | "left", number>,
  notes: Notes,
): void {
  const say = (n: number, sentence: string): void => {
    if (n > 0) notes.add(`${sentence}: ${count(n)}.`);
  };
  say(short, "Lines with another number of fields than the first one are left out");
  say(untimed, "Lines without a time that can be read are left out");
  say(unread, "Fields that are not numbers are shown as missing");
  say(left, "Lines of further series, of which there are too many, are left out");
}

/** Our writer puts an apostrophe before what a spreadsheet would take for a formula. */
function asItWas(field: string): string {
  return /^'[=+\-@\t\r]/.test(field) ? field.slice(1) : field;
}
