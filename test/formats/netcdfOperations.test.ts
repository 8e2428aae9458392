import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { NetcdfContainer } from "#formats/netcdf/writeArrays.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { openedSeries, plainRows, seriesBy } from "./open/support.ts";
import type { FileStation } from "#formats/source.ts";
import { faultOf, generatedPart, type Operation, type Outcome, runOperations } from "./operations.ts";
import { DAY_MS, type PlainRow, type PlainSource, regularRows, sourceOf, START_MS, station } from "./sources.ts";
import { mustSucceed, runPython, runTool, scratchFolder } from "./tools.ts";

// Common commands of the tools in the guide, run on exported files. Their results are compared by value.

const folder = scratchFolder();
const NAME = "Heinäniemi";
const STATIONS = [station(0, { displayName: NAME }), station(1), station(2)];
const STEP_MS = 900_000;
const MOMENTS = 96;

/** A day of three stations; later stations end earlier. */
function day(number: number): PlainRow[][] {
  return STATIONS.map((_, i) =>
    regularRows(MOMENTS - 3 * i, i, STEP_MS).map((row) => ({ ...row, timeMs: row.timeMs + number * DAY_MS })),
  );
}

function source(rows: PlainRow[][], over: Partial<PlainSource> = {}): PlainSource {
  return { stations: STATIONS, variables: ["ztd", "ztd_sigma", "pwv"], rows, ...over };
}

type Cells = (number | null)[];

/** Values in the order of a grid: all stations of one time, then those of the next. */
function grid(rows: PlainRow[][], variable: "ztd" | "pwv"): Cells {
  return Array.from({ length: MOMENTS }, (_, i) =>
    rows.map((own) => (own[i]?.values[variable] as number | null | undefined) ?? null),
  ).flat();
}

function ragged(rows: PlainRow[][]): Cells {
  return rows.flat().map((row) => row.values.ztd as number);
}

const A = day(0);
const B = day(1);
const ZTD = grid(A, "ztd");
const BOTH = [...ZTD, ...grid(B, "ztd")];
const MEANS = A.map((rows) => rows.reduce((sum, r) => sum + Number(r.values.ztd), 0) / rows.length);
/** Means over the stations that have a value. */
const ACROSS = Array.from({ length: MOMENTS }, (_, i) => {
  const found = A.flatMap((rows) => rows[i]?.values.ztd ?? []).map(Number);
  return found.reduce((sum, v) => sum + v, 0) / found.length;
});
const CLOSE = 1e-6;
const PRINTED = 0.06;

function python(tool: string, command: string, expected: Cells): Operation {
  return { tool, program: "python", command, expected };
}

/** Commands that copy or change a file and keep the values of `ztd`, in any layout. */
function keeping(expected: Cells): Operation[] {
  const copy = (tool: string, program: string, command: string): Operation => ({
    tool,
    program,
    command,
    variable: "ztd",
    expected,
  });
  return [
    copy("NCO", "ncks", "ncks -O a.nc out.nc"),
    copy("NCO", "ncks", "ncks -v ztd a.nc out.nc"),
    copy("NCO", "ncks", "ncks -3 a.nc out.nc"),
    copy("NCO", "ncatted", "ncatted -a note,ztd,c,c,checked a.nc out.nc"),
    copy("NCO", "ncrename", "ncrename -v pwv,water a.nc out.nc"),
    {
      ...copy("NCO", "ncap2", "ncap2 -s 'zwd=ztd-2000' a.nc out.nc"),
      variable: "zwd",
      tolerance: CLOSE,
      expected: less(expected),
    },
    ...["classic", "cdf5", "nc4"].map((kind) => copy("netcdf-c", "nccopy", `nccopy -k ${kind} a.nc out.nc`)),
    copy("netcdf-c", "nccopy", "nccopy -u a.nc out.nc"),
    python("xarray", 'xarray.open_dataset("a.nc").ztd', expected),
    python("netCDF4-python", 'netCDF4.Dataset("a.nc")["ztd"][:]', expected),
  ];
}

function less(values: Cells): Cells {
  return values.map((v) => (v === null ? null : v - 2000));
}

/** Commands for HDF5 files only. */
function modern(expected: Cells): Operation[] {
  return [
    { tool: "netcdf-c", program: "nccopy", command: "nccopy -d 5 -s a.nc out.nc", variable: "ztd", expected },
    { tool: "HDF5", program: "h5repack", command: "h5repack -f GZIP=4 a.nc out.nc", variable: "ztd", expected },
    python("h5py", 'numpy.ma.masked_equal(h5py.File("a.nc")["ztd"][:], 9.969209968386869e36)', expected),
  ];
}

/** The name of the first station, as bytes of UTF-8 or as code points. */
const NAME_BYTES = [...Buffer.from(NAME)];
const NAME_POINTS = Array.from(NAME, (c) => c.codePointAt(0)!);

