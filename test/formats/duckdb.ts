import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";

/**
 * Runs SQL in a new in-memory DuckDB and returns the rows as JavaScript values.
 *
 * @param before statements that are run first
 */
export async function duckdb<T>(sql: string, before = ""): Promise<T[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection: DuckDBConnection = await instance.connect();
  try {
    if (before !== "") await connection.run(before);
    return (await connection.runAndReadAll(sql)).getRowObjectsJS() as T[];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
