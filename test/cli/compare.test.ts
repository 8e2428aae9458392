import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pairsCsv } from "#main/cli/compare/tables.ts";
import type { Comparison } from "#shared/comparison.ts";
import { runPython } from "../formats/tools.ts";
import { gateShare } from "../support/endurance.ts";
import { openService } from "../support/openService.ts";
import { itNightly, itUnless, programMissing } from "../support/needs.ts";
import { makeHome } from "./program.ts";

const START = Date.UTC(2026, 0, 1);

function wave(i: number): number {
  return 2_400 + 10 * Math.sin(i / 5);
}

/** Values by site in units of 0.0001, because a model packs values and xarray unpacks them in single precision. */
function rounded(rows: Readonly<Record<string, readonly number[]>>): unknown {
  return Object.entries(rows).map(([site, all]) => [site, all.map((value) => Math.round(value * 1e4))]);
}

/** Pressure of the standard atmosphere, hPa. */
function standard(metres: number): number {
  return 1013.25 * (1 - (0.0065 * metres) / 288.15) ** 5.25588;
}

function measured(hour: number): number {
  return 1_000 + 5 * Math.sin(hour / 10);
}

interface ComparisonDocument {
  readonly sites: readonly {
    readonly match: {
      readonly a: { readonly label: string };
      readonly b: { readonly label: string };
      readonly by: string;
    };
    readonly statistics: { readonly n: number; readonly bias_mm: number; readonly rejected: number };
    readonly gaps: { readonly count: number; readonly total_seconds: number; readonly longest_seconds: number };
  }[];
  readonly overall: { readonly n: number; readonly bias_mm: number; readonly std_mm: number };
  readonly method: readonly string[];
  readonly groups: readonly { readonly by: string }[];
}