function readers(expected: Cells): Operation[] {
  return [
    python("xarray", 'list(str(xarray.open_dataset("a.nc").station_name.values[0]).encode())', NAME_BYTES),
    {
      tool: "R ncdf4",
      program: "Rscript",
      lacks: /there is no package called .*/,
      command: `Rscript -e 'library(ncdf4); cat(utf8ToInt(ncvar_get(nc_open("a.nc"), "station_name")[1]))'`,
      expected: NAME_POINTS,
    },
    {
      tool: "Octave",
      program: "octave",
      lacks: /package netcdf is not installed/,
      command: `octave --no-gui -q --eval 'pkg load netcdf; printf("%d ", nonzeros(double(ncread("a.nc", "station_name")(:, 1))))'`,
      expected: NAME_BYTES,
    },
    {
      tool: "R ncdf4",
      program: "Rscript",
      lacks: /there is no package called .*/,
      command: `Rscript -e 'library(ncdf4); cat(ncvar_get(nc_open("a.nc"), "ztd"), sep="\\n")'`,
      expected,
    },
    {
      tool: "Octave",
      program: "octave",
      lacks: /package netcdf is not installed/,
      command: `octave --no-gui -q --eval 'pkg load netcdf; printf("%.10g\\n", ncread("a.nc", "ztd"))'`,
      expected,
    },
  ];
}

const ON_GRIDS: readonly Operation[] = [
  ...keeping(ZTD),
  {
    tool: "NCO",
    program: "ncks",
    command: "ncks -d time,10,12 a.nc out.nc",
    variable: "ztd",
    expected: ZTD.slice(30, 39),
  },
  { tool: "NCO", program: "ncrcat", command: "ncrcat a.nc b.nc out.nc", variable: "ztd", expected: BOTH },
  { tool: "NCO", program: "ncra", command: "ncra a.nc out.nc", variable: "ztd", expected: MEANS, tolerance: CLOSE },
  {
    tool: "CDO",
    program: "cdo",
    command: "cdo -s infon -selname,ztd -seltimestep,1 a.nc | tail -1 | tr -s ' ' | cut -d ' ' -f 10-12",
    expected: [Math.min(...first()), first().reduce((a, b) => a + b) / 3, Math.max(...first())],
    tolerance: PRINTED,
  },
  {
    tool: "CDO",
    program: "cdo",
    command: "cdo -s timmean a.nc out.nc",
    variable: "ztd",
    expected: MEANS,
    tolerance: CLOSE,
  },
  { tool: "CDO", program: "cdo", command: "cdo -s mergetime a.nc b.nc out.nc", variable: "ztd", expected: BOTH },
  { tool: "CDO", program: "cdo", command: "cdo -s selname,pwv a.nc out.nc", variable: "pwv", expected: grid(A, "pwv") },
  {
    tool: "CDO",
    program: "cdo",
    command: "cdo -s seldate,2026-01-01T01:00:00,2026-01-01T01:30:00 a.nc out.nc",
    variable: "ztd",
    expected: ZTD.slice(12, 21),
  },
  {
    tool: "CDO",
    program: "cdo",
    command: "cdo -s outputtab,value -selname,ztd -seltimestep,1/90 a.nc | grep -v '#'",
    expected: ZTD.slice(0, 270),
    tolerance: PRINTED,
  },
  python("xarray", 'xarray.open_mfdataset(["a.nc", "b.nc"]).ztd', BOTH),
  python("xarray", 'xarray.open_mfdataset(["a.nc", "b.nc"], combine="nested", concat_dim="time").ztd', BOTH),
  python("xarray", 'xarray.open_dataset("a.nc").ztd.isel(station=1)', ofStation(1)),
  // Days with other stations: NCO joins by position only.
  python(
    "xarray",
    'xarray.open_mfdataset(["a.nc", "others.nc"], preprocess=lambda d: d.set_index(station="station_id"), combine="nested", concat_dim="time").ztd.sel(station="00000000-0000-4000-8000-000000000001")',
    [...ofStation(1), ...B[1]!.map((row) => row.values.ztd as number), ...fills(3)],
  ),
  {
    ...python(
      "xarray, Dask",
      'xarray.open_mfdataset(["a.nc", "b.nc"], chunks={"time": 50}).ztd.mean("time").compute()',
      MEANS,
    ),
    tolerance: CLOSE,
  },
  { ...made("NCO", "ncwa", "ncwa -a station a.nc out.nc", ACROSS), tolerance: CLOSE },
  { ...made("NCO", "ncwa", "ncwa -a time a.nc out.nc", MEANS), tolerance: CLOSE },
  made("NCO", "ncecat", "ncecat a.nc b.nc out.nc", BOTH),
  made("NCO", "ncecat", "ncecat alone.nc other.nc out.nc", [...ofStation(0), ...ofStation(0)]),
  made("NCO", "ncpdq", "ncpdq -a station,time a.nc out.nc", [0, 1, 2].flatMap(ofStation)),
  made("NCO", "ncks", "ncks --mk_rec_dmn time a.nc out.nc", ZTD),
  made("NCO", "ncks", "ncks -d station,1 a.nc out.nc", ofStation(1)),
  { ...made("CDO", "cdo", "cdo -s daymean a.nc out.nc", MEANS), tolerance: CLOSE },
  { ...made("CDO", "cdo", "cdo -s yearmean a.nc out.nc", MEANS), tolerance: CLOSE },
  made("CDO", "cdo", "cdo -s selgridcell,2 a.nc out.nc", ofStation(1)),
  made("CDO", "cdo", "cdo -s splitday a.nc part && mv part01.nc out.nc", ZTD),
  made("CDO", "cdo", "cdo -s remapnn,lon=20.5_lat=60 -selname,ztd a.nc out.nc", ofStation(0)),
];

