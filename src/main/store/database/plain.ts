import Database from "better-sqlite3";
import { codeOf } from "#shared/thrown.ts";
import { defined } from "#shared/defined.ts";

export interface PlainTable {
  readonly name: string;
  /** In the order in which rows are given. */
  readonly columns: readonly { readonly name: string; readonly type: "TEXT" | "REAL" }[];
  readonly primaryKey: readonly string[];
}

export type PlainValue = string | number | null;

/** A database of plain rows for other programs, under work. */
export interface PlainDatabase {
  /**
   * Appends rows, fastest in the order of the primary key, in a transaction of their own.
   *
   * @param values of one row after the other
   */
  insert(table: string, values: readonly PlainValue[]): void;
  close(): void;
}

interface Inserts {
  readonly width: number;
  readonly one: Database.Statement;
  readonly many: Database.Statement;
}

/** Rows of one statement: the way from here into SQLite takes longer than a row does there. */
const ROWS_AT_ONCE = 64;

/**
 * Makes a database with these tables at a path of an empty or new file. Nothing but tables: no triggers, no types.
 *
 * @throws errors of the disk with the code of the system
 */
export function createPlainDatabase(path: string, tables: readonly PlainTable[]): PlainDatabase {
  const db = new Database(path);
  const inserts = new Map<string, Inserts>();
  try {
    // The file counts only once it is whole, and is thrown away otherwise: no journal on the disk has to take anything
    // back, or would be left by a kill. SQLite as it is built here ignores OFF.
    db.pragma("journal_mode = MEMORY");
    db.pragma("synchronous = OFF");
    db.pragma("foreign_keys = OFF");
    // Nobody else knows of it: its lock is taken once, and not for every transaction.
    db.pragma("locking_mode = EXCLUSIVE");
    for (const table of tables) {
      db.exec(tableText(table));
      const marks = `(${table.columns.map(() => "?").join(", ")})`;
      const into = (rows: number): Database.Statement =>
        db.prepare(`INSERT INTO ${quoted(table.name)} VALUES ${Array.from({ length: rows }, () => marks).join(", ")}`);
      inserts.set(table.name, { width: table.columns.length, one: into(1), many: into(ROWS_AT_ONCE) });
    }
  } catch (thrown) {
    db.close();
    throw systemError(thrown);
  }
  const insertAll = db.transaction((table: string, values: readonly PlainValue[]) => {
    const { width, one, many } = defined(inserts.get(table));
    let at = 0;
    for (const step = width * ROWS_AT_ONCE; at + step <= values.length; at += step)
      many.run(values.slice(at, at + step));
    for (; at < values.length; at += width) one.run(values.slice(at, at + width));
  });
  return {
    insert(table, values) {
      try {
        insertAll(table, values);
      } catch (thrown) {
        throw systemError(thrown);
      }
    },
    close: () => void db.close(),
  };
}

/** What makes a table, as SQLite keeps it. */
export function tableText({ name, columns, primaryKey }: PlainTable): string {
  const lines = columns.map((c) => `  ${quoted(c.name)} ${c.type}${primaryKey.includes(c.name) ? " NOT NULL" : ""}`);
  const key = `  PRIMARY KEY (${primaryKey.map(quoted).join(", ")})`;
  return `CREATE TABLE ${quoted(name)} (\n${[...lines, key].join(",\n")}\n) WITHOUT ROWID`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** SQLite has codes of its own for a disk that takes no more. */
function systemError(thrown: unknown): unknown {
  const code = codeOf(thrown);
  if (code === "SQLITE_FULL")
    return Object.assign(new Error("SQLite: the disk is full", { cause: thrown }), { code: "ENOSPC" });
  return code.startsWith("SQLITE_IOERR")
    ? Object.assign(new Error(`SQLite: ${code}`, { cause: thrown }), { code: "EIO" })
    : thrown;
}
