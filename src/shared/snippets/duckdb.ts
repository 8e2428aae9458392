import { TABLE_NAMES } from "./python.ts";
import { variableNameOf, type SnippetFile, type SnippetSpec, type SnippetWriter } from "./spec.ts";

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Creates a view of each file and reads the first. */
export const duckdb: SnippetWriter = (spec) => {
  const reader = READERS[spec.format];
  const [first] = spec.files;
  if (reader === null || first === undefined) return null;
  const [head, source] = reader;
  const views = spec.files.map((file) => `CREATE VIEW ${variableNameOf(file)} AS SELECT * FROM ${source(file)};`);
  return `${[...head, ...views, `SELECT * FROM ${variableNameOf(first)} LIMIT 10;`].join("\n")}\n`;
};

type Reader = readonly [head: readonly string[], source: (file: SnippetFile) => string];

const READERS: Readonly<Record<SnippetSpec["format"], Reader | null>> = {
  netcdf: null,
  netcdf3: null,
  zarr: null,
  csv: [[], ({ path }) => `read_csv(${quote(path)}, header = true, types = {'station_id': 'VARCHAR'})`],
  excel: [["INSTALL excel;", "LOAD excel;"], ({ path }) => `read_xlsx(${quote(path)})`],
  parquet: [
    [],
    ({ path, isFolder }) =>
      isFolder
        ? `read_parquet(${quote(`${path}/**/*.parquet`)}, hive_partitioning = true, hive_types = {'station_id': VARCHAR, 'month': VARCHAR})`
        : `read_parquet(${quote(path)})`,
  ],
  sinex: null,
  cost: null,
  sqlite: [
    ["INSTALL sqlite;", "LOAD sqlite;"],
    ({ path, kind }) => `sqlite_scan(${quote(path)}, '${TABLE_NAMES[kind]}')`,
  ],
};
