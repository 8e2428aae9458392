import Database from "better-sqlite3";

/**
 * Returns a function that reads settings of a cache without opening it for writing; null for all settings of an
 * unreadable one.
 */
export function readSettings(path: string): (name: string) => string | null {
  return (name) => {
    try {
      const db = new Database(path, { readonly: true, fileMustExist: true });
      try {
        const found = db.prepare("SELECT value FROM setting WHERE name = ?").pluck().get(name);
        return typeof found === "string" ? found : null;
      } finally {
        db.close();
      }
    } catch {
      return null;
    }
  };
}
