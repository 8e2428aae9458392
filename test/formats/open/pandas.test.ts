import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChosenColumn, ChosenColumns } from "#shared/file/columns.ts";
import { runPython, scratchFolder } from "../tools.ts";
import { type RowsByName, rowsByName, shown } from "./support.ts";

// Compares with the numbers that pandas, xarray and zipfile read from files that they wrote.

const folder = scratchFolder();
const FOLDER = `import os\nFOLDER = ${JSON.stringify(folder)}\n`;

/** Rounds to nine decimals, since units are converted by a product here and by a quotient in Python. */
function digits(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e9) / 1e9;
}

function rounded(rows: RowsByName): RowsByName {
  return Object.fromEntries(
    Object.entries(rows).map(([name, own]) => [name, own.map(([ms, value]) => [ms, digits(value)])]),
  );
}

const AS_ROWS = `
def as_rows(frame, columns):
    "frame: time (UTC), station and columns; by station in order of time, rows of one time in their order"
    ms = (frame["time"] - pd.Timestamp(0)) / pd.Timedelta(milliseconds=1)
    frame = frame.assign(ms=ms.round().astype("int64")).sort_values("ms", kind="stable")
    return {f"{s}/{c}": [[int(t), None if pd.isna(v) else float(v)] for t, v in zip(own["ms"], own[c])]
        for s, own in frame.groupby("station", sort=False) for c in columns}
`;

interface TableForm {
  readonly name: string;
  readonly columns: readonly ChosenColumn[];
  readonly noValue?: string;
  /** Writes `frame` (time, station, ztd in mm) to `path`, and reads it again as `read` with the same columns. */
  readonly python: string;
}

const chosen = (column: string | number, role: ChosenColumn["role"], unit: ChosenColumn["unit"] = null) => ({
  column,
  role,
  unit,
});

const TABLES: readonly TableForm[] = [
  {
    name: "semicolons, decimal commas, the day first, and metres",
    columns: [chosen("wann", "dayFirst"), chosen("wo", "station"), chosen("was", "ztd", "m")],
    noValue: "fehlt",
    python: `
out = pd.DataFrame({"wann": frame.time.dt.strftime("%d.%m.%Y %H:%M:%S"), "wo": frame.station, "was": frame.ztd / 1000})
out.to_csv(path, sep=";", decimal=",", index=False, na_rep="fehlt", float_format="%.5f")
read = pd.read_csv(path, sep=";", decimal=",", na_values=["fehlt"], parse_dates=["wann"], dayfirst=True)
read = read.rename(columns={"wann": "time", "wo": "station", "was": "ztd"}).assign(ztd=lambda f: f.ztd * 1000)`,
  },
  {
    name: "tabs, the month first, and a separate clock",
    columns: [chosen("d", "monthFirst"), chosen("c", "clock"), chosen("x", "station"), chosen("y", "ztd", "cm")],
    noValue: "-1",
    python: `
out = pd.DataFrame({"y": frame.ztd / 10, "c": frame.time.dt.strftime("%H:%M:%S"), "d": frame.time.dt.strftime("%m/%d/%Y"), "x": frame.station})
out.to_csv(path, sep="\\t", index=False, na_rep="-1", float_format="%.4f")
read = pd.read_csv(path, sep="\\t", na_values=[-1], dtype={"d": str, "c": str})
read = pd.DataFrame({"time": pd.to_datetime(read.d + " " + read.c, format="%m/%d/%Y %H:%M:%S"), "station": read.x, "ztd": read.y * 10})`,
  },
  {
    name: "spaces, no names, year, day of year and second of day",
    columns: [
      chosen(0, "year"),
      chosen(1, "dayOfYear"),
      chosen(2, "secondOfDay"),
      chosen(3, "ztd"),
      chosen(4, "station"),
    ],
    noValue: "9999.0",
    python: `
t = frame.time.dt
out = pd.DataFrame({0: t.year, 1: t.dayofyear, 2: t.hour * 3600 + t.minute * 60 + t.second, 3: frame.ztd.fillna(9999), 4: frame.station})
open(path, "w").write(out.to_string(index=False, header=False, float_format=lambda v: "%.2f" % v) + "\\n")
read = pd.read_csv(path, sep=r"\\s+", header=None, na_values=[9999])
when = pd.to_datetime(read[0] * 1000 + read[1], format="%Y%j") + pd.to_timedelta(read[2], unit="s")
read = pd.DataFrame({"time": when, "station": read[4], "ztd": read[3]})`,
  },
  {
    name: "parts of a date, quoted names with commas, and exponents",
    columns: [chosen("zenith, total", "ztd"), chosen("the site", "station")],
    python: `
t = frame.time.dt
out = pd.DataFrame({"the site": frame.station + ', "N"', "Year": t.year, "Month": t.month, "Day": t.day, "Hour": t.hour, "Minute": t.minute, "Second": t.second, "zenith, total": frame.ztd})
out.to_csv(path, index=False, quoting=csv.QUOTE_NONNUMERIC, float_format="%.6E")
read = pd.read_csv(path)
when = pd.to_datetime(read[["Year", "Month", "Day", "Hour", "Minute", "Second"]])
read = pd.DataFrame({"time": when, "station": read["the site"], "ztd": read["zenith, total"]})`,
  },
  {
    name: "seconds since 1970, a misleading name, and a byte order mark",
    columns: [chosen("date", "none"), chosen("t", "unixTime"), chosen("site", "station"), chosen("v", "ztd")],
    python: `
out = pd.DataFrame({"date": "2020-01-01", "t": (frame.time - pd.Timestamp(0)) // pd.Timedelta(seconds=1), "site": frame.station, "v": frame.ztd})
out.to_csv(path, index=False, encoding="utf-8-sig", lineterminator="\\r\\n")
read = pd.read_csv(path, encoding="utf-8-sig")
read = pd.DataFrame({"time": pd.to_datetime(read.t, unit="s"), "station": read.site, "ztd": read.v})`,
  },
  {
    name: "modified Julian dates",
    columns: [chosen("m", "mjd"), chosen("site", "station"), chosen("v", "ztd")],
    python: `
out = pd.DataFrame({"m": 40587 + (frame.time - pd.Timestamp(0)) / pd.Timedelta(days=1), "site": frame.station, "v": frame.ztd})
out.to_csv(path, index=False, float_format="%.9f")
read = pd.read_csv(path)
read = pd.DataFrame({"time": pd.to_datetime(read.m + 2400000.5, unit="D", origin="julian").dt.round("100ms"), "station": read.site, "ztd": read.v})`,
  },
];

