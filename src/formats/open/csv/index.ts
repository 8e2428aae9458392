import { isScalar, variableInfo } from "#shared/service/variables.ts";
import { parseUtc } from "#shared/time/utc.ts";
import { FormatFailure } from "../../error.ts";
import type { ForeignFile } from "../../foreign/file.ts";
import type { Pace } from "../../source.ts";
import { STATION_FIELDS } from "../../stationFields.ts";
import { collectRows, type RowCollector, type SeriesGroup } from "../collector/index.ts";
import type { ColumnCache } from "../columnCache.ts";
import { namedQuantity, type RawQuantity, recognizeColumn } from "../columnName.ts";
import { TextBytes } from "../text.ts";
import { listed, type Notes } from "../notes.ts";
import { isElsewhere, movedSentence, type PlaceFields, positionOf } from "../sites.ts";
import { siteRolesByName, stationTexts } from "../table/names.ts";
import { TextColumns } from "../textColumns.ts";
import type { SeriesFile } from "../types.ts";
import { csvRecords } from "./records.ts";

/** Meaning of a column of a CSV export. */
type CsvColumn =
  | { readonly kind: "station" | "name" | "time" | "satellite" }
  /** A field of the station, which is no series. */
  | { readonly kind: "latitude" | "longitude" | "height" | "heightReference" | "place" }
  | { readonly kind: "number"; readonly quantity: RawQuantity }
  /** Lists with one value per satellite. */
  | { readonly kind: "lists" };

/** Long names for single satellites. */
const ONE_SATELLITE: Partial<Record<string, string>> = {
  el: "Elevation of the satellite",
  az: "Azimuth of the satellite",
};

/** Interprets the header of a CSV export; returns null for other tables: one station and one time column are required. */
export function csvColumns(header: readonly string[]): CsvColumn[] | null {
  const names = header.map((name) => name.trim().toLowerCase());
  const isSatellites =
    names.includes("prn") && !names.includes("cn0_dbhz") && names.indexOf("prn") < names.indexOf("el_deg");
  const places = siteRolesByName(header);
  const { heightReference } = stationTexts(header, -1);
  const columns = names.map((name, i): CsvColumn => {
    const place = (["latitude", "longitude", "height"] as const).find((role) => places.get(role) === i);
    if (place) return { kind: place };
    if (i === heightReference) return { kind: "heightReference" };
    if (name === "station_id") return { kind: "station" };
    if (name === "station_name") return { kind: "name" };
    if (Object.hasOwn(STATION_FIELDS, name)) return { kind: "place" };
    if (name === "time") return { kind: "time" };
    if (name === "prn") return { kind: isSatellites ? "satellite" : "lists" };
    if (!isSatellites && /^(el_deg|az_deg|cn0_dbhz)$/.test(name)) return { kind: "lists" };
    return { kind: "number", quantity: quantityOf((header[i] ?? name).trim()) };
  });
  const isOurs = ["station", "time"].every((kind) => columns.filter((c) => c.kind === kind).length === 1);
  return isOurs ? columns : null;
}

function quantityOf(header: string): RawQuantity {
  const { name, unit } = namedQuantity(header);
  const band = /^cn0_(.+)$/i.exec(name)?.[1];
  const own = name.toLowerCase();
  const known = isScalar(own) ? variableInfo(own).label : ONE_SATELLITE[own];
  const longName = known ?? (band === undefined ? null : `C/N0, band ${band}`);
  return { name, unit, longName, standardName: null };
}

const NOT_OURS =
  "This table is not of Zenith Desk: it has no columns station_id and time. Export it as CSV with named columns, and open that.";

/** A column of numbers while it is read. */
interface NumberColumn {
  readonly quantity: RawQuantity;
  /** Index in a record. */
  readonly at: number;
  /** NaN until there is one. */
  firstValue: number;
}

/** Opens a CSV file exported by this program, of series or satellites. @throws FormatFailure */
export async function describeCsv(file: ForeignFile, cache: ColumnCache, pace: Pace): Promise<SeriesFile> {
  const bytes = new TextBytes();
  return describeTable(
    { format: "csv", records: csvRecords(file, bytes), assumed: () => bytes.remarks() },
    cache,
    pace,
  );
}

/** An exported table in any format as records, starting with the column names. */
interface TableRecords {
  readonly format: "csv" | "parquet" | "sqlite" | "excel";
  readonly remarks?: readonly string[];
  readonly records: AsyncIterable<readonly (readonly string[])[]> | Iterable<readonly (readonly string[])[]>;
  /** Sentences about what was assumed while the records were read. */
  assumed?(): readonly string[];
}

/** Opens an exported table. @throws FormatFailure */
export async function describeTable(table: TableRecords, cache: ColumnCache, pace: Pace): Promise<SeriesFile> {
  return collectRows(async (collector, notes) => {
    for (const remark of table.remarks ?? []) notes.add(remark);
    const { stations, numbers, texts } = await readRows(table.records, collector, notes, pace);
    for (const remark of table.assumed?.() ?? []) notes.add(remark);
    const about = { format: table.format, title: null, source: null };
    const recognized = texts
      .without(numbers)
      .map((column) => column && recognizeColumn(column.quantity, column.firstValue, (words) => notes.add(words)));
    return collector.finish(about, recognized, (key) => stations.get(key) ?? NO_STATION, { notes, cache, pace });
  });
}

const NO_STATION: SeriesGroup = { label: "no station", stationId: "", satellite: null, position: null };

