import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";

/** Runs SQL in a DuckDB of its own and returns the rows as JavaScript values. */
export async function duckdb<T>(sql: string): Promise<T[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection: DuckDBConnection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJS() as T[];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
