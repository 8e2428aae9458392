import { TABLE_NAMES } from "./python.ts";
import { variableNameOf, type SnippetFile, type SnippetSpec, type SnippetWriter } from "./spec.ts";

const quote = (text: string): string => JSON.stringify(text).replaceAll("$", "\\$");

/** Opens the files as arrays or data frames. */
export const julia: SnippetWriter = (spec) => {
  const reader = READERS[spec.format];
  if (reader === null) return null;
  const [head, read] = reader;
  return `${head}\n\n${spec.files.flatMap(read).join("\n")}\n`;
};

type Reader = readonly [head: string, read: (file: SnippetFile) => readonly string[]];

const netcdf: Reader = ["using NCDatasets", (file) => [`${variableNameOf(file)} = NCDataset(${quote(file.path)})`]];

const READERS: Readonly<Record<SnippetSpec["format"], Reader | null>> = {
  netcdf,
  netcdf3: netcdf,
  zarr: ["using ZarrDatasets", (file) => [`${variableNameOf(file)} = ZarrDataset(${quote(file.path)})`]],
  csv: [
    "using CSV, DataFrames, Dates",
    (file) => [
      `${variableNameOf(file)} = CSV.read(${quote(file.path)}, DataFrame; types = Dict(:station_id => String, :time => String))`,
      `${variableNameOf(file)}.time = DateTime.(chop.(${variableNameOf(file)}.time))`,
    ],
  ],
  excel: [
    "using DataFrames, XLSX",
    (file) => [
      `${variableNameOf(file)} = reduce(vcat, [DataFrame(XLSX.gettable(sheet)) for sheet in XLSX.readxlsx(${quote(file.path)}).workbook.sheets])`,
    ],
  ],
  parquet: [
    "using DataFrames, DuckDB",
    (file) => [
      `${variableNameOf(file)} = DataFrame(DBInterface.execute(DBInterface.connect(DuckDB.DB), """SELECT * FROM read_parquet('${inSql(file)}', hive_partitioning = ${String(file.isFolder)})"""))`,
    ],
  ],
  sinex: null,
  cost: null,
  sqlite: [
    "using DataFrames, Dates, SQLite",
    (file) => [
      `${variableNameOf(file)} = DataFrame(DBInterface.execute(SQLite.DB(${quote(file.path)}), "SELECT * FROM ${TABLE_NAMES[file.kind]}"))`,
      `${variableNameOf(file)}.time = DateTime.(chop.(${variableNameOf(file)}.time))`,
    ],
  ],
};

/** Quotes a path for a SQL literal in a Julia string. */
function inSql({ path, isFolder }: SnippetFile): string {
  const text = quote(isFolder ? `${path}/**/*.parquet` : path).slice(1, -1);
  return text.replaceAll("'", "''");
}