function made(tool: string, program: string, command: string, expected: Cells): Operation {
  return { tool, program, command, variable: "ztd", expected };
}

function ofStation(station: number): Cells {
  return ZTD.filter((_, i) => i % STATIONS.length === station);
}

function fills(count: number): Cells {
  return Array.from({ length: count }, () => null);
}

function first(): number[] {
  return A.map((rows) => Number(rows[0]!.values.ztd));
}

const ON_RAGGED: readonly Operation[] = [
  ...keeping(ragged(A)),
  {
    tool: "NCO",
    program: "ncks",
    command: "ncks -d obs,10,12 a.nc out.nc",
    variable: "ztd",
    expected: ragged(A).slice(10, 13),
  },
  {
    tool: "NCO",
    program: "ncrcat",
    command: "ncrcat a.nc b.nc out.nc",
    variable: "ztd",
    expected: /record variable to concatenate/,
  },
  {
    tool: "NCO",
    program: "ncra",
    command: "ncra a.nc out.nc",
    variable: "ztd",
    expected: /at least one record variable/,
  },
  {
    tool: "CDO",
    program: "cdo",
    command: "cdo -s selname,ztd a.nc out.nc",
    variable: "ztd",
    expected: /Unsupported array structure/,
  },
];

const FILES: readonly (readonly [string, NetcdfContainer, "grid" | "ragged", readonly Operation[]])[] = [
  ["NetCDF-4 grid", "netcdf4", "grid", [...ON_GRIDS, ...modern(ZTD), ...readers(ZTD)]],
  ["NetCDF-3 grid", "netcdf3", "grid", [...ON_GRIDS, ...readers(ZTD)]],
  ["NetCDF-4 ragged", "netcdf4", "ragged", [...ON_RAGGED, ...modern(ragged(A)), ...readers(ragged(A))]],
  ["NetCDF-3 ragged", "netcdf3", "ragged", [...keeping(ragged(A)), ...readers(ragged(A))]],
];
const PLACES = FILES.map(([format, , , operations]) => ({
  folder: join(folder, format.replaceAll(" ", "-")),
  operations,
}));

beforeAll(async () => {
  for (const [i, [, container, layout]] of FILES.entries()) {
    mkdirSync(PLACES[i]!.folder);
    for (const [name, rows] of [
      ["a", A],
      ["b", B],
    ] as const) {
      const path = join(PLACES[i]!.folder, `${name}.nc`);
      mustSucceed(await writeTimeSeriesNetcdf(path, sourceOf(source(rows)), { container, layout }));
    }
    const others: readonly (readonly [string, FileStation[], PlainRow[][]])[] = [
      ["alone", [STATIONS[0]!], [A[0]!]],
      ["other", [station(7, { displayName: "Kallio" })], [A[0]!]],
      ["others", [STATIONS[1]!, STATIONS[0]!], [B[1]!, B[0]!]],
    ];
    for (const [name, stations, rows] of others) {
      const path = join(PLACES[i]!.folder, `${name}.nc`);
      mustSucceed(await writeTimeSeriesNetcdf(path, sourceOf(source(rows, { stations })), { container, layout }));
    }
  }
});

let all: Outcome[][] | null = null;

/** Lines of the table whose tool is not installed. */
const ABSENT: string[] = [];

function lineOf(format: string, { tool, command, expected }: Operation): string {
  const result = expected instanceof RegExp ? "is refused, with the reason" : "works";
  return `| ${format} | ${tool} | \`${command.replaceAll("|", "\\|")}\` | ${result} |`;
}

