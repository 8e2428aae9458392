import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { IS_GATE } from "../../support/endurance.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { momentMs, readTimeUnits } from "#formats/open/time/cf.ts";
import { runPython, scratchFolder } from "../tools.ts";
import { openedSeries, plainRows, type RowsByName, rowsByName, seriesBy } from "./support.ts";

// Compares with the numbers that xarray and netCDF4-python read from files that they wrote.

const folder = scratchFolder();
const FORMS = [
  ["station first", '("station", "time")', "{}"],
  ["time first", '("time", "station")', "{}"],
  [
    "packed and compressed in chunks, time in days of another zone",
    '("time", "station")',
    `{"alpha": {"dtype": "i4", "scale_factor": 0.001, "add_offset": 2000.0, "_FillValue": -7},
      "beta": {"dtype": "f4", **({"zlib": True, "chunksizes": (2, 2)} if "4" in kind else {})},
      "time": {"units": "days since 1858-11-17 06:00:00", "dtype": "f8"}}`,
  ],
] as const;

// The last one has what the others have.
it.for(IS_GATE ? FORMS.slice(-1) : FORMS)(
  "reads files of xarray as xarray does: %s",
  async ([name, order, encoding], context) => {
    const theirs = runPython(
      context,
      ["xarray", "numpy", "pandas"],
      `
np, pd, xr = numpy, pandas, xarray
order = ${order}
values = np.random.default_rng(1).normal(2400, 20, (3, 7)); values[1, 2] = np.nan; values[2, :] = np.nan
if order[0] == "time": values = values.T
times = pd.date_range("2026-02-27T23:59:30", periods=7, freq="45s")
ds = xr.Dataset({"alpha": (order, values), "beta": (order, np.round(values, 1))}, coords={"time": times, "station": ["KIRKKO", "Ärö", "x"]})
found = {}
for kind in ["NETCDF4", "NETCDF3_CLASSIC", "NETCDF3_64BIT", "NETCDF4_CLASSIC"]:
    path = ${JSON.stringify(join(folder, name.replaceAll(/\W+/g, "-")))} + "-" + kind + ".nc"
    ds.to_netcdf(path, format=kind, engine="netcdf4", encoding=${encoding})
    with xr.open_dataset(path) as read:
        ms = (read["time"].values + np.timedelta64(500, "us")).astype("datetime64[ms]").astype("int64").tolist()
        names = [n.decode() if isinstance(n, bytes) else str(n) for n in read["station"].values]
        found[path] = {f"{n}/{v}": [[t, None if np.isnan(x) else float(x)] for t, x in zip(ms, read[v].transpose("station", "time").values[s])]
            for s, n in enumerate(names) for v in read.data_vars}
print(json.dumps(found))
`,
    ) as Record<string, RowsByName>;
    expect(Object.keys(theirs)).toHaveLength(4);
    for (const [path, rows] of Object.entries(theirs)) {
      const ours = await rowsByName(path);
      expect(Object.keys(ours).toSorted()).toEqual(Object.keys(rows).toSorted());
      for (const [label, own] of Object.entries(ours)) {
        expect(own.map(([ms]) => ms)).toEqual(rows[label]!.map(([ms]) => ms));
        // xarray may unpack with lower precision.
        expect(own.map(([, value]) => digits(value))).toEqual(rows[label]!.map(([, value]) => digits(value)));
      }
    }
  },
);

function digits(value: number | null): number | null {
  // Seven digits, which single precision has.
  return value === null ? null : Number(value.toPrecision(7));
}

const UNITS: readonly (readonly [string, string])[] = [
  ["seconds since 1970-01-01T00:00:00Z", "standard"],
  ["days since 0001-01-01", "standard"],
  ["days since 0001-01-01", "proleptic_gregorian"],
  ["hours since 1582-10-04 12:00", "gregorian"],
  ["days since 0004-2-29", "standard"],
  ["minutes since 2000-2-29 3:5:7.25 -05:30", "standard"],
  ["secs since 1999-12-31 10:00 +0100", "proleptic_gregorian"],
  ["hours since 2000-01-01 00:00:00 0:00", "standard"],
  ["microseconds since 1980-01-06", "standard"],
  ["hrs since 1900-01-01 00:00:0.0", "standard"],
  ["d since 2026-01-01 06:00", "standard"],
];

it("reads times as cftime does, for any unit and reference time", (context) => {
  const theirs = runPython(
    context,
    ["cftime", "datetime"],
    `
epoch = {c: cftime.datetime(1970, 1, 1, calendar=c) for c in ["standard", "proleptic_gregorian"]}
found = []
for units, calendar in ${JSON.stringify(UNITS)}:
    c = "standard" if calendar == "gregorian" else calendar
    own = []
    for v in [0, 1, 0.5, 700000.25]:
        d = cftime.num2date(v, units, calendar=calendar) - epoch[c]
        own.append(d // datetime.timedelta(microseconds=1) / 1000)
    found.append(own)
print(json.dumps(found))
`,
  ) as number[][];
  for (const [i, [text, calendar]] of UNITS.entries()) {
    const units = readTimeUnits(text, calendar);
    if (typeof units === "string") throw new Error(`${text} ${units}`);
    const ours = [0, 1, 0.5, 700_000.25].map((v) => momentMs(v, units));
    expect(ours, `${text} ${calendar}`).toEqual(theirs[i]!.map(Math.round));
  }
});

