import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { valueOf } from "../support/valueOf.ts";
import { readSidecar } from "../formats/sidecarReader.ts";
import { exportSeries } from "#main/export/exportSeries.ts";
import { runJob } from "#main/sync/job.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { type SnippetLanguage, snippetOf } from "#shared/snippets/index.ts";
import type { Variable } from "#shared/service/variables.ts";
import { readCostFile } from "../formats/costReader.ts";
import { duckdb } from "../formats/duckdb.ts";
import { runPython } from "../formats/tools.ts";
import { never, openDesk } from "../support/desk.ts";

// Each sidecar has scripts that open its files. They run unchanged in the folder of the files, and their results are
// compared with the cache.

/** Number of values and sum of ZTD, then number of rows and sum of satellite elevations; null if a file has none. */
type Read = readonly [ztds: number, ztd: number, sightings: number | null, elevation: number | null];
type Case = readonly [name: string, request: Partial<ExportRequest>];

const SCALARS = ["ztd", "ztd_sigma", "pwv"] as const;
const BOTH: readonly Variable[] = [...SCALARS, "el", "az", "snr", "prn"];
const CASES: readonly Case[] = [
  ["grid.nc", { format: "netcdf" }],
  ["ragged.nc", { format: "netcdf", layout: "ragged" }],
  ["classic.nc", { format: "netcdf3" }],
  ["with 'quotes' $x.csv", { format: "csv" }],
  ["book.xlsx", { format: "excel" }],
  ["set.parquet", { format: "parquet" }],
  ["delays.tro", { format: "sinex", variables: SCALARS }],
  ["tables.sqlite", { format: "sqlite" }],
  ["store.zarr", { format: "zarr" }],
  ["ragged.zarr", { format: "zarr", layout: "ragged" }],
];

