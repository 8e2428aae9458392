import { join } from "node:path";
import type { ExportFormat } from "#shared/file/formats.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { peer } from "../harness/alternate.ts";
import { measured, pythonPeer } from "../harness/child.ts";
import { scalarJob } from "../harness/data.ts";
import { filledCache } from "../harness/filled.ts";
import { withFolder } from "../harness/folder.ts";
import { atMost, timesPeer } from "../harness/goals.ts";
import { type Bench, type Figure, type Finding, PRECISIONS, type Precision, type Tool } from "../harness/types.ts";
import type { Exported, ExportFileArguments } from "../measured/exportFile.ts";
import type { DuckdbFiles, DuckdbFilesArguments } from "../measured/duckdbFiles.ts";
import { sqliteCsv } from "../peers/sqliteCsv.ts";

interface PythonFiles {
  readonly rows: number;
  readonly csv: readonly number[];
  readonly csvIso: readonly number[];
  readonly netcdf: readonly number[];
  readonly sinex: readonly number[];
  /** Absent if pandas cannot write it. */
  readonly parquet?: readonly number[];
  /** Bytes of each file. */
  readonly sizes: Readonly<Partial<Record<string, number>>>;
}

/** The level that our NetCDF writer uses, given to xarray too. */
const DEFLATE_LEVEL = 1;
/** Ten station-years take long enough for a result after a few runs. */
const MOST_LARGE_RUNS = 2;

async function measureAt(bench: Bench, precision: Precision, folder: string): Promise<Finding[]> {
  const { label } = precision;
  const { runs, tenMillionDays, yearDays } = bench.scale;
  const { path: cachePath } = await filledCache(bench, precision);
  const spec = scalarJob(1, tenMillionDays);
  const exported = async (spec: JobSpec, format: ExportFormat, times: number): Promise<Exported[]> => {
    const args: ExportFileArguments = { folder, cachePath, spec, format, keepAs: null };
    const done: Exported[] = [];
    for (let run = 0; run < times; run++) done.push(await measured<Exported>("exportFile.ts", args));
    return done;
  };
  const inOneProcess: ExportFileArguments = { folder, cachePath, spec, format: "netcdf", keepAs: null, times: runs };
  bench.say(`${label}: export from the cache, and the same by others …`);
  const csv = await exported(spec, "csv", runs);
  const netcdf = await exported(spec, "netcdf", runs);
  const netcdfAgain = [await measured<Exported>("exportFile.ts", inOneProcess)];
  const parquet = await exported(spec, "parquet", runs);
  const netcdf3 = await exported(spec, "netcdf3", runs);
  const sinex = await exported(spec, "sinex", runs);
  const rows = await exported(spec, "sqlite", runs);
  const python = await pythonFiles(bench, spec, cachePath, folder);
  const duckdb = await duckdbFiles(bench, spec, cachePath, folder);
  const sqlite = await sqliteCsv({ bench, folder, spec, decimals: precision.decimals });

  const files: Finding[] = [];
  const file = (name: string, ours: readonly Exported[], other: Finding["peer"], factor: number | null): void => {
    const samples = ours.flatMap((o) => o.seconds);
    files.push({
      name: `export: ${name}, 1 M rows × 3, ${label}`,
      unit: "s",
      better: "less",
      samples,
      peer: other,
      goal: factor === null ? null : timesPeer(factor),
      note: `${ours[0]?.rows.toLocaleString("en-US")} rows of one station, read from the cache, with the sidecar; pandas and xarray have them in memory`,
    });
  };
  file("CSV", csv, peer("pandas to_csv, its own times", bench.python, python?.csv ?? []), 6);
  file("CSV", csv, peer("pandas to_csv, times as ours", bench.python, python?.csvIso ?? []), 6);
  file("CSV", csv, peer("sqlite3 -csv, integer times", bench.sqlite3, sqlite?.integer ?? []), 3);
  file("CSV", csv, peer("sqlite3 -csv, times as ours", bench.sqlite3, sqlite?.iso ?? []), 3);
  const xarray = peer(`xarray, zlib ${DEFLATE_LEVEL}`, bench.python, python?.netcdf ?? []);
  // Python's peers write repeatedly in one process. So does ours; the time in a new process, in which its code is still
  // being compiled, is also reported.
  file("NetCDF-4 deflate", netcdfAgain, xarray, 1);
  file("NetCDF-4 deflate, each in a new process", netcdf, xarray, null);
  const pyarrow: Tool = python && !python.parquet ? { absent: "pip install pyarrow" } : bench.python;
  file("Parquet, by month", parquet, peer("pandas to_parquet, one file", pyarrow, python?.parquet ?? []), 1);
  file("NetCDF-3", netcdf3, null, null);
  file("SINEX_TRO", sinex, peer("a plain loop in Python", bench.python, python?.sinex ?? []), null);
  file("SQLite, plain rows", rows, peer("sqlite3 .import of CSV", bench.sqlite3, sqlite?.imported ?? []), null);

  const duck: Tool = { path: "@duckdb/node-api" };
  file("CSV", csv, peer("DuckDB's COPY, from its memory", duck, duckdb.csv.seconds), null);
  file("Parquet, by month", parquet, peer("DuckDB's COPY, one file, zstd", duck, duckdb.parquet.seconds), null);
  file("Parquet, by month", parquet, peer("the same on one thread", duck, duckdb.oneThread.seconds), 0.45);

  const spaces: Finding[] = [];
  const size = (name: string, ours: readonly Exported[], other: string, bytes: number | undefined): void => {
    if (bytes === undefined) return;
    spaces.push({
      name: `export: ${name}, 1 M rows × 3, ${label}, size`,
      unit: "MB",
      better: "less",
      samples: ours.map((o) => o.bytes / 1e6),
      peer: { name: other, samples: [bytes / 1e6] },
      goal: null,
      note: null,
    });
  };
  size("NetCDF-4 deflate", netcdf, `xarray, zlib ${DEFLATE_LEVEL}`, python?.sizes["netcdf"]);
  size("CSV", csv, "pandas to_csv, times as ours", python?.sizes["csvIso"]);
  size("Parquet, by month", parquet, "DuckDB's COPY, one file, zstd", duckdb.parquet.bytes);
  for (const format of ["csv", "netcdf", "parquet"] as const) {
    for (const years of [1, 10]) {
      const times = years === 1 ? runs : Math.min(runs, MOST_LARGE_RUNS);
      const done = await exported(scalarJob(years, yearDays), format, times);
      spaces.push({
        name: `export: ${format}, ${years} station-year${years > 1 ? "s" : ""}, ${label}, peak memory`,
        unit: "MB",
        better: "less",
        samples: done.map((d) => d.peakMb),
        peer: null,
        goal: atMost(300, "MB"),
        note: null,
      });
    }
  }
  return [...files, ...spaces];
}

