import Database from "better-sqlite3";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { USER_MIGRATIONS } from "../migrations/user/index.ts";

const COLUMNS = `
SELECT t.name AS "table", t.strict, x.name, x.type, x."notnull", x.pk, x.hidden
FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS x
WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1, x.cid`;

let expected: string | null = null;

/**
 * Whether user.db has the tables that its version says, and nothing that acts by itself.
 *
 * @throws DamagedData
 */
export function demandUserShape(db: Db): void {
  const acting = db.prepare("SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view') LIMIT 1").pluck().get();
  if (acting !== undefined) throw new DamagedData("it holds what this program never wrote");
  expected ??= newShape();
  if (shapeOf(db) !== expected) throw new DamagedData("its tables are not those of its version");
}

function shapeOf(db: Db): string {
  return JSON.stringify(db.prepare(COLUMNS).all());
}

function newShape(): string {
  const db = new Database(":memory:");
  try {
    for (const step of USER_MIGRATIONS) db.exec(step);
    return shapeOf(db);
  } finally {
    db.close();
  }
}
