import type { FileSeries } from "#shared/file/opened.ts";
import { parseUtc } from "#shared/time/utc.ts";
import { count } from "#shared/text.ts";
import { FormatFailure } from "../../error.ts";
import type { Pace } from "../../pace.ts";
import type { ColumnCache } from "../columnCache.ts";
import { createNotes, listed, type Notes } from "../notes.ts";
import { type Recognized, recognize } from "../quantity.ts";
import { inOrder, samplesOf, TimesSurveyor } from "../samples.ts";
import type { SeriesFile } from "../types.ts";
import { type CsvColumn, csvColumns } from "./columns.ts";
import { GrowingNumbers } from "./growing.ts";
import { csvRecords } from "./records.ts";
import { openSpool, type Spool, type Spooled } from "./spool.ts";

/** A CSV file has no places to jump to, so that all of it is read at once, and kept: eight bytes for each of these. */
const MOST_VALUES = 60_000_000;
/** So many of them are in memory while it is read. */
const MOST_IN_MEMORY = 4_000_000;
/** Series beyond these are no help in a list or a plot. */
const MOST_SERIES = 20_000;

const NOT_OURS =
  "This is not a CSV file of Zenith Desk: its first line has no columns station_id and time. Convert other tables to NetCDF, for example with xarray.";
const TOO_LARGE =
  "This table is too large to be opened as a whole. Export fewer stations or a shorter time, or as NetCDF, which is read in parts.";

/** Rows of one station, or of one satellite seen from it. */
interface Group {
  readonly stationId: string;
  /** Empty where the table tells none. */
  readonly name: string;
  readonly satellite: string | null;
  readonly times: GrowingNumbers;
  readonly columns: readonly GrowingNumbers[];
}

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
  readonly format: "csv" | "parquet" | "sqlite";
  readonly remarks?: readonly string[];
  readonly records: AsyncIterable<readonly (readonly string[])[]>;
}

export async function describeTable(table: TableRecords, cache: ColumnCache, pace: Pace): Promise<SeriesFile> {
  const spool = openSpool();
  try {
    return await describe(table, spool, cache, pace);
  } catch (thrown) {
    spool.close();
    throw thrown;
  }
}

async function describe(table: TableRecords, spool: Spool, cache: ColumnCache, pace: Pace): Promise<SeriesFile> {
  const notes = createNotes();
  for (const remark of table.remarks ?? []) notes.add(remark);
  const { groups, numbers } = await readGroups(table.records, spool, notes, pace);
  const times: Spooled[] = [];
  const values: Spooled[] = [];
  const series: FileSeries[] = [];
  for (const [g, { stationId, name, satellite, times: unordered, columns }] of groups.entries()) {
    const timesMs = unordered.done();
    const samples = samplesOf(timesMs);
    times.push(spool.keep(samples.timesMs));
    const surveyor = new TimesSurveyor(1);
    for (const ms of timesMs) surveyor.add(0, ms);
    const { rows, firstMs, lastMs, isSorted, hasRepeats } = surveyor.result(0);
    if (!isSorted) notes.add("Epochs out of order: all rows are kept, sorted by time.");
    if (hasRepeats) notes.add("Duplicate epochs: all rows are kept.");
    for (const [n, { quantity, factor }] of numbers.entries()) {
      const ordered = inOrder(columns[n]!.done(), samples.order);
      values.push(spool.keep(factor === 1 ? ordered : ordered.map((v) => v * factor)));
      series.push({
        id: String(series.length),
        label: [name || stationId || "no station", satellite ?? ""].join(" ").trim(),
        stationId,
        satellite,
        position: null,
        quantity,
        rows,
        range: { startMs: firstMs, endMs: lastMs + 1 },
        timesId: String(g),
      });
    }
    await pace.breathe();
  }
  return {
    format: table.format,
    title: null,
    source: null,
    notes: notes.all(),
    series,
    rows(index) {
      const group = Number(series[index]!.timesId);
      return {
        timesMs: cache.get(`${group}/times`, () => spool.read([times[group]!])),
        values: cache.get(`${index}/values`, () => spool.read([values[index]!])),
      };
    },
    close: () => spool.close(),
  };
}

async function readGroups(
  batches: TableRecords["records"],
  spool: Spool,
  notes: Notes,
  pace: Pace,
): Promise<{ groups: Group[]; numbers: Numbers[] }> {
  let header: readonly CsvColumn[] | null = null;
  let numbers: Numbers[] = [];
  const groups = new Map<string, Group>();
  let spooled = 0;
  const counts = { values: 0, untimed: 0, unread: 0, short: 0, left: 0 };
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
      readRecord(record, header, numbers, { spool, groups, counts });
      if (counts.values > MOST_VALUES) throw new FormatFailure("tooLarge", TOO_LARGE);
    }
    if (counts.values - spooled > MOST_IN_MEMORY) {
      for (const { times, columns } of groups.values()) for (const column of [times, ...columns]) column.spool();
      spooled = counts.values;
    }
    await pace.breathe();
  }
  if (header === null) throw new FormatFailure("unreadable", "This file is empty.");
  if (groups.size === 0)
    throw new FormatFailure("unreadable", "This table has columns, and no rows that could be shown.");
  tellOfRows(counts, notes);
  return { groups: [...groups.values()], numbers };
}

interface Found {
  readonly spool: Spool;
  readonly groups: Map<string, Group>;
  readonly counts: Counts;
}

type Counts = Record<"values" | "untimed" | "unread" | "short" | "left", number>;

function readRecord(
  record: readonly string[],
  header: readonly CsvColumn[],
  numbers: readonly Numbers[],
  { spool, groups, counts }: Found,
): void {
  if (record.length !== header.length) return void counts.short++;
  let [stationId, name, satellite, timeMs]: [string, string, string | null, number] = ["", "", null, Number.NaN];
  for (let i = 0; i < header.length; i++) {
    const field = record[i]!;
    if (header[i]!.kind === "station") stationId = asItWas(field);
    else if (header[i]!.kind === "name") name = asItWas(field);
    else if (header[i]!.kind === "satellite") satellite = asItWas(field);
    else if (header[i]!.kind === "time") timeMs = parseUtc(field.trim()) ?? Number.NaN;
  }
  if (Number.isNaN(timeMs)) return void counts.untimed++;
  const key = satellite === null ? stationId : JSON.stringify([stationId, satellite]);
  let group = groups.get(key);
  if (!group) {
    if ((groups.size + 1) * numbers.length > MOST_SERIES) return void counts.left++;
    const columns = numbers.map(() => new GrowingNumbers(spool));
    group = { stationId, name, satellite, times: new GrowingNumbers(spool), columns };
    groups.set(key, group);
  }
  group.times.push(timeMs);
  for (let n = 0; n < numbers.length; n++) {
    const text = record[numbers[n]!.at]!.trim();
    const value = text === "" ? Number.NaN : Number(text);
    if (text !== "" && Number.isNaN(value)) counts.unread++;
    group.columns[n]!.push(value);
  }
  counts.values += 1 + numbers.length;
}

function numbersOf(header: readonly CsvColumn[]): Numbers[] {
  return header.flatMap((column, at) => (column.kind === "number" ? [{ ...recognize(column.quantity), at }] : []));
}

function tellOfLists(names: readonly string[], header: readonly CsvColumn[], notes: Notes): void {
  const lists = names.filter((_, i) => header[i]!.kind === "lists");
  if (lists.length > 0) notes.add(`Lists of satellites are not shown: ${listed(lists)}.`);
}

function tellOfRows({ untimed, unread, short, left }: Counts, notes: Notes): void {
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