/** Measures DuckDB's writers on the rows of our CSV file. */
async function duckdbFiles(bench: Bench, spec: JobSpec, cachePath: string, folder: string): Promise<DuckdbFiles> {
  const path = join(folder, "rows.csv");
  const args: ExportFileArguments = { folder, cachePath, spec, format: "csv", keepAs: path };
  await measured("exportFile.ts", args);
  const writing: DuckdbFilesArguments = { path, runs: bench.scale.runs };
  return measured<DuckdbFiles>("duckdbFiles.ts", writing);
}

async function pythonFiles(
  bench: Bench,
  spec: JobSpec,
  cachePath: string,
  folder: string,
): Promise<PythonFiles | null> {
  if ("absent" in bench.python) return null;
  const path = join(folder, "series.nc");
  const args: ExportFileArguments = { folder, cachePath, spec, format: "netcdf", keepAs: path };
  await measured("exportFile.ts", args);
  return pythonPeer<PythonFiles>(bench.python.path, "write_files.py", {
    path,
    runs: bench.scale.runs,
    level: DEFLATE_LEVEL,
    stationId: spec.stationIds[0],
  });
}

export const exportFigure: Figure = {
  name: "export",
  about: "files from the cache: CSV, NetCDF, Parquet, SINEX_TRO, SQLite",
  async *measure(bench) {
    for (const precision of PRECISIONS) {
      yield* await withFolder(bench.folder, (folder) => measureAt(bench, precision, folder));
    }
  },
};
