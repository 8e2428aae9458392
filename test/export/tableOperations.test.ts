import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { zstdDecompressSync } from "node:zlib";
import { FileSystemStore } from "@zarrita/storage";
import { parquetReadObjects } from "hyparquet";
import { beforeAll, describe, expect, it, type TestContext } from "vitest";
import * as XLSX from "xlsx";
import * as zarr from "zarrita";
import { writeCost } from "#formats/cost/index.ts";
import { writeTimeSeriesCsv } from "#formats/csv/index.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { writeParquetDataset, writeParquetFile } from "#formats/parquet/index.ts";
import { writeSinexTro } from "#formats/sinex/index.ts";
import { writeTimeSeriesXlsx } from "#formats/xlsx/index.ts";
import { writePlainSqlite } from "#main/export/sqlite.ts";
import { duckdb } from "../formats/duckdb.ts";
import { generatedPart } from "../formats/operations.ts";
import { readCostFile } from "../formats/costReader.ts";
import { readSinexTro } from "../formats/sinexReader.ts";
import { DAY_MS, type PlainSource, regularRows, sourceOf, station } from "../formats/sources.ts";
import { programMissing } from "../support/needs.ts";
import { mustSucceed, runPython, scratchFolder } from "../formats/tools.ts";

// Tables in tools other than those of NetCDF, tested by one column with values and gaps.

const folder = scratchFolder();
type Cells = readonly (number | null)[];

const FIRST: PlainSource = {
  stations: [station(0, { displayName: "Heinäniemi" }), station(1, { displayName: 'Ääni "東京", Pier' }), station(2)],
  variables: ["ztd", "ztd_sigma", "pwv"],
  rows: [regularRows(96, 0, 900_000), regularRows(93, 1, 900_000), regularRows(5, 2, 900_000)],
};
const NEXT: PlainSource = {
  ...FIRST,
  rows: FIRST.rows.map((own) => own.map((row) => ({ ...row, timeMs: row.timeMs + DAY_MS }))),
};
const cellsOf = ({ rows }: PlainSource): Cells => rows.flat().map((row) => (row.values.pwv as number | null) ?? null);
const PWV = cellsOf(FIRST);
const NOON = "2026-01-01T12:00:00Z";
const AFTERNOON = cellsOf({
  ...FIRST,
  rows: FIRST.rows.map((own) => own.filter((row) => row.timeMs >= Date.parse(NOON))),
});
/** All stations at one time, then at the next. */
const GRID: Cells = FIRST.rows[0]!.flatMap((_, i) =>
  FIRST.rows.map((own) => (own[i]?.values.pwv as number | null | undefined) ?? null),
);
const BOTH = [...PWV, ...cellsOf(NEXT)];

interface Operation {
  readonly file: string;
  readonly tool: string;
  /** Code of the user. */
  readonly command: string;
  readonly expected?: Cells;
  /** @returns the cells, or the reason why it cannot run here */
  readonly run: (context: TestContext, command: string) => Cells | string | Promise<Cells>;
}

const operation = (
  [file, tool]: readonly [file: string, tool: string],
  command: string,
  run: Operation["run"],
  expected = PWV,
): Operation => ({ file, tool, command, run, expected });
const inPython = (file: string, tool: string, command: string, expected?: Cells): Operation =>
  operation([file, tool], command, python, expected);
const inPolars = (file: string, command: string, expected?: Cells): Operation =>
  inPython(file, "Polars", `${command}["pwv_mm"]`, expected);
const inDuckdb = (file: string, command: string, expected?: Cells): Operation =>
  operation([file, "DuckDB"], command, (_, sql) => fromDuckdb(sql), expected);