const tablePath = (i: number): string => join(folder, `table-${i}.txt`);

describe("tables with chosen columns", () => {
  it("match pandas with the same columns", async (context) => {
    const steps = TABLES.map(
      ({ python }, i) => `path = ${JSON.stringify(tablePath(i))}${python}\nfound.append(as_rows(read, ["ztd"]))`,
    );
    const theirs = runPython(
      context,
      ["pandas", "numpy", "csv"],
      `
pd, np = pandas, numpy
${AS_ROWS}
random = np.random.default_rng(18)
time = pd.date_range("2027-12-30T22:00:00", periods=60, freq="47min13s")
frame = pd.concat([pd.DataFrame({"time": time, "station": s, "ztd": random.normal(2400, 30, 60).round(2)}) for s in ["KALL", "RIGA"]])
frame = frame.sample(frac=1, random_state=3).reset_index(drop=True)
# The first rows, from which columns are detected, have no values.
frame.loc[[*range(9), *random.choice(120, 11, replace=False)], "ztd"] = np.nan
found = []
${steps.join("\n")}
assert all(sum(len(rows) for rows in one.values()) == 120 for one in found)
print(json.dumps(found))
`,
    ) as RowsByName[];
    for (const [i, { name, columns, noValue = null }] of TABLES.entries()) {
      const choice: ChosenColumns = { columns, noValue };
      const ours = await rowsByName(tablePath(i), { columns: choice });
      const named = Object.entries(ours).map(([label, rows]) => [label.replace(/[^/]*$/, "ztd"), rows]);
      expect({ name, rows: rounded(Object.fromEntries(named)) }).toEqual({ name, rows: rounded(theirs[i] ?? {}) });
    }
  });
});