describe.each(FILES.map(([format, , , operations], place) => ({ format, operations, place })))("$format", (file) => {
  const cases = file.operations.map((operation, i) => [operation.command, operation, i] as const);
  it.for(cases)("%s", { timeout: 600_000 }, ([, operation, i], context) => {
    all ??= runOperations(context, PLACES);
    const outcome = all[file.place]![i]!;
    if (outcome.kind === "absent") {
      ABSENT.push(lineOf(file.format, operation));
      return context.skip(outcome.reason);
    }
    expect(faultOf(outcome, operation)).toBeNull();
  });
});

it("docs/files.md lists exactly the operations that were tested", () => {
  const own = FILES.flatMap(([format, , , operations]) => operations.map((operation) => lineOf(format, operation)));
  const lines = ["| file | tool | operation | |", "|---|---|---|---|", ...own];
  const documented = generatedPart("tools on NetCDF", lines, ABSENT).split("\n");
  expect(documented.filter((line) => !ABSENT.includes(line))).toEqual(lines.filter((line) => !ABSENT.includes(line)));
});

describe("a file that several tools edited", () => {
  const path = join(folder, "edited.nc");
  const edited = "2026-01-02T00:00:00.000000000";

  it("is read correctly by netCDF4-python, xarray and h5py", async (context) => {
    const stations = [STATIONS[0]!, station(1, { displayName: "Ääni, 東京" }), STATIONS[2]!];
    mustSucceed(await writeTimeSeriesNetcdf(path, sourceOf(source(A, { stations })), { layout: "grid" }));
    runTool(context, "ncap2", ["-A", "-h", "-s", "zwd=ztd-2000", path, path]);
    runTool(context, "ncrename", ["-h", "-v", "pwv,water", path]);
    runTool(context, "ncatted", ["-h", "-a", "note,ztd,c,c,checked", path]);
    const found = runPython(
      context,
      ["netCDF4", "h5py", "xarray", "numpy"],
      `
path = ${JSON.stringify(path)}
with netCDF4.Dataset(path, "a") as d:
    n = len(d.dimensions["time"])
    d["time"][n] = d["time"][n - 1] + 900
    d["ztd"][n, 1] = 1234.5
with h5py.File(path, "r+") as f:
    f["ztd"][0, 0] = 999.25
plain = lambda a: [None if v is numpy.ma.masked or v != v else float(v) for v in numpy.ma.asarray(a).flatten()]
names = lambda rows: [r.tobytes().decode().rstrip("\\0") for r in numpy.ma.getdata(rows)]
with netCDF4.Dataset(path) as d:
    d.set_auto_chartostring(False)
    c = {"ends": plain(d["ztd"][[0, -1]]), "zwd": plain(d["zwd"][[0, -1]]), "water": plain(d["water"][[0, -1]]), "names": names(d["station_name"][:]), "note": d["ztd"].note}
with xarray.open_dataset(path) as d:
    x = {"ends": plain(d.ztd.values[[0, -1]]), "zwd": plain(d.zwd.values[[0, -1]]), "water": plain(d.water.values[[0, -1]]), "names": [str(v) for v in d.station_name.values], "note": d.ztd.note, "last": str(d.time.values[-1])}
with h5py.File(path) as f:
    h = {"last": f["ztd"][-1].tolist(), "names": names(f["station_name"][:])}
print(json.dumps([c, x, h]))`,
    );
    const zwd = less(ZTD.slice(0, 3)).map((v) => expect.closeTo(v ?? 0, 6) as number);
    const water = [...grid(A, "pwv").slice(0, 3), null, null, null];
    const names = stations.map((s) => s.displayName);
    const ends = [999.25, ZTD[1], ZTD[2], null, 1234.5, null];
    const expected = { ends, zwd: [...zwd, null, null, null], water, names, note: "checked" };
    const fill = 9.969209968386869e36;
    expect(found).toEqual([expected, { ...expected, last: edited }, { last: [fill, 1234.5, fill], names }]);
  });

  it("is read correctly by CDO, NCO, ncdump and Zenith Desk", async (context) => {
    const last = runTool(context, "cdo", ["-s", "outputtab,value", "-selname,ztd", "-seltimestep,97", path]);
    expect(last).toContain("1234.5");
    expect(runTool(context, "ncks", ["-H", "-C", "-v", "ztd", "-d", "time,0", "-s", "%.2f ", path])).toContain(
      "999.25",
    );
    const header = runTool(context, "ncdump", ["-h", path]);
    for (const text of [
      "time = UNLIMITED ; // (97 currently)",
      "double zwd(time, station)",
      "double water(time, station)",
    ])
      expect(header).toContain(text);
    const file = await openedSeries(path);
    const rows = plainRows(file, seriesBy(file, "Ääni, 東京", "ztd"), START_MS);
    expect([rows.length, rows.at(-1)]).toEqual([97, [86_400, 1234.5]]);
    file.close();
  });
});
