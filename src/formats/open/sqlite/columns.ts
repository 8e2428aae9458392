/** A table of a database by the text that created it. */
export interface SqliteTable {
  readonly name: string;
  /** Its first page. */
  readonly root: number;
  readonly columns: readonly string[];
  /** The column that is the row id itself, and stored as null; -1 without one. */
  readonly rowIdAt: number;
}

const CREATE = /^CREATE TABLE\s+(?:IF NOT EXISTS\s+)?("(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+)\s*\(([\s\S]*)\)([^()]*)$/i;
const CONSTRAINT = /^(primary\s+key|unique|check|foreign\s+key|constraint)\b/i;
const NAME = /^("(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[\w$]+)\s*([\s\S]*)$/;

/**
 * Reads the columns of a table from its SQL, in the order in which its records have them.
 *
 * @returns null if it is no plain table: with computed columns, or without row ids and a key that is not its first columns
 */
export function tableOf(sql: string, root: number): SqliteTable | null {
  const [, name = "", body = "", options = ""] = CREATE.exec(sql) ?? [];
  const parts = splitAtCommas(body);
  if (name === "" || parts.length === 0) return null;
  const columns: string[] = [];
  let rowIdAt = -1;
  let key: string[] = [];
  for (const part of parts) {
    if (CONSTRAINT.test(part)) {
      const [, list = ""] = /^(?:constraint\s+\S+\s+)?primary\s+key\s*\(([\s\S]*)\)/i.exec(part) ?? [];
      if (list !== "") key = splitAtCommas(list).map((column) => plain(NAME.exec(column)?.[1] ?? ""));
      continue;
    }
    const [, column = "", definition = ""] = NAME.exec(part) ?? [];
    if (column === "" || /\bas\s*\(/i.test(definition)) return null;
    if (/^integer\s+primary\s+key/i.test(definition)) rowIdAt = columns.length;
    else if (/\bprimary\s+key\b/i.test(definition)) key = [plain(column)];
    columns.push(plain(column));
  }
  const isKeyFirst = key.every((column, i) => columns[i] === column);
  if (/without\s+rowid/i.test(options) && !isKeyFirst) return null;
  return { name: plain(name), root, columns, rowIdAt };
}

function plain(name: string): string {
  const quote = name[0] ?? "";
  return '"`['.includes(quote) && quote !== "" ? name.slice(1, -1).replaceAll('""', '"') : name;
}

/** Splits a list, with respect to brackets and quotes. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'|`[^`]*`|\[[^\]]*\]|[(),]/g)) {
    if (mark === "(") depth++;
    else if (mark === ")") depth--;
    else if (mark === "," && depth === 0) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, text.slice(start).trim()].filter((part) => part !== "");
}