/** The name of the first station. */
const NAME: Cells = [...Buffer.from(FIRST.stations[0]!.displayName)];
const NAMES_IN_PYTHON: readonly (readonly [file: string, tool: string, command: string])[] = [
  ["CSV", "pandas", 'pandas.read_csv("a.csv").station_name[0]'],
  ["Excel", "pandas", 'pandas.read_excel("a.xlsx").station_name[0]'],
  ["Parquet, folder", "pandas", 'pandas.read_parquet("a.parquet").station_name[0]'],
  ["Parquet, one file", "fastparquet", 'fastparquet.ParquetFile("one.parquet").to_pandas().station_name[0]'],
  ["Parquet, one file", "Polars", 'polars.read_parquet("one.parquet")["station_name"][0]'],
  ["SQLite", "pandas", 'pandas.read_sql("SELECT name FROM station ORDER BY id", sqlite3.connect("a.sqlite")).name[0]'],
  ["Zarr, grid", "xarray", 'str(xarray.open_zarr("grid.zarr").station_name.values[0])'],
];

const OPERATIONS: readonly Operation[] = [
  inPython("CSV", "pandas", 'pandas.read_csv("a.csv").pwv_mm'),
  inPython("CSV", "pandas", 'pandas.concat(pandas.read_csv(f) for f in ["a.csv", "b.csv"]).pwv_mm', BOTH),
  inPython("CSV", "Dask", 'dask.dataframe.read_csv("*.csv").pwv_mm.compute()', BOTH),
  inDuckdb("CSV", "SELECT pwv_mm FROM 'a.csv'"),
  inDuckdb("CSV", "SELECT pwv_mm FROM '*.csv' ORDER BY time >= '2026-01-02', station_id, time", BOTH),
  inPolars("CSV", 'polars.read_csv("a.csv")'),
  inPolars("CSV", `polars.scan_csv("a.csv").filter(polars.col("time") >= "${NOON}").collect()`, AFTERNOON),
  operation(["CSV", "sqlite3"], 'sqlite3 -csv :memory: ".import --csv a.csv t" "SELECT pwv_mm FROM t"', inShell),
  operation(["CSV", "R"], `Rscript -e 'cat(read.csv("a.csv")$pwv_mm, sep = "\\n")'`, inShell),
  inPython("CSV", "pandas", 'pandas.read_csv("a.csv", index_col="time", parse_dates=True)["2026-01-01":].pwv_mm'),
  inDuckdb("CSV", "SELECT pwv_mm FROM read_csv('a.csv') WHERE time >= TIMESTAMPTZ '2026-01-01 00:00:00+00'"),
  inPython("CSV, positions in columns", "pandas", 'pandas.read_csv("places/a.csv").query("latitude_deg > 0").pwv_mm'),
  inDuckdb("CSV, positions in columns", "SELECT pwv_mm FROM 'places/a.csv' WHERE height_m > 0"),
  operation(
    ["CSV, positions in columns", "R"],
    `Rscript -e 'd <- read.csv("places/a.csv"); cat(d$pwv_mm[d$longitude_deg > 0], sep = "\\n")'`,
    inShell,
  ),
  inPython("Excel", "pandas", 'pandas.read_excel("a.xlsx").pwv_mm'),
  inPython(
    "Excel",
    "openpyxl",
    '[row[-1] for row in openpyxl.load_workbook("a.xlsx").active.iter_rows(2, values_only=True)]',
  ),
  operation(["Excel", "LibreOffice, English"], "soffice --headless --convert-to csv a.xlsx", inLibreOffice("en-US")),
  operation(["Excel", "LibreOffice, German"], "soffice --headless --convert-to csv a.xlsx", inLibreOffice("de-DE")),
  operation(["Excel", "SheetJS"], "XLSX.utils.sheet_to_json(XLSX.read(bytes).Sheets.Measurements)", inSheetJs),
  operation(["Excel", "R"], `Rscript -e 'cat(readxl::read_excel("a.xlsx")$pwv_mm, sep = "\\n")'`, inShell),
  inDuckdb(
    "Parquet, folder",
    "SELECT pwv_mm FROM read_parquet('a.parquet/**/*.parquet', hive_partitioning = true) ORDER BY station_id, time",
  ),
  inPython("Parquet, folder", "pandas", 'pandas.read_parquet("a.parquet").pwv_mm'),
  inPython("Parquet, folder", "Dask", 'dask.dataframe.read_parquet("a.parquet").pwv_mm.compute()'),
  inPython(
    "Parquet, folder",
    "pyarrow",
    'pyarrow.dataset.dataset("a.parquet", partitioning="hive").to_table().sort_by([("station_id", "ascending"), ("time", "ascending")])["pwv_mm"].to_pylist()',
  ),
  inPython("Parquet, folder", "fastparquet", 'fastparquet.ParquetFile("a.parquet").to_pandas().pwv_mm'),
  inPolars(
    "Parquet, folder",
    'polars.scan_parquet("a.parquet/**/*.parquet", hive_partitioning=True).sort("station_id", "time").collect()',
  ),
  inPolars(
    "Parquet, folder",
    `polars.scan_parquet("a.parquet").filter(polars.col("station_id") == "${FIRST.stations[1]!.id}", polars.col("month") == "2026-01").collect()`,
    cellsOf({ ...FIRST, rows: [FIRST.rows[1]!] }),
  ),
  inDuckdb("Parquet, one file", "SELECT pwv_mm FROM 'one.parquet'"),
  inPolars("Parquet, one file", 'polars.read_parquet("one.parquet")'),
  inPolars(
    "Parquet, one file",
    `polars.scan_parquet("one.parquet").filter(polars.col("time") >= datetime.fromisoformat("${NOON.replace("Z", "+00:00")}"), polars.col("ztd_mm") > 0).collect()`,
    AFTERNOON,
  ),
  operation(["Parquet, one file", "hyparquet"], "parquetReadObjects({ file, compressors })", inHyparquet),
  operation(
    ["SQLite", "sqlite3"],
    'sqlite3 -csv a.sqlite "SELECT pwv_mm FROM measurement ORDER BY station_id, time"',
    inShell,
  ),
  inPython("SQLite", "pandas", 'pandas.read_sql("SELECT * FROM measurement", sqlite3.connect("a.sqlite")).pwv_mm'),
  operation(
    ["SQLite", "R"],
    `Rscript -e 'library(DBI); d <- dbGetQuery(dbConnect(RSQLite::SQLite(), "a.sqlite"), "SELECT * FROM measurement"); cat(d$pwv_mm, sep = "\\n")'`,
    inShell,
  ),
  operation(["SINEX_TRO", "a reader by the format's description"], "TROP/SOLUTION, four fields", () =>
    readSinexTro(readFileSync(join(folder, "a.tro"), "latin1")).rows.map((row) => row.values["IWV"] ?? null),
  ),
  operation(["COST-716", "a reader by published files"], "IWV of all blocks", () =>
    readCostFile(readFileSync(join(folder, "a.dat"), "latin1")).flatMap((b) =>
      b.rows.map(([, , , pwv]) => pwv ?? null),
    ),
  ),
  inPython("Zarr, ragged", "xarray", 'xarray.open_zarr("a.zarr").pwv.values'),
  inPython("Zarr, grid", "xarray", 'xarray.open_zarr("grid.zarr").pwv.values.flatten()', GRID),
  inPython("Zarr, ragged", "zarr-python", 'zarr.open_group("a.zarr", mode="r")["pwv"][:]'),
  inPython(
    "Zarr, grid",
    "TensorStore",
    'tensorstore.open({"driver": "zarr3", "kvstore": "file://" + os.getcwd() + "/grid.zarr/pwv"}).result().read().result().flatten()',
    GRID,
  ),
  ...NAMES_IN_PYTHON.map(([file, tool, command]) => inPython(file, tool, `list(${command}.encode())`, NAME)),
  operation(["Zarr, ragged", "zarrita"], 'zarr.get(await zarr.open(root.resolve("pwv")))', inZarrita),
  operation(
    ["Zarr, grid", "zarrita"],
    'zarr.get(await zarr.open(zarr.root(await zarr.withConsolidatedMetadata(store, { format: "v3" })).resolve("pwv")))',
    inConsolidated,
    GRID,
  ),
];