it.each([
  ["months since 2000-01-01", null],
  ["days since 2000-01-01", "360_day"],
  ["days since 2000-01-01", "julian"],
  ["days since yesterday", null],
  ["days since 2000-13-01", null],
  ["days since 2001-02-29", "standard"],
  ["seconds since 2000-01-01 25:00", null],
  ["seconds since 2000-01-01 12:00:00 5:30", null],
  [`days since ${"9".repeat(200)}`, null],
])("rejects times in “%s” and the calendar %s with a reason", (units, calendar) => {
  expect(readTimeUnits(units, calendar)).toMatch(/^(counts|follows) .{5,200}$/);
});

describe("profiles over time, written by netCDF4-python", () => {
  const HEAD = `
import numpy as np
def started(name, kind, **dimensions):
    d = netCDF4.Dataset(os.path.join(FOLDER, name), "w")
    d.featureType, d.Conventions = kind, "CF-1.8"
    for key, size in dimensions.items(): d.createDimension(key, size)
    def add(name, dims, values, type="f8", **attributes):
        v = d.createVariable(name, type, dims)
        v.setncatts(attributes)
        v[:] = values
    return d, add
AT = {"units": "seconds since 2026-01-01", "standard_name": "time"}
UP = {"units": "m", "standard_name": "altitude", "axis": "Z", "positive": "up"}
NORTH = {"units": "degrees_north", "standard_name": "latitude"}
EAST = {"units": "degrees_east", "standard_name": "longitude"}
d, add = started("stations.nc", "timeSeriesProfile", station=2, time=5, z=3)
add("station", ("station",), [11, 12], "i4", cf_role="timeseries_id")
add("time", ("time",), np.arange(5) * 3600, **AT)
add("lat", ("station",), [60, 61], **NORTH)
add("lon", ("station",), [20, 21], **EAST)
add("z", ("z",), [0, 1000, 2000], **UP)
add("temp", ("station", "time", "z"), 250 + np.arange(30).reshape(2, 5, 3), units="K", coordinates="lat lon station")
d.close()
d, add = started("ships.nc", "trajectoryProfile", trajectory=2, profile=4, z=3)
add("trajectory", ("trajectory",), [7, 8], "i4", cf_role="trajectory_id")
add("time", ("trajectory", "profile"), np.arange(8).reshape(2, 4) * 60, **AT)
add("lat", ("trajectory", "profile"), 60, **NORTH)
add("lon", ("trajectory", "profile"), 20, **EAST)
add("z", ("z",), [0, 10, 20], **UP)
add("salt", ("trajectory", "profile", "z"), np.arange(24).reshape(2, 4, 3), units="1", coordinates="time lat lon z")
d.close()
d, add = started("rows.nc", "trajectoryProfile", obs=7, profile=3, trajectory=1)
add("trajectory", ("trajectory",), [7], "i4", cf_role="trajectory_id")
add("time", ("profile",), [0, 60, 120], **AT)
add("lat", ("profile",), 60, **NORTH)
add("lon", ("profile",), 20, **EAST)
add("row_size", ("profile",), [2, 3, 2], "i4", sample_dimension="obs")
add("trajectory_index", ("profile",), 0, "i4", instance_dimension="trajectory")
add("z", ("obs",), [0, 10, 0, 10, 20, 0, 10], **UP)
add("salt", ("obs",), np.arange(7), units="1", coordinates="time lat lon z")
d.close()
print(json.dumps(True))`;

  it("are read as one series per level, or rejected with a message", async (context) => {
    runPython(context, ["netCDF4"], `import os\nFOLDER = ${JSON.stringify(folder)}${HEAD}`);
    const stations = await openedSeries(join(folder, "stations.nc"));
    expect(stations.series.map((s) => s.label)).toEqual(
      [11, 12].flatMap((id) => [0, 1000, 2000].map((z) => `${id}, z ${z}`)),
    );
    const temp = seriesBy(stations, "12, z 1000", "temp");
    expect(temp.position).toMatchObject({ latitudeDeg: 61, longitudeDeg: 21 });
    expect(plainRows(stations, temp, Date.UTC(2026, 0))).toEqual([0, 1, 2, 3, 4].map((i) => [i * 3600, 266 + 3 * i]));
    stations.close();
    const ships = await openedSeries(join(folder, "ships.nc"));
    expect(plainRows(ships, seriesBy(ships, "8, z 20", "salt"), Date.UTC(2026, 0))).toEqual(
      [0, 1, 2, 3].map((i) => [240 + 60 * i, 14 + 3 * i]),
    );
    expect(ships.notes).toContain("The positions change with time: they are not shown.");
    ships.close();
    expect(await openSeriesFile(join(folder, "rows.nc"))).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/Profiles are not shown: “salt”/) },
    });
  });
});
