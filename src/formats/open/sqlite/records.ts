import { APPLICATION_ID } from "#shared/file/applicationId.ts";
import { readable, unreadable } from "../../error.ts";
import { bytesIn, type ForeignFile } from "../../foreign/file.ts";
import { listed } from "../notes.ts";
import { recordSource, type TableSource } from "../table/source.ts";
import { openSqlite, type SqliteFile } from "./library.ts";

const DAMAGED = "This SQLite database is damaged: a part of it cannot be read. Download or export it again.";
const BOTH =
  "This database has satellites too: they are not shown beside the series. Export them as a file of their own.";
const LOG =
  "What is in the write-ahead log beside this database (-wal) is not shown. To include it, close the program that writes the database.";
/** Databases of this program that are not data of others, by their application id. */
const OWN: Readonly<Record<number, string>> = {
  [APPLICATION_ID.user]:
    "This is Zenith Desk's own database of connections, views and settings, not an export. To use it, start Zenith Desk with the folder that contains it (--data-folder); a backup is restored by “zenith restore FILE”.",
  [APPLICATION_ID.cache]:
    "This is a cache of Zenith Desk, not an export. Choose its connection to see the data; for a cache without a connection, “zenith cache adopt FILE” creates one.",
  [APPLICATION_ID.claims]:
    "This file belongs to a running Zenith Desk: it says which downloads are under way. It has no data.",
};
const BATCH_ROWS = 5_000;
/** Offsets in the header: its length, the version that readers need (2: a write-ahead log), and the application id. */
const [HEAD_BYTES, READ_VERSION_AT, APPLICATION_AT] = [100, 19, 68];

/**
 * Opens the rows of an SQLite database as records of a table: of an export of this program with the fields of their
 * stations, or of the only table of any database. Only stored columns are read, so that nothing of the file is run.
 * @throws FormatFailure, as does `records`
 */
export async function databaseSource(file: ForeignFile): Promise<TableSource> {
  const head = bytesIn(file, 0, HEAD_BYTES);
  const own = head.length < HEAD_BYTES ? undefined : OWN[head.readUInt32BE(APPLICATION_AT)];
  if (own !== undefined) throw unreadable(own);
  const opened = () => readable(DAMAGED, () => openSqlite(file));
  const schema = await opened();
  const tables = await readable(DAMAGED, () => tablesOf(schema)).finally(() => schema.close());
  const { query, names, remarks } = rowsIn(tables);
  const isLogged = head[READ_VERSION_AT] === 2;
  return recordSource({ format: "sqlite", remarks: [...remarks, ...(isLogged ? [LOG] : [])] }, async function* () {
    yield [names];
    const database = await opened();
    try {
      const rows = database.rows(query)[Symbol.iterator]();
      const next = () => readable(DAMAGED, () => nextRows(rows));
      for (let batch = await next(); batch.length > 0; batch = await next()) yield batch;
    } finally {
      database.close();
    }
  });
}

function nextRows(rows: Iterator<string[]>): string[][] {
  const batch: string[][] = [];
  for (let next = rows.next(); !next.done; next = rows.next()) if (batch.push(next.value) === BATCH_ROWS) break;
  return batch;
}

function tablesOf(database: SqliteFile): Map<string, string[]> {
  const tables = new Map<string, string[]>();
  const columns = database.rows(
    "SELECT t.name, c.name FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS c " +
      "WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite~_%' ESCAPE '~' AND c.hidden = 0",
  );
  for (const [table = "", column = ""] of columns) tables.set(table, [...(tables.get(table) ?? []), column]);
  return tables;
}

/** The query for the rows of an export, or of the only table. @throws FormatFailure if there are several */
function rowsIn(tables: ReadonlyMap<string, readonly string[]>) {
  const rows = ["measurement", "satellite"].find((name) => tables.has(name));
  if (rows !== undefined && tables.has("station")) return exported(rows, tables);
  const [only, ...others] = tables.keys();
  if (only === undefined || others.length > 0)
    throw unreadable(
      `This SQLite database has ${only === undefined ? "no table of stored rows" : `the tables ${listed([...tables.keys()])}`}. Write one table with its times and values as CSV, and open that.`,
    );
  const names = tables.get(only) ?? [];
  return { names, query: `SELECT ${names.map(named).join()} FROM ${named(only)}`, remarks: [] };
}

function exported(table: string, tables: ReadonlyMap<string, readonly string[]>) {
  const ofRow = (tables.get(table) ?? []).filter((name) => name !== "station_id");
  const known = new Set(tables.get("station"));
  const place = ["latitude_deg", "longitude_deg", "height_m", "height_reference"].filter(
    (name) => known.has(name) && !ofRow.includes(name),
  );
  const columns = [
    "r.station_id",
    "s.name",
    ...place.map((name) => `s.${name}`),
    ...ofRow.map((name) => `r.${named(name)}`),
  ];
  return {
    names: ["station_id", "station_name", ...place, ...ofRow],
    query: `SELECT ${columns.join()} FROM ${named(table)} AS r LEFT JOIN station AS s ON s.id = r.station_id`,
    remarks: tables.has("measurement") && tables.has("satellite") ? [BOTH] : [],
  };
}

function named(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