function at(name: string): string {
  return join(folder, name);
}

beforeAll(async () => {
  const first = sourceOf(FIRST);
  mustSucceed(await writeTimeSeriesCsv(at("a.csv"), first, { stationFields: ["station_name"] }));
  const stationFields = ["station_name", "latitude_deg", "longitude_deg", "height_m"] as const;
  mkdirSync(at("places"));
  mustSucceed(await writeTimeSeriesCsv(at("places/a.csv"), first, { stationFields }));
  mustSucceed(await writeTimeSeriesCsv(at("b.csv"), sourceOf(NEXT), { stationFields: ["station_name"] }));
  mustSucceed(await writeTimeSeriesXlsx(at("a.xlsx"), first, { stationFields: ["station_name"] }));
  mustSucceed(await writeParquetDataset(at("a.parquet"), first));
  mustSucceed(await writeParquetFile(at("one.parquet"), first));
  mustSucceed(await writePlainSqlite(at("a.sqlite"), { series: first, satellites: null }, {}));
  const vapour = { ...FIRST, variables: ["pwv"] } as const;
  mustSucceed(await writeSinexTro(at("a.tro"), sourceOf(vapour)));
  mustSucceed(await writeCost(at("a.dat"), sourceOf({ ...FIRST, intervalSeconds: 900 })));
  mustSucceed(await writeTimeSeriesNetcdf(at("a.zarr"), first, { container: "zarr", layout: "ragged" }));
  mustSucceed(await writeTimeSeriesNetcdf(at("grid.zarr"), first, { container: "zarr", layout: "grid" }));
});

