import Database from "better-sqlite3";
import { codeOf } from "#shared/fault.ts";
import { FormatFailure } from "#formats/error.ts";
import { bytesIn, type ForeignFile } from "#formats/foreign/file.ts";
import type { DatabaseTable } from "#formats/open/types.ts";
import { OtherForm, readFileSchema } from "../sessionFile/schemaPages.ts";
import { APPLICATION_ID, untrusted } from "./database.ts";
import { tableText } from "./plain.ts";

const NOT_OURS =
  "This is an SQLite database, and not one that Zenith Desk exported. A session that somebody shared ends in “.zenith”: rename it so to open it.";
const DAMAGED = "This SQLite database is damaged: a part of it cannot be read. Export it again.";
/** Our own databases are not exports. */
const OWN = new Map<number, string>([
  [
    APPLICATION_ID.user,
    "This is Zenith Desk's own database of connections, views and settings, not an export. To use it, start Zenith Desk with the folder that contains it (--data-folder); a backup is restored by “zenith restore FILE”.",
  ],
  [
    APPLICATION_ID.cache,
    "This is a cache of Zenith Desk, not an export. Choose its connection to see the data; for a cache without a connection, “zenith cache adopt FILE” creates one.",
  ],
]);
const OTHER_FORM =
  "This is an SQLite database in a form that Zenith Desk does not export, such as with a write-ahead log. Export it again.";
/** Twice as many bytes have to fit into the memory of a guest. */
const MAX_BYTES = 160 * 2 ** 20;
const TOO_LARGE =
  "This SQLite database has more than 160 MiB, too many to be opened. Export it as NetCDF or Parquet, or fewer stations.";
const HEAD_BYTES = 100;
const APPLICATION_ID_OFFSET = 68;
const BOTH =
  "This database has satellites too: they are not shown beside the series. Export them as a file of their own.";

const KEYS: Readonly<Record<string, readonly string[]>> = {
  about: ["key"],
  station: ["id"],
  measurement: ["station_id", "time"],
  satellite: ["station_id", "time", "prn"],
};
const COLUMN = /^ {2}"(\w{1,100})" (TEXT|REAL)(?: NOT NULL)?,$/;
const MAX_STATIONS = 20_000;
/** Maximum length of a text. */
const MAX_TEXT_BYTES = 1_000;
const BATCH_ROWS = 5_000;

/**
 * Opens an SQLite database that this program exported, as records of a table. It is untrusted: its schema is read
 * without SQLite first and must equal ours exactly; long texts and values of other types are left out.
 *
 * @throws FormatFailure
 */
export function openPlainTable(file: ForeignFile): DatabaseTable {
  if (file.bytes > MAX_BYTES) throw new FormatFailure("tooLarge", TOO_LARGE);
  const tables = tablesOf(file);
  const name = tables.has("measurement") ? "measurement" : "satellite";
  const columns = tables.get(name);
  if (!columns || !tables.has("station")) throw new FormatFailure("unreadable", NOT_OURS);
  const remarks = tables.size > 3 ? [BOTH] : [];
  const ofStation = (tables.get("station") ?? []).map((c) => c.name);
  return { remarks, records: recordsOf(file, name, columns, ofStation) };
}

type Columns = readonly { readonly name: string; readonly type: "TEXT" | "REAL" }[];

function tablesOf(file: ForeignFile): ReadonlyMap<string, Columns> {
  const head = bytesIn(file, 0, HEAD_BYTES);
  const applicationId = head.length < HEAD_BYTES ? 0 : head.readUInt32BE(APPLICATION_ID_OFFSET);
  const own = OWN.get(applicationId);
  if (own !== undefined) throw new FormatFailure("unreadable", own);
  const { entries } = readable(() => readFileSchema(file));
  const tables = new Map<string, Columns>();
  for (const [type, name, table, sql] of entries) {
    if (isAdded(type, sql ?? "")) continue;
    const primaryKey = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
    const columns = (sql ?? "").split("\n").flatMap((line) => {
      const [, column, of] = COLUMN.exec(line) ?? [];
      return column !== undefined && (of === "TEXT" || of === "REAL") ? [{ name: column, type: of } as const] : [];
    });
    if (type !== "table" || name !== table || !primaryKey || sql !== tableText({ name, columns, primaryKey }))
      throw new FormatFailure("unreadable", NOT_OURS);
    tables.set(name, columns);
  }
  if (applicationId !== 0) throw new FormatFailure("unreadable", NOT_OURS);
  return tables;
}