describe("joined files", () => {
  it("match the concatenation of pandas and xarray for folders, archives and NetCDF files", async (context) => {
    const theirs = runPython(
      context,
      ["pandas", "numpy", "xarray", "zipfile", "gzip", "lzma"],
      `
pd, np, xr = pandas, numpy, xarray
${FOLDER}${AS_ROWS}
random = np.random.default_rng(7)
def day(n, stations):
    "continues for two hours of the next day"
    time = pd.Timestamp("2026-02-27") + pd.to_timedelta(n, unit="D") + pd.to_timedelta(np.arange(0, 93600, 1800), unit="s")
    frame = pd.concat([pd.DataFrame({"time": time, "station": s, "ztd_mm": random.normal(2400, 20, 52).round(3)}) for s in stations])
    frame.loc[random.random(len(frame)) < 0.1, "ztd_mm"] = np.nan
    return frame.sample(frac=0.9, random_state=n).sort_values(["time", "station"])
def text(frame): return frame.to_csv(index=False, date_format="%Y-%m-%dT%H:%M:%SZ")
days = [day(n, ["KALL", "RIGA"] if n % 2 else ["KALL"]) for n in range(5)]
order = [3, 0, 4, 2, 1]
found = {}
def keep(name, frames): found[os.path.join(FOLDER, name)] = as_rows(pd.concat(frames), ["ztd_mm"])
os.makedirs(os.path.join(FOLDER, "days/deep"))
for place, n in enumerate(order):
    frame = days[n]
    if place % 2: frame.to_csv(os.path.join(FOLDER, "days/deep", f"{place}.csv.gz"), index=False, date_format="%Y-%m-%dT%H:%M:%SZ", compression="gzip")
    else: open(os.path.join(FOLDER, "days", f"{place}.csv"), "w").write(text(frame))
keep("days", days)
for name, method in [("stored", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED)]:
    with zipfile.ZipFile(os.path.join(FOLDER, name + ".zip"), "w", method) as archive:
        for place, n in enumerate(order):
            if place == 2: archive.writestr("gz/2.csv.gz", gzip.compress(text(days[n]).encode()))
            # Streamed: the size follows the data, for zip64 in a separate field.
            elif place == 3:
                with archive.open("stream/3.csv", "w", force_zip64=True) as member: member.write(text(days[n]).encode())
            else: archive.writestr(f"{place}.csv", text(days[n]))
    keep(name + ".zip", days)
class Unseekable:
    def __init__(self, file): self.file = file
    def write(self, data): return self.file.write(data)
    def flush(self): self.file.flush()
with open(os.path.join(FOLDER, "piped.zip"), "wb") as file:
    with zipfile.ZipFile(Unseekable(file), "w", zipfile.ZIP_DEFLATED) as archive:
        for n in order: archive.writestr(f"{n}.csv", text(days[n]))
keep("piped.zip", days)
os.makedirs(os.path.join(FOLDER, "grids"))
parts = []
for n in range(4):
    time = pd.date_range(f"2026-02-{25 + n}", periods=24, freq="h")
    values = random.normal(2.4, 0.02, (24, 3)); values[random.random((24, 3)) < 0.1] = np.nan
    ds = xr.Dataset({"ztd_mm": (("time", "station"), values * 1000)}, coords={"time": time, "station": ["AAAA", "BBBB", "CCCC"]})
    ds.ztd_mm.attrs["units"] = "mm"
    ds.to_netcdf(os.path.join(FOLDER, "grids", f"{9 - n}.nc"), format=["NETCDF4", "NETCDF3_CLASSIC"][n % 2], engine="netcdf4")
read = xr.open_mfdataset(os.path.join(FOLDER, "grids", "*.nc"), combine="by_coords").load()
table = read.ztd_mm.to_dataframe().reset_index()
keep("grids", [table.assign(station=[s.decode() if isinstance(s, bytes) else s for s in table.station])])
print(json.dumps(found))
`,
    ) as Record<string, RowsByName>;
    expect(Object.keys(theirs)).toHaveLength(5);
    for (const [path, rows] of Object.entries(theirs)) {
      const ours = await rowsByName(path);
      const named = Object.entries(ours).map(([label, own]) => [label.replace(/[^/]*$/, "ztd_mm"), own]);
      expect({ path, rows: rounded(Object.fromEntries(named)) }).toEqual({ path, rows: rounded(rows) });
    }
  });
});