let pythonFound: readonly (Cells | string)[] | null = null;

/** Runs all expressions in one process. */
function python(context: TestContext, command: string): Cells | string {
  const commands = OPERATIONS.filter(({ run }) => run === python).map((o) => o.command);
  pythonFound ??= runPython(
    context,
    ["pandas", "openpyxl", "sqlite3"],
    `
import os
from datetime import datetime
os.chdir(${JSON.stringify(folder)})
for module in ["dask.dataframe", "fastparquet", "polars", "pyarrow.dataset", "tensorstore"]:
    try: exec("import " + module)
    except ImportError: pass
try:
    import zarr
    if int(zarr.__version__.split(".")[0]) > 2: import xarray
except ImportError: pass
found = []
for text in json.loads(${JSON.stringify(JSON.stringify(commands))}):
    try: found.append([None if v is None or v != v else float(v) for v in eval(text)])
    except (ImportError, NameError, RuntimeError) as e: found.append(" ".join(str(e).split())[-60:])
print(json.dumps(found))`,
  ) as readonly (Cells | string)[];
  return pythonFound[commands.indexOf(command)]!;
}

async function fromDuckdb(sql: string): Promise<Cells> {
  const rows = await duckdb<{ readonly pwv_mm: number | bigint | null }>(sql, `SET file_search_path = '${folder}'`);
  return rows.map(({ pwv_mm: value }) => (value === null ? null : Number(value)));
}

function inShell(_: TestContext, command: string): Cells | string {
  const done = spawnSync("bash", ["-c", command], { cwd: folder, encoding: "utf8" });
  if (done.status === 127) return "the program is not installed";
  const [lack] = /there is no package called .*/.exec(done.stderr) ?? [];
  if (lack !== undefined) return lack;
  if (done.status !== 0) throw new Error(done.stderr);
  return done.stdout
    .split(/\r?\n/)
    .slice(0, -1)
    .map((line) => (["", '""', "NA"].includes(line) ? null : Number(line)));
}