const STATISTICS = new Set([
  "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
  "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
]);
const COLUMN_INDEX = /^CREATE (UNIQUE )?INDEX \S{1,100} ON "?\w+"? ?\((\s*"?\w+"?( ASC| DESC)?\s*,?)+\)$/i;

/** Whether an entry of the schema is what ANALYZE and CREATE INDEX add: statistics, or an index of columns. */
function isAdded(type: string, sql: string): boolean {
  return type === "table" ? STATISTICS.has(sql) : type === "index" && sql.length < 1_000 && COLUMN_INDEX.test(sql);
}

/** Columns of the table of stations that are part of the records. */
const PLACE = ["latitude_deg", "longitude_deg", "height_m", "height_reference"];

async function* recordsOf(
  file: ForeignFile,
  table: string,
  columns: Columns,
  ofStation: readonly string[],
): AsyncIterable<string[][]> {
  // From memory, because SQLite opens other files beside a file, and this process has none.
  const db = readable(() => new Database(bytesIn(file, 0, file.bytes), { readonly: true }));
  try {
    untrusted(db);
    const place = PLACE.filter((name) => ofStation.includes(name) && !columns.some((c) => c.name === name));
    const described = [shortText("id"), shortText("name"), ...place.map((name) => shortValue(name))];
    const stations = readable(() =>
      db
        .prepare<[], (string | number | null)[]>(`SELECT ${described.join(", ")} FROM station LIMIT ${MAX_STATIONS}`)
        .raw()
        .all(),
    );
    const texts = new Map(stations.map((row) => [row[0], row.slice(1).map((value) => String(value ?? ""))] as const));
    const unknown = ["", ...place.map(() => "")];
    yield [["station_id", "station_name", ...place, ...columns.slice(1).map((c) => c.name)]];
    const wanted = columns.map((c) => (c.type === "TEXT" ? shortText(c.name) : realNumber(c.name)));
    const rows = db
      .prepare<[], (string | number | null)[]>(`SELECT ${wanted.join(", ")} FROM ${table}`)
      .raw()
      .iterate();
    const nextBatch = (): string[][] => {
      const batch: string[][] = [];
      while (batch.length < BATCH_ROWS) {
        const next = rows.next();
        if (next.done) break;
        const [id = "", ...rest] = next.value.map((value) => (value === null ? "" : String(value)));
        batch.push([id, ...(texts.get(id) ?? unknown), ...rest]);
      }
      return batch;
    };
    for (let batch = readable(nextBatch); batch.length > 0; batch = readable(nextBatch)) yield batch;
  } finally {
    db.close();
  }
}

function shortText(column: string): string {
  return `CASE WHEN typeof("${column}") = 'text' AND octet_length("${column}") <= ${MAX_TEXT_BYTES} THEN "${column}" END`;
}

function shortValue(column: string): string {
  return `COALESCE(${realNumber(column)}, ${shortText(column)})`;
}

function realNumber(column: string): string {
  return `CASE WHEN typeof("${column}") IN ('real', 'integer') THEN "${column}" END`;
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    const code = codeOf(thrown);
    // Errors of the file system have their own messages.
    if (thrown instanceof FormatFailure || /^E[A-Z]+$/.test(code)) throw thrown;
    throw new FormatFailure("unreadable", thrown instanceof OtherForm ? OTHER_FORM : DAMAGED, thrown);
  }
}