function total(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

function isNear(a: number | null, b: number | null): boolean {
  return a === b || Math.abs(Number(a) - Number(b)) < 1e-3;
}

const NAMES = CASES.map(([name]) => name);
/** Cases with a file of satellites. */
const WITH_SKY = new Set(CASES.flatMap(([name, { variables }]) => (variables === undefined ? name : [])));
const NO_SKY = [null, null] as const;

/** The cases that a language can open. */
function namesFor(language: SnippetLanguage): string[] {
  const request = { format: "csv", variables: BOTH } as const;
  return CASES.flatMap(([name, change]) => (snippetOf(language, { ...request, ...change }, [name]) ? name : []));
}

describe("scripts in sidecars", async () => {
  const range = { startMs: Date.UTC(2026, 7, 31, 22, 30), endMs: Date.UTC(2026, 8, 1, 0, 30) };
  const mode = { intervalSeconds: null, raw: false } as const;

  const desk = await openDesk();
  afterAll(() => desk.close());
  const ids = desk.stations(3);
  await runJob(desk.session, { stationIds: ids, variables: BOTH, range, ...mode }, { signal: never });
  for (const [name, change] of CASES) {
    const request = { stationIds: ids, variables: BOTH, range, ...mode, resampled: false, format: "csv" } as const;
    const path = join(desk.folder, name);
    valueOf(
      await exportSeries(
        desk.cache,
        desk.origin,
        { ...request, heightReference: "WGS84_ELLIPSOID", path, ...change },
        {},
      ),
    );
  }
  const numbers = ids.map((stationId) => {
    const { columns } = desk.cache.rows({ stationId, variables: ["ztd", "el"], range, ...mode });
    const ztd = columns.ztd?.kind === "scalar" ? [...columns.ztd.values].filter((v) => !Number.isNaN(v)) : [];
    const el = columns.el?.kind === "text" ? columns.el.values.flatMap((v) => (v ? v.split(",").map(Number) : [])) : [];
    return { ztd, el };
  });
  const ztd = numbers.flatMap((n) => n.ztd);
  const el = numbers.flatMap((n) => n.el);
  const expected: Read = [ztd.length, total(ztd), el.length, total(el)];

  function snippet(name: string, language: SnippetLanguage): string {
    const lines = readSidecar(readFileSync(join(desk.folder, `${name}.json`), "utf8")).howToOpen?.[language];
    if (lines === undefined) throw new Error(`The description of ${name} has no ${language}.`);
    return lines.join("\n");
  }

  /** Describes the difference of the results from the cache; null without one. */
  function faultOf(name: string, [ztds, ztd, sightings, elevation]: Read): string | null {
    const [ownSightings, ownElevation] = WITH_SKY.has(name) ? [expected[2], expected[3]] : NO_SKY;
    if (ztds !== expected[0] || sightings !== ownSightings)
      return `${ztds} and ${sightings} values instead of ${expected[0]} and ${ownSightings}`;
    return isNear(ztd, expected[1]) && isNear(elevation, ownElevation)
      ? null
      : `sums of ${ztd} and ${elevation} instead of ${expected[1]} and ${ownElevation}`;
  }

  describe("Python", () => {
    let found: readonly (Read | string)[] | null = null;

    it.for(NAMES)("%s", (name, context) => {
      found ??= inPython(context);
      const read = found[NAMES.indexOf(name)]!;
      if (typeof read === "string") return context.skip(`pandas lacks what it needs: ${read}`);
      expect(faultOf(name, read)).toBeNull();
    });
  });

  /** Runs all scripts in one process, because loading pandas takes longer than reading the files. */
  function inPython(context: TestContext): (Read | string)[] {
    const script = `
import os, warnings
warnings.simplefilter("ignore")
os.chdir(${JSON.stringify(desk.folder)})
try:
  import zarr
  has_zarr = int(zarr.__version__.split(".")[0]) > 2
except ImportError: has_zarr = False
column = lambda table, *names: table[[c for c in table.columns if c.lower() in names][0]]
found = []
for name, code in json.loads(${JSON.stringify(JSON.stringify(NAMES.map((name) => [name, snippet(name, "python")])))}):
  names = {}
  try: exec(code, names)
  except ImportError as e:
    found.append(str(e).splitlines()[0]); continue
  except Exception as e:
    if has_zarr or not name.endswith(".zarr"): raise
    found.append("zarr-python 3 is not installed"); continue
  table = names.get("table", names["data"])
  ztd = column(table, "ztd", "ztd_mm", "trotot")
  sky = names.get("sky", names.get("satellites"))
  times = table["time"]
  assert str(times.min())[:16] == "2026-08-31 22:30" and str(times.dtype).startswith("datetime64"), (name, times)
  assert sky is None or sky["prn"].str.len().eq(3).all()
  elevation = None if sky is None else float(column(sky, "elevation", "el_deg").sum())
  found.append([int(ztd.notna().sum()), float(ztd.sum()), None if sky is None else len(sky), elevation])
print(json.dumps(found))`;
    return runPython(context, ["xarray", "pandas", "openpyxl"], script) as (Read | string)[];
  }

  it("Python reads COST-716", async (context) => {
    const path = join(desk.folder, "means.dat");
    const means = { variables: ["ztd", "pwv"], range, raw: false, intervalSeconds: 900, resampled: true } as const;
    const how = { format: "cost", heightReference: "WGS84_ELLIPSOID", stationIds: desk.stations(3), path } as const;
    valueOf(await exportSeries(desk.cache, desk.origin, { ...means, ...how }, {}));
    const script = `import os
os.chdir(${JSON.stringify(desk.folder)})
${snippet("means.dat", "python")}
print(json.dumps([[int(t.timestamp() * 1000), None if z != z else z, None if w != w else w] for t, z, w in zip(data.time, data.ZTD, data.IWV)]))`;
    const rows = readCostFile(readFileSync(path, "latin1")).flatMap((block) => block.rows);
    expect(rows.length).toBeGreaterThan(20);
    expect(runPython(context, ["pandas"], script)).toEqual(rows.map(([epochMs, ztd, , iwv]) => [epochMs, ztd, iwv]));
  });

  it.for(namesFor("r"))("R: %s", (name, context) => {
    const code = `${snippet(name, "r")}
ztd <- data[[grep("^(ztd|ztd_mm|TROTOT)$", names(data))]]
sky <- if (exists("satellites")) satellites[[grep("^(elevation|el_deg)$", names(satellites))]] else NULL
stopifnot(format(min(data$time), "%Y-%m-%d %H:%M", tz = "UTC") == "2026-08-31 22:30")
cat("\\nFOUND", sum(!is.na(ztd)), format(sum(ztd, na.rm = TRUE), digits = 15), length(sky), format(sum(sky), digits = 15))`;
    const file = join(desk.folder, "open.R");
    writeFileSync(file, code);
    const done = spawnSync("Rscript", [file], { cwd: desk.folder, encoding: "utf8" });
    if (done.error) return context.skip("Rscript is not installed");
    const [lack] = /there is no package called .*|package or namespace load failed.*/.exec(done.stderr) ?? [];
    if (lack !== undefined) return context.skip(`R: ${lack}`);
    const [, words] = /FOUND (.*)/.exec(done.stdout) ?? [];
    if (words === undefined) throw new Error(`${done.stdout}\n${done.stderr}`);
    const [ztds = 0, ztd = 0, sightings = 0, elevation = 0] = words.split(/ +/).map(Number);
    expect(faultOf(name, [ztds, ztd, ...(WITH_SKY.has(name) ? ([sightings, elevation] as const) : NO_SKY)])).toBeNull();
  });

  // Octave has neither tables nor datetimes: it runs only NetCDF, with a datetime function of the test.
  it.for(NAMES.filter((name) => name.endsWith(".nc")))("MATLAB, in Octave: %s", (name, context) => {
    const code = `pkg load netcdf
datetime = @(seconds, varargin) seconds;
${snippet(name, "matlab")}
ztd = data.ztd(! isnan(data.ztd)); sky = satellites.elevation(! isnan(satellites.elevation));
assert (min(data.time), ${range.startMs / 1000}); assert (isempty(strfind(cellstr(satellites.prn){1}, "G")), false);
printf("FOUND %d %.15g %d %.15g\\n", numel(ztd), sum(ztd(:)), numel(sky), sum(sky(:)))`;
    const done = spawnSync("octave", ["--no-gui", "-q", "--eval", code], { cwd: desk.folder, encoding: "utf8" });
    if (done.error) return context.skip("Octave is not installed");
    const [lack] = /package netcdf is not installed/.exec(done.stderr) ?? [];
    if (lack !== undefined) return context.skip(`Octave: ${lack}`);
    const [, words] = /FOUND (.*)/.exec(done.stdout) ?? [];
    if (words === undefined) throw new Error(`${done.stdout}\n${done.stderr}`);
    const [ztds = 0, ztd = 0, sightings = 0, elevation = 0] = words.split(" ").map(Number);
    expect(faultOf(name, [ztds, ztd, sightings, elevation])).toBeNull();
  });

  it.for(namesFor("duckdb"))("DuckDB SQL: %s", async (name, context) => {
    const before = `SET file_search_path = '${desk.folder}'; ${snippet(name, "duckdb")}`;
    const read =
      "SELECT count(ztd_mm)::INT AS n, sum(ztd_mm) AS ztd, (SELECT count(*)::INT FROM satellites) AS sightings, " +
      "(SELECT sum(el_deg) FROM satellites) AS el FROM data";
    const [found] = await duckdb<{ n: number; ztd: number; sightings: number; el: number }>(read, before).catch(
      (thrown: Error) => {
        // INSTALL downloads extensions that are not built in.
        if (!/download extension|INSTALL/.test(thrown.message)) throw thrown;
        return context.skip(`DuckDB cannot download its extension here: ${thrown.message.split("\n")[0]}`);
      },
    );
    expect(faultOf(name, [found!.n, found!.ztd, found!.sightings, found!.el])).toBeNull();
  });
});