describe("zenith compare", () => {
  const home = makeHome();

  /** Writes a CSV file of the app with one row of each station every half hour. */
  function file(name: string, stations: Readonly<Record<string, (i: number) => number>>, n = 48): string {
    const lines = Object.entries(stations).flatMap(([id, value]) =>
      Array.from({ length: n }, (_, i) => `${id},${new Date(START + i * 1_800_000).toISOString()},${value(i)}`),
    );
    writeFileSync(join(home.folder, name), `station_id,time,ztd_mm\r\n${lines.join("\r\n")}\r\n`);
    return name;
  }

  const a = file("ours.csv", { KALL: wave, "<b>evil</b>": wave });
  const b = file("theirs.csv", { kall00FIN: (i) => wave(i) - 2 + (i === 7 ? 400 : 0), other: wave });

  it("reports the bias of the common sites and the number of rejected pairs", async () => {
    const { sites, overall, groups } = await home.json<ComparisonDocument>([
      "compare",
      a,
      b,
      "--reject",
      "5",
      "--by",
      "hour,value",
    ]);
    expect(sites).toMatchObject([{ match: { by: "name" }, statistics: { n: 47, rejected: 1 } }]);
    expect(overall.bias_mm).toBeCloseTo(2, 9);
    // One rejected pair does not count as a gap, because its neighbours are two steps apart.
    expect(sites[0]?.gaps).toEqual({ count: 0, total_seconds: 0, longest_seconds: 0 });
    expect(new Set(groups.map((group) => group.by))).toEqual(new Set(["hour", "value"]));
  });

  it("prints tables, messages, and notes on both files, such as stations that were merged", async () => {
    const merged = ["ABCD,60,25,2400", "ABCD,61,26,2500"].map((row) => `2026-01-01T00:00:00Z,${row}`);
    const others = Array.from(
      { length: 48 },
      (_, i) => `${new Date(START + i * 1_800_000).toISOString()},KALL,60,24,2400`,
    );
    writeFileSync(
      join(home.folder, "merged.csv"),
      `time,station,lat,lon,ztd_mm\n${[...merged, ...others].join("\n")}\n`,
    );
    const { code, stdout } = await home.run(["compare", "merged.csv", b, "--pairing", "mean:6h"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^KALL +kall00FIN +name +4 +0 /m);
    expect(stdout).toContain("averaged over intervals of 21600 s, aligned to UTC");
    expect(stdout).toContain("1 site of theirs.csv has no match: other.");
    expect(stdout).toMatch(/^merged\.csv: Positions that change are not shown: “ABCD”\.$/m);
  });

  itNightly("keeps matches set by the user, also with the files swapped, until they are reset", async () => {
    const chosen = await home.json<ComparisonDocument>([
      "compare",
      a,
      b,
      "--match",
      "<b>evil</b>=other",
      "--match",
      "KALL=none",
    ]);
    expect(chosen.sites.map(({ match }) => [match.a.label, match.b.label, match.by])).toEqual([
      ["<b>evil</b>", "other", "chosen"],
    ]);
    expect((await home.json<ComparisonDocument>(["compare", b, a])).sites.map(({ match }) => match.by)).toEqual([
      "chosen",
    ]);
    const auto = await home.json<ComparisonDocument>([
      "compare",
      a,
      b,
      "--match",
      "<b>evil</b>=auto",
      "--match",
      "KALL=auto",
    ]);
    expect(auto.sites.map(({ match }) => match.by)).toEqual(["name"]);
  });

  it("writes the pairs, and a report as one HTML file without scripts", async () => {
    const words = ["compare", a, b, "--match", "<b>evil</b>=other", "--pairs", "pairs.csv", "--report", "report.html"];
    expect(await home.run([...words, "--csv"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^all,/m) });
    const pairs = readFileSync(join(home.folder, "pairs.csv"), "utf8").trimEnd().split("\n");
    expect(pairs).toHaveLength(1 + 2 * 48);
    expect(pairs[1]).toBe("2026-01-01T00:00:00Z,KALL,kall00FIN,2400,2398,2,0");
    const html = readFileSync(join(home.folder, "report.html"), "utf8");
    expect(html).not.toMatch(/<script|https?:\/\/|<b>evil/);
    expect(html).toContain("&lt;b&gt;evil&lt;/b&gt;");
    expect(html.match(/<svg /g)).toHaveLength(3 + 2);
    expect(html).toContain("compare ours.csv theirs.csv");
    expect(html).not.toContain("NaN");
  });

  itNightly("a grid is read at the sites like np.interp and the nearest points of xarray", async (context) => {
    const sites = [
      ["MUC0", 48.137, 11.575],
      ["LISB", 38.71, -9.14],
      ["KIRU", 67.86, 20.97],
      ["NODE", 45.25, 7.5],
      ["NEWY", 40.7, -74],
    ] as const;
    const table = [0, 1, 2, 3].flatMap((hour) =>
      sites.map(([id, lat, lon]) => `${new Date(START + hour * 3_600_000).toISOString()},${id},${lat},${lon},0`),
    );
    writeFileSync(join(home.folder, "sites.csv"), `time,station,lat,lon,pwv_mm\n${table.join("\n")}\n`);

    /** Values of the grid in all pairs, by site in time order. */
    async function valuesOfGrid(...words: string[]): Promise<Record<string, number[]>> {
      await home.run(["compare", "sites.csv", "era5.nc", "--variable", "pwv", "--pairs", "grid.csv", ...words]);
      const found: Record<string, number[]> = {};
      for (const line of readFileSync(join(home.folder, "grid.csv"), "utf8").trimEnd().split("\n").slice(1)) {
        const [, site = "", , , b = ""] = line.split(",");
        (found[site] ??= []).push(Math.round(Number(b) * 1e6) / 1e6);
      }
      return found;
    }

    const path = JSON.stringify(join(home.folder, "era5.nc"));
    const theirs = runPython(
      context,
      ["numpy", "pandas", "xarray"],
      `
np, pd, xr = numpy, pandas, xarray
# Like ERA5: from north to south, packed, and with more points than a listing shows.
lat, lon = np.arange(72, 32.9, -0.25), np.arange(-25, 45.1, 0.25)
time = pd.date_range("2026-01-01", periods=4, freq="h")
values = 20 + np.random.default_rng(5).normal(0, 5, (4, len(lat), len(lon)))
values[2, np.argmin(abs(lat - 38.75)), np.argmin(abs(lon + 9.25))] = np.nan
ds = xr.Dataset({"tcwv": (("valid_time", "latitude", "longitude"), values, {"units": "kg m**-2", "long_name": "Total column vertically-integrated water vapour",
    "standard_name": "lwe_thickness_of_atmosphere_mass_content_of_water_vapor"})},
    coords={"valid_time": ("valid_time", time, {"standard_name": "time"}), "latitude": ("latitude", lat, {"units": "degrees_north"}),
        "longitude": ("longitude", lon, {"units": "degrees_east"})})
ds.to_netcdf(${path}, engine="netcdf4", encoding={"tcwv": {"dtype": "i2", "scale_factor": 0.001, "add_offset": 20.0, "_FillValue": -32767}})
found = {"bilinear": {}, "nearest": {}}
def keep(method, name, rows): found[method][name] = [round(float(v), 6) for v in rows if not np.isnan(v)]
with xr.open_dataset(${path}) as read:
    grid = read.tcwv.values.astype("f8")
    for name, north, east in ${JSON.stringify(sites.slice(0, -1))}:
        along = [[np.interp(east, lon, row) for row in one] for one in grid]
        keep("bilinear", name, [np.interp(north, lat[::-1], column[::-1]) for column in along])
        keep("nearest", name, read.tcwv.sel(latitude=north, longitude=east, method="nearest").values)
print(json.dumps(found))
`,
    ) as Record<"bilinear" | "nearest", Record<string, number[]>>;
    // A missing point gives no value at a site between four points; a site between two points needs only those two.
    expect(Object.values(theirs.bilinear).map((rows) => rows.length)).toEqual([4, 3, 4, 4]);
    expect(rounded(await valuesOfGrid())).toEqual(rounded(theirs.bilinear));
    expect(rounded(await valuesOfGrid("--grid", "nearest", "--within", "30"))).toEqual(rounded(theirs.nearest));
    const { stdout } = await home.run(["compare", "era5.nc", "sites.csv", "--variable", "pwv"]);
    expect(stdout).toContain(
      "era5.nc is a grid of 0.25° × 0.25° (latitude × longitude). Values of the grid were interpolated",
    );
    expect(stdout).toContain("1 site of sites.csv has no match: NEWY.");
  });

  describe("PWV from ZTD", () => {
    const HOURS = 48;
    const [latitude, height, barometer] = [60, 100, 80];
    /** Saastamoinen (1972) and Bevis et al. (1992), implemented from the papers: mm from mm, hPa and metres. */
    const water = (ztd: number, hPa: number): number => {
      const dry = (2.2768 * hPa) / (1 - 0.00266 * Math.cos((2 * latitude * Math.PI) / 180) - 0.00000028 * height);
      const meanK = 70.2 + 0.72 * (288.15 - 0.0065 * height);
      return ((ztd - dry) * 1e8) / (1_000 * 461.5 * (373_900 / meanK + 22.1));
    };
    /** Pressure interpolated between the six-hourly readings and reduced from the barometer to the antenna. */
    const atAntenna = (hour: number): number => {
      const before = Math.floor(hour / 6) * 6;
      const share = (hour - before) / 6;
      const hPa = measured(before) * (1 - share) + measured(before + 6) * share;
      return (hPa * standard(height)) / standard(barometer);
    };
    const table = (
      name: string,
      { quantity, metres }: { readonly quantity: string; readonly metres: number },
      value: (hour: number) => number,
      step = 1,
    ): string => {
      const lines = Array.from({ length: HOURS / step + 1 }, (_, i) =>
        [
          "KALL",
          latitude,
          24,
          metres,
          new Date(START + i * step * 3_600_000).toISOString(),
          value(i * step).toFixed(9),
        ].join(";"),
      );
      writeFileSync(
        join(home.folder, name),
        `station;latitude;longitude;height;time;${quantity}\n${lines.join("\n")}\n`,
      );
      return name;
    };
    const delays = table("delays.csv", { quantity: "ztd_mm", metres: height }, wave);
    table("met.csv", { quantity: "pressure_hPa", metres: barometer }, measured, 6);
    table("sea.csv", { quantity: "pressure_msl_hPa", metres: barometer }, measured, 6);

    it.each(
      gateShare([
        ["met.csv", atAntenna],
        ["1002.5", () => 1_002.5],
        ["standard", () => standard(height)],
      ] as const),
    )("uses the pressure of %s", async (pressure, hPaAt) => {
      const expected = table("water.csv", { quantity: "pwv_mm", metres: height }, (hour) =>
        water(wave(hour), hPaAt(hour)),
      );
      const words = ["compare", delays, expected, "--variable", "pwv", "--pressure", pressure];
      const { sites, overall } = await home.json<ComparisonDocument>(words);
      expect(sites).toHaveLength(1);
      expect(overall.n).toBe(HOURS + 1);
      // The constants of the formulas have four digits.
      expect(overall.bias_mm).toBeCloseTo(0, 2);
      expect(overall.std_mm).toBeCloseTo(0, 3);
    });

    itUnless(programMissing("ncgen"), "uses the pressures of a grid, interpolated to the site [ncgen]", async () => {
      const hours = Array.from({ length: HOURS / 6 + 1 }, (_, i) => i * 6);
      // A plane: the site is halfway north and a quarter of the way east, 30 Pa above the first point.
      const pascals = hours.flatMap((hour) => [0, 40, 40, 80].map((more) => 100 * measured(hour) + more));
      const cdl = `netcdf sp { dimensions: time = ${hours.length} ; latitude = 2 ; longitude = 2 ;
        variables: int time(time) ; time:units = "hours since 2026-01-01" ;
          double latitude(latitude) ; latitude:units = "degrees_north" ;
          double longitude(longitude) ; longitude:units = "degrees_east" ;
          double sp(time, latitude, longitude) ; sp:units = "Pa" ; sp:standard_name = "surface_air_pressure" ;
        data: time = ${hours.join()} ; latitude = 61, 59 ; longitude = 23, 27 ;
          sp = ${pascals.join(", ")} ; }`;
      writeFileSync(join(home.folder, "sp.cdl"), cdl);
      execFileSync("ncgen", ["-o", join(home.folder, "sp.nc"), join(home.folder, "sp.cdl")]);
      const hPaAt = (hour: number): number => (atAntenna(hour) * standard(barometer)) / standard(height) + 0.3;
      const expected = table("water.csv", { quantity: "pwv_mm", metres: height }, (hour) =>
        water(wave(hour), hPaAt(hour)),
      );
      const words = ["compare", delays, expected, "--variable", "pwv", "--pressure", "sp.nc"];
      const { overall, method } = await home.json<ComparisonDocument>(words);
      expect(overall.n).toBe(HOURS + 1);
      expect(overall.bias_mm).toBeCloseTo(0, 2);
      expect(overall.std_mm).toBeCloseTo(0, 3);
      expect(method.join(" ")).toContain("the pressure of sp.nc at each site");
    });

    it.each(
      gateShare([
        [[], /delays\.csv has ztd but no pwv\. --pressure derives PWV from it/],
        [["--pressure", "sea.csv"], /sea\.csv has no pressure at its sites/],
        [["--pressure", "2"], /2 hPa is not a pressure at the surface/],
      ] as const),
    )("rejects %j with a message and exit code 2", async (words, message) => {
      const { code, stderr } = await home.run(["compare", delays, delays, "--variable", "pwv", ...words]);
      expect(code).toBe(2);
      expect(stderr.replaceAll(/\s+/g, " ")).toMatch(message);
    });
  });

  it("exits with 6 if a file cannot be read", async () => {
    const { code, stdout, stderr } = await home.run(["compare", "ours.csv", "gone.csv"]);
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
    expect(stderr).toMatch(/gone\.csv does not exist/);
  });

  it("pairsCsv yields each pair once, in blocks of lines", () => {
    const n = 20_001;
    const values = Float64Array.from({ length: n }, (_, i) => i);
    const site = (label: string) => ({
      match: { a: { label }, b: { label } },
      cells: { pairedMs: 0 },
      pairs: { timesMs: values.map((i) => START + i), a: values.map((i) => 2 * i), b: values },
    });
    const blocks = [...pairsCsv({ variable: "ztd", sites: [site("KALL"), site("METS")] } as unknown as Comparison)];
    expect(Math.max(...blocks.map((block) => block.length))).toBeLessThan(1_000_000);
    const lines = blocks.join("").trimEnd().split("\n").slice(1);
    expect(lines.map((line) => line.split(",").slice(1).join(" "))).toEqual(
      ["KALL", "METS"].flatMap((label) =>
        Array.from({ length: n }, (_, i) => `${label} ${label} ${2 * i} ${i} ${i} 0`),
      ),
    );
  });

  it.each(
    gateShare([
      [["ours.csv", "theirs.csv", "--report", "report.docx"], /ends in \.html, not report\.docx/],
      [["ours.csv", "theirs.csv", "--variable", "pwv"], /ours\.csv has ztd but no pwv/],
      [["ours.csv", "theirs.csv", "--pairing", "mean"], /“mean” needs an interval/],
      [["ours.csv", "theirs.csv", "--match", "nobody=other"], /ours\.csv has no site “nobody”/],
      [["ours.csv", "theirs.csv", "--height", "saastamoinen"], /The height of .* is unknown/],
      [["ours.csv", "theirs.csv", "--report", "./ours.csv"], /must not name a compared file/],
      [["ours.csv", "theirs.csv", "--report", "x", "--pairs", "x"], /must name different files/],
      [["ours.csv", "cache:nowhere"], /There is no connection “nowhere”/],
    ] as const),
  )("rejects %j with a message and exit code 2", async (words, message) => {
    const { code, stdout, stderr } = await home.run(["compare", ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  it("compares the caches of two connections", async () => {
    const services = [await openService(), await openService()];
    const stations = ["Torsvika", "Heinäniemi"];
    const hours = ["--from", "2026-10-05", "--to", "2026-10-05T03:00"];
    for (const [i, { url }] of services.entries()) {
      const name = `service ${i}`;
      await home.json(["connect", url, "--name", name], 0, { env: { ZENITH_API_KEY: "demo-key" } });
      await home.json(["fetch", ...stations, ...hours, "--vars", "ztd", "--connection", name]);
    }
    const words = ["compare", "cache:service 0", "cache:service 1", "--stations", ...stations, ...hours];
    const { sites, overall } = await home.json<ComparisonDocument>(words);
    expect(sites.map(({ match }) => match.by)).toEqual(["id", "id"]);
    expect(overall.n).toBeGreaterThan(600);
    expect(overall).toMatchObject({ bias_mm: 0, std_mm: 0 });
  });

  it("exits with 3 if there is no common epoch", async () => {
    const late = file("late.csv", { KALL: wave }, 1);
    const { code, stdout } = await home.run([
      "compare",
      b,
      late,
      "--from",
      "2026-01-01T06:00:00Z",
      "--to",
      "2026-01-02",
    ]);
    expect(code).toBe(3);
    expect(stdout).toContain("There is no pair.");
  });
});
