import type { ExportFormat } from "#shared/file/export.ts";
import { PERIODS, type SavedExport, savedRangeText } from "#shared/file/savedExport.ts";
import { intervalWords } from "../fetch/words.ts";
import { rangeWords, variableWords } from "../jobs/words.ts";

/** The name of each format and its use. */
export const EXPORT_WORDS: Readonly<Record<ExportFormat, { readonly name: string; readonly use: string }>> = {
  netcdf: {
    name: "NetCDF-4",
    use: "CF-1.8, compressed, with units and the cause of every gap: for xarray, MATLAB, Panoply, NCO.",
  },
  csv: {
    name: "CSV",
    use: "UTF-8 text, a row for each station and time: for pandas, R, and everything else.",
  },
  excel: {
    name: "Excel (.xlsx)",
    use: "Times as dates, numbers as numbers, in any locale; a new sheet after every 1,048,575 rows.",
  },
  parquet: {
    name: "Parquet",
    use: "A folder by station and month that DuckDB, Spark, Dask and pandas read as one table; one file as a download.",
  },
  sinex: {
    name: "SINEX_TRO 2.00",
    use: "ZTD, its uncertainty and PWV as analysis centres exchange them; no satellites, whole seconds.",
  },
  cost: {
    name: "COST-716 V2.2a",
    use: "Means of ZTD and PWV as E-GVAP and weather services take them; no satellites, intervals of whole minutes.",
  },
  sqlite: {
    name: "SQLite",
    use: "Tables of plain rows, satellites too: for SQL tools.",
  },
  zarr: {
    name: "Zarr",
    use: "Version 3, in shards, a folder for object storage: for xarray with zarr-python 3, TensorStore, zarrita.",
  },
  netcdf3: {
    name: "NetCDF-3",
    use: "64-bit offset, uncompressed, at most 4 GB per variable: for tools that cannot read NetCDF-4.",
  },
};

export const NAME_PROBLEM = "Use up to 60 letters, digits, spaces and . , _ + - ( ), which the command line accepts.";

/** Summarizes a saved export in one line. */
export function savedWords({ variables, range, intervalSeconds, raw, format, figure }: SavedExport): string {
  return [
    variableWords(variables),
    range.kind === "relative" ? PERIODS[range.period].toLowerCase() : savedRangeText(range, rangeWords),
    intervalWords(intervalSeconds).toLowerCase(),
    ...(raw ? ["raw"] : []),
    EXPORT_WORDS[format].name,
    ...(figure ? ["figure"] : []),
  ].join(" · ");
}