/** In a locale that reads and writes numbers and times in its own way. */
function inLibreOffice(locale: string): Operation["run"] {
  return () => {
    const lack = programMissing("soffice");
    if (lack !== null) return lack;
    const profile = at(`libreoffice-${locale}`);
    mkdirSync(join(profile, "user"), { recursive: true });
    writeFileSync(
      join(profile, "user/registrymodifications.xcu"),
      `<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N">` +
        `<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item></oor:items>`,
    );
    // Separated by semicolons, in UTF-8, texts in quotation marks, numbers in full.
    const form = "csv:Text - txt - csv (StarCalc):59,34,76,1,,0,true,false,false";
    const env = `-env:UserInstallation=${pathToFileURL(profile)}`;
    const options = [env, "--headless", "--convert-to", form, "--outdir", profile, at("a.xlsx")];
    const done = spawnSync("soffice", options, { encoding: "utf8" });
    if (!existsSync(join(profile, "a.csv"))) throw new Error(done.stdout + done.stderr);
    const [head, ...lines] = readFileSync(join(profile, "a.csv"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => line.split(";").map((text) => text.replaceAll(/^"|"$/g, "")));
    expect(head!.slice(0, 4)).toEqual(["station_id", "station_name", "time", "ztd_mm"]);
    expect(lines[0]!.slice(1, 3)).toEqual(["Heinäniemi", "2026-01-01 00:00:00"]);
    // The locale was in effect, and the cell was a number.
    expect(lines[0]![3]).toBe(String(FIRST.rows[0]![0]!.values.ztd).replace(".", locale === "de-DE" ? "," : "."));
    return lines.map((cells) => (cells.at(-1) ? Number(cells.at(-1)!.replace(",", ".")) : null));
  };
}

function inSheetJs(): Cells {
  const rows = XLSX.utils.sheet_to_json<{ readonly station_name: string; readonly pwv_mm?: number }>(
    XLSX.read(readFileSync(at("a.xlsx"))).Sheets["Measurements"]!,
  );
  expect(rows[0]!.station_name).toBe("Heinäniemi");
  return rows.map((row) => row.pwv_mm ?? null);
}

async function inHyparquet(): Promise<Cells> {
  const bytes = readFileSync(join(folder, "one.parquet"));
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const compressors = { ZSTD: (packed: Uint8Array) => new Uint8Array(zstdDecompressSync(packed)) };
  const rows = (await parquetReadObjects({ file, compressors })) as { readonly pwv_mm: number | null }[];
  return rows.map((row) => row.pwv_mm);
}

async function inZarrita(): Promise<Cells> {
  const root = zarr.root(new FileSystemStore(at("a.zarr")));
  return numbersOf(await zarr.get(await zarr.open(root.resolve("pwv"), { kind: "array" })));
}

async function inConsolidated(): Promise<Cells> {
  const store = await zarr.withConsolidatedMetadata(new FileSystemStore(at("grid.zarr")), { format: "v3" });
  return numbersOf(await zarr.get(await zarr.open(zarr.root(store).resolve("pwv"), { kind: "array" })));
}

function numbersOf({ data }: { readonly data: unknown }): Cells {
  return Array.from(data as Float64Array, (v) => (Number.isNaN(v) ? null : v));
}

/** Rows of the table whose tool is not installed here. */
const ABSENT: string[] = [];

function lineOf({ file, tool, command }: Operation): string {
  return `| ${file} | ${tool} | \`${command.replaceAll("|", "\\|")}\` | works |`;
}

describe("exported tables in other tools", () => {
  const cases = OPERATIONS.map((o) => [`${o.file}: ${o.tool}: ${o.command}`, o] as const);
  it.for(cases)("%s", async ([, own], context) => {
    const found = await own.run(context, own.command);
    if (typeof found === "string") {
      ABSENT.push(lineOf(own));
      return context.skip(`It cannot run here: ${found}`);
    }
    expect(found).toEqual(own.expected);
  });
});

it("docs/files.md lists the tested operations", () => {
  const lines = ["| file | tool | operation | |", "|---|---|---|---|", ...OPERATIONS.map(lineOf)];
  const listed = generatedPart("tools on tables", lines, ABSENT).split("\n");
  expect(listed.filter((line) => !ABSENT.includes(line))).toEqual(lines.filter((line) => !ABSENT.includes(line)));
});
