import Database from "better-sqlite3";

/** Version of the SQLite library that the caches are written with. */
export function sqliteVersion(): string {
  const db = new Database(":memory:");
  try {
    return String(db.prepare("SELECT sqlite_version()").pluck().get());
  } finally {
    db.close();
  }
}
