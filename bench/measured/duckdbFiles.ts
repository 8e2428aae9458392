// The peer of exports: DuckDB writes the same rows from a table in memory.
import { rmSync, statSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { report, timed } from "../harness/report.ts";

export interface DuckdbFilesArguments {
  /** A CSV file of ours with the rows to write. */
  readonly path: string;
  readonly runs: number;
}

/** The duration of each run, and the size of the file. */
export interface DuckdbFile {
  readonly seconds: readonly number[];
  readonly bytes: number;
}

export interface DuckdbFiles {
  readonly csv: DuckdbFile;
  readonly parquet: DuckdbFile;
  /** Parquet on one thread. */
  readonly oneThread: DuckdbFile;
}

await report(async ({ path, runs }: DuckdbFilesArguments): Promise<DuckdbFiles> => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(`CREATE TABLE series AS SELECT * FROM read_csv('${path}', quote = '"')`);
  const write = async (options: string): Promise<DuckdbFile> => {
    const target = `${path}.duckdb`;
    const seconds: number[] = [];
    let bytes = 0;
    for (let run = 0; run < runs; run++) {
      const done = await timed(() => connection.run(`COPY series TO '${target}' (${options})`));
      seconds.push(done.seconds);
      bytes = statSync(target).size;
      rmSync(target);
    }
    return { seconds, bytes };
  };
  const csv = await write("FORMAT csv, HEADER");
  const parquet = await write("FORMAT parquet, COMPRESSION zstd");
  await connection.run("SET threads = 1");
  return { csv, parquet, oneThread: await write("FORMAT parquet, COMPRESSION zstd") };
});