describe("COST-716", () => {
  const path = join(folder, "egvap.dat");

  it("matches an independent reader with the Fortran formats of COSMO", async (context) => {
    const theirs = runPython(
      context,
      ["pandas", "numpy", "re"],
      `
pd, np = pandas, numpy
random = np.random.default_rng(716)
NAMES = ["ZTD", "ZTD_sigma", "ZWD", "IWV", "pressure", "temperature", "humidity",
    "gradient_north", "gradient_east", "gradient_north_sigma", "gradient_east_sigma", "TEC"]
LOW = [1500, 0.5, 0, 0, 500, 220, 5, -90, -900, 0.01, 0.01, -9]
HIGH = [2700, 9, 400, 70, 1040, 310, 100, 90, 900, 1, 1, 9]
NONE = [-9.9] * 7 + [999.99] * 2 + [-9.99] * 2 + [-99.999]
DIGITS = [1] * 7 + [2] * 4 + [3]
def block(site, domes, centre, version, start, minutes, samples):
    start = pd.Timestamp(start)
    day = lambda t: t.strftime("%d-%b-%Y %H:%M:%S").upper()
    yield f"COST-716 {version:<11}     {'E-GVAP':<20}     {'OPER':<20}"
    yield f"{site:<4} {domes:<9}           Somewhere [XX]"
    yield f"{'TRIMBLE NETR9':<20}     {'TRM57971.00 TZGD':<20}"
    lat, lon = random.uniform(-90, 90), random.uniform(-180, 360)
    yield f"{lat:12.6f}{lon:12.6f}{random.uniform(-50, 3000):12.3f}{random.uniform(-50, 3000):12.3f}{0:12.3f}"
    yield f"{day(start):<20}     {day(start + pd.Timedelta(hours=6)):<20}"
    yield f"{centre:<20}     {'BERNESE V5.2':<20}     {'CODULT':<20}     {'NONE':<20}"
    yield "%5d%5d%5d" % (minutes, 60, 360)
    yield "%08X" % 0x75
    yield "%4d" % samples
    for i in range(samples):
        t = start + pd.Timedelta(minutes=minutes * i)
        values = random.uniform(LOW, HIGH)
        values = np.where(random.random(12) < 0.2, NONE, values)
        # V2.0 ends with F7.3, so that its last two fields touch.
        fields = "".join("%*.*f" % (8 if d == 3 and version != "V2.0" else 7, d, v) for d, v in zip(DIGITS, values))
        yield "%3d%3d%3d %08X" % (t.hour, t.minute, t.second, 0xFFFFFFFF) + fields
        slants = random.integers(0, 3)
        yield "%4d" % slants
        for _ in range(slants): yield "%-4s%7.1f%7.1f%7.1f%7.1f" % ("G%02d" % random.integers(1, 33), *random.uniform(0, 9000, 4))
    yield "-" * 100
blocks = [("AASC", "10307M001", "NGA1", "V2.2a", "2024-02-28 22:00", 15, 16), ("ALIC", "50137M001", "NGA1", "V2.2", "2024-12-31 12:00", 60, 30),
    ("0001", "", "NGA1", "V2.0", "2024-01-01 00:07:30", 5, 12), ("AASC", "10307M001", "NGA1", "V2.2a", "2024-02-29 02:00", 15, 8)]
with open(${JSON.stringify(path)}, "w", newline="\\r\\n") as file:
    for one in blocks: file.write("\\n".join(block(*one)) + "\\n\\n\\n")

# (3I3,Z9.8,7F7.1,4F7.2,F8.3); the last field is F7.3 in COSMO, which reads V2.0.
WIDTHS = [3, 3, 3, 9] + [7] * 11 + [8]
ends = np.cumsum(WIDTHS).tolist()
found = {}
lines = open(${JSON.stringify(path)}).read().split("\\n")
for at in [i for i, line in enumerate(lines) if line.startswith("COST-716 V")]:
    site, first, samples = lines[at + 1][:4], pd.to_datetime(lines[at + 4][:20], format="%d-%b-%Y %H:%M:%S"), int(lines[at + 8][:4])
    own, i = [], at + 9
    for _ in range(samples):
        own.append(lines[i])
        i += 2 + int(lines[i + 1][:4])
    assert lines[i] == "-" * 100
    import io
    frame = pd.read_fwf(io.StringIO("\\n".join(own)), colspecs=list(zip([0] + ends, ends)), header=None, names=["h", "m", "s", "flags"] + NAMES)
    clock = pd.to_timedelta(frame.h * 3600 + frame.m * 60 + frame.s, unit="s")
    days = (clock.diff() < pd.Timedelta(0)).cumsum()
    time = first.normalize() + clock + pd.to_timedelta(days, unit="D")
    for name, none in zip(NAMES, NONE):
        values = frame[name].mask(np.isclose(frame[name], none))
        found.setdefault(f"{site}/{name}", []).extend([int(t.value // 1000000), None if pd.isna(v) else float(v)] for t, v in zip(time, values))
assert all(len(rows) in (12, 24, 30) for rows in found.values())
print(json.dumps(found))
`,
    ) as RowsByName;
    expect(await rowsByName(path)).toEqual(theirs);
  });
});

function rowsOf(heading: string, words: readonly string[]): string {
  const minutes = words.map((_, i) => String((7 * i) % 20).padStart(2, "0"));
  return [heading, ...words.map((word, i) => `${word},2026-03-01 00:${minutes[i]},240${i}.5`)].join("\n");
}

it("asks what rows are of that have a word each, as of describe, and reads stations", async () => {
  const path = join(folder, "rows.csv");
  for (const heading of [",time,ztd_mm", "index,time,ztd_mm", "statistic,time,ztd_mm"])
    expect(await shown(path, rowsOf(heading, ["count", "mean", "min", "25%"]))).toMatch(
      /^undecided: Each row has another word in .*=station/,
    );
  const stations = rowsOf(",time,ztd_mm", ["KALL", "WTZR"]);
  const columns = { columns: [{ column: "Column 1", role: "station" as const, unit: null }], noValue: null };
  expect(await shown(path, stations, { columns })).toMatchObject({ labels: ["KALL", "WTZR"] });
});
