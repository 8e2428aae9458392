import { codeOf } from "#shared/fault.ts";
import { defined } from "#shared/defined.ts";
import { createPlain, type Db } from "../store/index.ts";

export interface PlainTable {
  readonly name: string;
  /** In the order of the values of a row. */
  readonly columns: readonly { readonly name: string; readonly type: "TEXT" | "REAL" }[];
  readonly primaryKey: readonly string[];
}

export type PlainValue = string | number | null;

type Statement = ReturnType<Db["prepare"]>;

interface Inserts {
  readonly width: number;
  readonly one: Statement;
  readonly many: Statement;
}

/** Rows per statement: calling SQLite takes longer than inserting a row. */
const ROWS_PER_STATEMENT = 64;

/**
 * Creates a database with these tables in an empty or new file, without triggers or other objects.
 *
 * @throws errors of the disk with the code of the system
 */
export function createPlainDatabase(path: string, tables: readonly PlainTable[]) {
  const db = createPlain(path);
  const inserts = new Map<string, Inserts>();
  try {
    for (const table of tables) {
      db.exec(tableText(table));
      const placeholders = `(${table.columns.map(() => "?").join(", ")})`;
      const insertRows = (rows: number): Statement =>
        db.prepare(
          `INSERT INTO ${sqlName(table.name)} VALUES ${Array.from({ length: rows }, () => placeholders).join(", ")}`,
        );
      inserts.set(table.name, {
        width: table.columns.length,
        one: insertRows(1),
        many: insertRows(ROWS_PER_STATEMENT),
      });
    }
  } catch (thrown) {
    db.close();
    throw systemError(thrown);
  }
  const insertAll = db.transaction((table: string, values: readonly PlainValue[]) => {
    const { width, one, many } = defined(inserts.get(table));
    let at = 0;
    for (const step = width * ROWS_PER_STATEMENT; at + step <= values.length; at += step)
      many.run(values.slice(at, at + step));
    for (; at < values.length; at += width) one.run(values.slice(at, at + width));
  });
  return {
    /**
     * Appends rows in one transaction, fastest in the order of the primary key.
     *
     * @param values of all rows, row after row
     */
    insert(table: string, values: readonly PlainValue[]): void {
      try {
        insertAll(table, values);
      } catch (thrown) {
        throw systemError(thrown);
      }
    },
    close: () => void db.close(),
  };
}

export type PlainDatabase = ReturnType<typeof createPlainDatabase>;

/** Returns the SQL that creates a table, as SQLite stores it. */
function tableText({ name, columns, primaryKey }: PlainTable): string {
  const lines = columns.map((c) => `  ${sqlName(c.name)} ${c.type}${primaryKey.includes(c.name) ? " NOT NULL" : ""}`);
  const key = `  PRIMARY KEY (${primaryKey.map(sqlName).join(", ")})`;
  return `CREATE TABLE ${sqlName(name)} (\n${[...lines, key].join(",\n")}\n) WITHOUT ROWID`;
}

function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Converts SQLite's codes for a full or failing disk to those of the system. */
function systemError(thrown: unknown): unknown {
  const code = codeOf(thrown);
  if (code === "SQLITE_FULL")
    return Object.assign(new Error("SQLite: the disk is full", { cause: thrown }), { code: "ENOSPC" });
  return code.startsWith("SQLITE_IOERR")
    ? Object.assign(new Error(`SQLite: ${code}`, { cause: thrown }), { code: "EIO" })
    : thrown;
}
