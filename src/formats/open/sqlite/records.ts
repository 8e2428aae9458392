import { APPLICATION_ID } from "#shared/file/applicationId.ts";
import { listed } from "../notes.ts";
import { FormatFailure } from "../../error.ts";
import type { ForeignFile } from "../../foreign/file.ts";
import { fieldOf } from "../table/source.ts";
import { type SqliteTable, tableOf } from "./columns.ts";
import { applicationIdOf, DamagedPages, openPages, OtherForm, type SqlitePages, type SqliteRecord } from "./pages.ts";

const DAMAGED = "This SQLite database is damaged: a part of it cannot be read. Download or export it again.";
const OTHER_FORM =
  "This SQLite database has a write-ahead log, or another encoding than UTF-8. Write it as one file, with “sqlite3 FILE .dump | sqlite3 NEW”, and open that.";
const BOTH =
  "This database has satellites too: they are not shown beside the series. Export them as a file of their own.";
/** Databases of this program that are no data of others, by their application id. */
const OWN: ReadonlyMap<number, string> = new Map<number, string>([
  [
    APPLICATION_ID.user,
    "This is Zenith Desk's own database of connections, views and settings, not an export. To use it, start Zenith Desk with the folder that contains it (--data-folder); a backup is restored by “zenith restore FILE”.",
  ],
  [
    APPLICATION_ID.cache,
    "This is a cache of Zenith Desk, not an export. Choose its connection to see the data; for a cache without a connection, “zenith cache adopt FILE” creates one.",
  ],
  [
    APPLICATION_ID.claims,
    "This file belongs to a running Zenith Desk: it says which downloads are under way. It has no data.",
  ],
]);
const BATCH_ROWS = 5_000;
const MAX_STATIONS = 20_000;
const MAX_TABLES = 200;

/** The rows of a database as records, starting with the column names. */
export interface DatabaseTable {
  records(): Iterable<readonly (readonly string[])[]>;
  /** Sentences about omitted content. */
  readonly remarks: readonly string[];
}

/**
 * Opens the rows of an SQLite database as records of a table: of an export of this program with the fields of their
 * stations, or of the only table of any database. SQLite itself is not used, so that nothing of the file is run.
 *
 * @throws FormatFailure, as does `records`
 */
export function databaseTable(file: ForeignFile): DatabaseTable {
  return readable(() => {
    const own = OWN.get(applicationIdOf(file));
    if (own !== undefined) throw new FormatFailure("unreadable", own);
    const pages = openPages(file);
    const tables = tablesOf(pages);
    const rows = tables.get("measurement") ?? tables.get("satellite");
    const stations = tables.get("station");
    if (rows && stations)
      return {
        remarks: tables.has("measurement") && tables.has("satellite") ? [BOTH] : [],
        records: () => batches(exportedRecords(pages, rows, stations)),
      };
    const [only, ...others] = tables.values();
    if (!only || others.length > 0)
      throw new FormatFailure(
        "unreadable",
        `This SQLite database has ${only ? `the tables ${listed([...tables.keys()])}` : "no plain table"}. Write one table with its times and values as CSV, and open that.`,
      );
    return { remarks: [], records: () => batches(plainRecords(pages, only)) };
  });
}

function tablesOf(pages: SqlitePages): Map<string, SqliteTable> {
  const tables = new Map<string, SqliteTable>();
  for (const { values } of pages.records(1, { pages: 64, recordBytes: 20_000, textBytes: 20_000 })) {
    const [type, name, , root, sql] = values;
    if (type !== "table" || typeof name !== "string" || name.startsWith("sqlite_")) continue;
    const table = typeof sql === "string" && typeof root === "number" ? tableOf(sql, root) : null;
    if (table && tables.size < MAX_TABLES) tables.set(name, table);
  }
  return tables;
}

function* plainRecords(pages: SqlitePages, table: SqliteTable): Iterable<string[]> {
  yield [...table.columns];
  for (const record of pages.records(table.root)) yield fieldsOf(table, record);
}

/** Columns of the table of stations that are part of the records. */
const PLACE = ["latitude_deg", "longitude_deg", "height_m", "height_reference"];

/** The rows of an export, each with name and place of its station. */
function* exportedRecords(pages: SqlitePages, rows: SqliteTable, stations: SqliteTable): Iterable<string[]> {
  const place = PLACE.filter((name) => stations.columns.includes(name) && !rows.columns.includes(name));
  const described = ["name", ...place].map((name) => stations.columns.indexOf(name));
  const about = new Map<string, string[]>();
  for (const record of pages.records(stations.root)) {
    const fields = fieldsOf(stations, record);
    if (about.size < MAX_STATIONS)
      about.set(
        fields[stations.columns.indexOf("id")] ?? "",
        described.map((at) => fields[at] ?? ""),
      );
  }
  const unknown = described.map(() => "");
  const id = rows.columns.indexOf("station_id");
  const others = [...rows.columns.keys()].filter((at) => at !== id);
  yield ["station_id", "station_name", ...place, ...others.map((at) => rows.columns[at] ?? "")];
  for (const record of pages.records(rows.root)) {
    const fields = fieldsOf(rows, record);
    const station = fields[id] ?? "";
    yield [station, ...(about.get(station) ?? unknown), ...others.map((at) => fields[at] ?? "")];
  }
}

function fieldsOf({ columns, rowIdAt }: SqliteTable, { rowId, values }: SqliteRecord): string[] {
  // Columns that were added later are absent in older records.
  return columns.map((_, at) => fieldOf(at === rowIdAt ? rowId : values[at]));
}

function* batches(records: Iterable<string[]>): Iterable<string[][]> {
  const iterator = records[Symbol.iterator]();
  for (;;) {
    const batch: string[][] = [];
    readable(() => {
      for (let next = iterator.next(); !next.done; next = iterator.next())
        if (batch.push(next.value) === BATCH_ROWS) break;
    });
    if (batch.length > 0) yield batch;
    if (batch.length < BATCH_ROWS) return;
  }
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof DamagedPages)) throw thrown;
    throw new FormatFailure("unreadable", thrown instanceof OtherForm ? OTHER_FORM : DAMAGED, thrown);
  }
}
