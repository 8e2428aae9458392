import type { Db } from "../../database/database.ts";

export interface FoundRows<T> {
  readonly rows: readonly T[];
  /** Whether none of them was unreadable. */
  readonly isWhole: boolean;
}

/**
 * A statement whose rows are read as far as they can be: from both ends to what is broken in between.
 *
 * @param isTolerant else what SQLite throws is thrown
 */
export function tolerantRows<T extends object>(
  db: Db,
  sql: string,
  orderedBy: string,
  isTolerant: boolean,
): (values: readonly unknown[]) => FoundRows<T> {
  const forward = db.prepare<unknown[], T>(`${sql} ORDER BY ${orderedBy}`);
  const backward = db.prepare<unknown[], T>(`${sql} ORDER BY ${orderedBy} DESC`);
  const upToBreak = (statement: typeof forward, values: readonly unknown[]): FoundRows<T> => {
    const rows: T[] = [];
    try {
      for (const row of statement.iterate(...values)) rows.push(row);
      return { rows, isWhole: true };
    } catch (thrown) {
      if (!isTolerant) throw thrown;
      return { rows, isWhole: false };
    }
  };
  return (values) => {
    const first = upToBreak(forward, values);
    if (first.isWhole) return first;
    const known = new Set(first.rows.map((row) => JSON.stringify(row)));
    const rest = upToBreak(backward, values).rows.filter((row) => !known.has(JSON.stringify(row)));
    return { rows: [...first.rows, ...rest], isWhole: false };
  };
}
