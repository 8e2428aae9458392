import type { VariableKind } from "../service/variables.ts";

/** Counts of a file's content before it is written. */
export interface FileContent {
  readonly kind: VariableKind;
  readonly stations: number;
  /** Calendar months that overlap the range. */
  readonly months: number;
  /** Epochs of all stations together. A table has one row per epoch; for satellites, one per satellite in view. */
  readonly epochs: number;
  readonly rows: number;
  /** Characters of one row's values, written as text. */
  readonly charactersPerRow: number;
  readonly columns: number;
}

/** What is known of a format beside its writer (`src/main/export/writers.ts`) and its readers (`src/shared/snippets`). */
interface FormatAbout {
  readonly name: string;
  /** What it contains, and which programs read it. */
  readonly use: string;
  /** Of file names. */
  readonly extension: string;
  /**
   * - table: one row per station and time; rows without any value are left out by default
   * - array: a grid of stations and times, or the rows of one station after another
   */
  readonly kind: "table" | "array";
  /** Whether the details of stations can be chosen: the other formats store stations separately. */
  readonly hasDetails?: true;
  /** Whether it is a folder, unless downloaded. */
  readonly isFolder?: true;
  /** Approximate size in bytes. The compression ratios were measured with native rows, means and satellites. */
  bytes(content: FileContent): number;
}

const TABLE = {
  netcdf: {
    name: "NetCDF-4",
    use: "CF-1.8, compressed, with units and the cause of every gap: for xarray, MATLAB, Panoply, NCO.",
    extension: "nc",
    kind: "array",
    // HDF5 structures and attributes, then the rows.
    bytes: ({ kind, rows, charactersPerRow }) => 33_000 + rows * (kind === "scalar" ? 0.3 : 0.43) * charactersPerRow,
  },
  csv: {
    name: "CSV",
    use: "UTF-8 text, a row for each station and time: for pandas, R, and everything else.",
    extension: "csv",
    kind: "table",
    hasDetails: true,
    // `station_id,station_name,time` and the line end.
    bytes: ({ rows, charactersPerRow, columns }) => rows * (67 + charactersPerRow + columns),
  },
  excel: {
    name: "Excel (.xlsx)",
    use: "Times as dates, numbers as numbers, in any locale; a new sheet after every 1,048,575 rows.",
    extension: "xlsx",
    kind: "table",
    hasDetails: true,
    // A workbook without rows; a compressed row of a sheet without its values.
    bytes: ({ rows, charactersPerRow }) => 2_500 + rows * (16 + 0.9 * charactersPerRow),
  },
  parquet: {
    name: "Parquet",
    use: "A folder by station and month that DuckDB, Spark, Dask and pandas read as one table; one file as a download.",
    extension: "parquet",
    kind: "table",
    isFolder: true,
    // Header and footer of each file of the dataset.
    bytes: ({ stations, months, rows, charactersPerRow }) =>
      3_500 * stations * months + rows * (0.1 + 0.25 * charactersPerRow),
  },
  sinex: {
    name: "SINEX_TRO 2.00",
    use: "ZTD, its uncertainty and PWV as analysis centres exchange them; no satellites, whole seconds.",
    extension: "tro",
    kind: "table",
    // Code, epoch and line end; a value with its blank.
    bytes: ({ rows, columns }) => 2_000 + rows * (26 + 9 * columns),
  },
  cost: {
    name: "COST-716 V2.2a",
    use: "Means of ZTD and PWV as E-GVAP and weather services take them; no satellites, intervals of whole minutes.",
    extension: "dat",
    kind: "table",
    // A row, its slant delays, and the header of each day.
    bytes: ({ stations, rows }) => 600 * stations + rows * 108,
  },
  sqlite: {
    name: "SQLite",
    use: "Tables of plain rows, satellites too: for SQL tools.",
    extension: "sqlite",
    kind: "table",
    // Station and time as text, and SQLite's overhead for a row of a table that is ordered by them.
    bytes: ({ rows, columns }) => 16_000 + rows * (74 + 9 * columns),
  },
  netcdf3: {
    name: "NetCDF-3",
    use: "64-bit offset, uncompressed, at most 4 GB per variable: for tools that cannot read NetCDF-4.",
    extension: "nc",
    kind: "array",
    // Stations share the time axis; each satellite row has a time, and often a second band.
    bytes: ({ kind, rows, columns, epochs, stations }) =>
      12_000 + 8 * (kind === "scalar" ? rows * columns + epochs / Math.max(1, stations) : rows * (columns + 1)),
  },
  zarr: {
    name: "Zarr",
    use: "Version 3, in shards, a folder for object storage: for xarray with zarr-python 3, TensorStore, zarrita.",
    extension: "zarr",
    kind: "array",
    isFolder: true,
    // The metadata of all arrays, which is stored twice.
    bytes: ({ kind, rows, charactersPerRow }) => 50_000 + rows * (kind === "scalar" ? 0.35 : 0.5) * charactersPerRow,
  },
} as const satisfies Readonly<Record<string, FormatAbout>>;

export type ExportFormat = keyof typeof TABLE;

/** The formats of exports. A new one begins here; the type checker then asks for its writer and its readers. */
export const FORMATS: Readonly<Record<ExportFormat, FormatAbout>> = TABLE;

/** In the order in which they are offered. */
export const EXPORT_FORMATS = Object.keys(TABLE) as [ExportFormat, ...ExportFormat[]];