interface ReadRows {
  readonly stations: Map<string, SeriesGroup>;
  readonly numbers: NumberColumn[];
  readonly texts: TextColumns;
}

async function readRows(
  batches: TableRecords["records"],
  collector: RowCollector,
  notes: Notes,
  pace: Pace,
): Promise<ReadRows> {
  let header: readonly CsvColumn[] | null = null;
  let numbers: NumberColumn[] = [];
  const stations = new Map<string, SeriesGroup>();
  let texts = new TextColumns([]);
  let places = placeColumns([], []);
  const moved = new Set<string>();
  const counts = { untimed: 0, short: 0 };
  for await (const records of batches) {
    for (const record of records) {
      if (header === null) {
        header = csvColumns(record);
        if (header === null) throw new FormatFailure("unreadable", NOT_OURS);
        numbers = numbersOf(header);
        places = placeColumns(header, record);
        texts = new TextColumns(numbers.map(({ at }) => record[at] ?? ""));
        noteLists(record, header, notes);
        if (numbers.length === 0)
          throw new FormatFailure("unreadable", "This table has no column of numbers that could be shown.");
        continue;
      }
      readRecord(record, header, numbers, { collector, stations, counts, texts, places, moved });
    }
    await collector.afterBatch(pace);
  }
  if (header === null) throw new FormatFailure("unreadable", "This file is empty.");
  if (collector.isEmpty)
    throw new FormatFailure("unreadable", "This table has columns, and no rows that could be shown.");
  noteSkippedRows({ ...counts, left: collector.skippedRows }, notes);
  texts.addNotes(notes);
  if (moved.size > 0) notes.add(movedSentence(moved));
  return { stations, numbers, texts };
}

interface ReadState {
  readonly collector: RowCollector;
  readonly stations: Map<string, SeriesGroup>;
  readonly counts: Record<"untimed" | "short", number>;
  readonly texts: TextColumns;
  readonly places: PlaceColumns;
  /** Labels of stations at several places. */
  readonly moved: Set<string>;
}

function readRecord(
  record: readonly string[],
  header: readonly CsvColumn[],
  numbers: readonly NumberColumn[],
  { collector, stations, counts, texts, places, moved }: ReadState,
): void {
  if (record.length !== header.length) return void counts.short++;
  let [stationId, name, satellite, timeMs]: [string, string, string | null, number] = ["", "", null, Number.NaN];
  for (const [i, { kind }] of header.entries()) {
    const field = record[i] ?? "";
    if (kind === "station") stationId = unescaped(field);
    else if (kind === "name") name = unescaped(field);
    else if (kind === "satellite") satellite = unescaped(field);
    else if (kind === "time") timeMs = parseUtc(field.trim()) ?? Number.NaN;
  }
  if (Number.isNaN(timeMs)) return void counts.untimed++;
  const values = numbers.map((column, n) => {
    const text = (record[column.at] ?? "").trim();
    const value = number(text);
    if (text !== "") texts.count(n, !Number.isNaN(value));
    if (Number.isNaN(column.firstValue)) column.firstValue = value;
    return value;
  });
  const key = satellite === null ? stationId : JSON.stringify([stationId, satellite]);
  if (!collector.add(key, timeMs, values)) return;
  const known = stations.get(key);
  if (known && known.position === null) return;
  const place = placeOf(record, places);
  if (known) return void (isElsewhere(known.position, place) && moved.add(known.label));
  const label = [name || stationId || "no station", satellite ?? ""].join(" ").trim();
  stations.set(key, { label, stationId, satellite, position: positionOf(place) });
}

function number(text = ""): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}

type PlaceColumns = Readonly<Record<keyof PlaceFields, number>> & { readonly heightName: string };

/** Indices of the columns of a place; -1 if absent. */
function placeColumns(header: readonly CsvColumn[], names: readonly string[]): PlaceColumns {
  const at = (kind: CsvColumn["kind"]): number => header.findIndex((column) => column.kind === kind);
  const [latitudeDeg, longitudeDeg, height] = [at("latitude"), at("longitude"), at("height")];
  const heightName = names[height] ?? "";
  return { latitudeDeg, longitudeDeg, height, heightReference: at("heightReference"), heightName };
}

function placeOf(record: readonly string[], columns: PlaceColumns): PlaceFields {
  return {
    latitudeDeg: number(record[columns.latitudeDeg]),
    longitudeDeg: number(record[columns.longitudeDeg]),
    height: number(record[columns.height]),
    heightReference: record[columns.heightReference] ?? columns.heightName,
  };
}

function numbersOf(header: readonly CsvColumn[]): NumberColumn[] {
  return header.flatMap((column, at) =>
    column.kind === "number" ? [{ quantity: column.quantity, at, firstValue: Number.NaN }] : [],
  );
}

function noteLists(names: readonly string[], header: readonly CsvColumn[], notes: Notes): void {
  const lists = names.filter((_, i) => header[i]?.kind === "lists");
  if (lists.length > 0) notes.add(`Lists of satellites are not shown: ${listed(lists)}.`);
}

function noteSkippedRows({ untimed, short, left }: Record<"untimed" | "short" | "left", number>, notes: Notes): void {
  notes.count("Lines with another number of fields than the first one are left out", short);
  notes.count("Lines without a time that can be read are left out", untimed);
  notes.count("Lines of further series, of which there are too many, are left out", left);
}

/** Removes the apostrophe that `csvField` puts before texts that look like formulas. */
function unescaped(field: string): string {
  return /^'[=+\-@\t\r]/.test(field) ? field.slice(1) : field;
}
