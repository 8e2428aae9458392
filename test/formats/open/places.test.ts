import { writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { writeTimeSeriesCsv } from "#formats/csv/index.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { writeParquetFile } from "#formats/parquet/index.ts";
import { ALL_STATION_FIELDS } from "#formats/stationFields.ts";
import { writeTimeSeriesXlsx } from "#formats/xlsx/index.ts";
import { writePlainSqlite } from "#main/export/sqlite.ts";
import { regularRows, sourceOf, station } from "../sources.ts";
import { mustSucceed, runPython, scratchFolder } from "../tools.ts";
import { itNightly } from "../../support/needs.ts";
import { openedSeries } from "./support.ts";

const folder = scratchFolder();
const STATIONS = [
  station(0, { displayName: "Kallio", latitudeDeg: 60.16, longitudeDeg: 24.96, height: 45.25 }),
  station(1, { displayName: "Sodankylä", latitudeDeg: -67.5, longitudeDeg: -26.63, heightReference: "EGM2008" }),
];
const PLAIN = { stations: STATIONS, variables: ["ztd"] as const, rows: STATIONS.map((_, i) => regularRows(3, i)) };
const fields = { stationFields: ALL_STATION_FIELDS.filter((field) => field !== "station_id") };

interface Found {
  readonly label: string;
  readonly stationId: string | null;
  readonly position: unknown;
  readonly values: readonly number[];
}

async function found(path: string): Promise<{ readonly sites: readonly Found[]; readonly notes: readonly string[] }> {
  const file = await openedSeries(path);
  const sites = file.series.flatMap(({ label, stationId, position, quantity }, i) =>
    quantity.variable === "ztd" ? [{ label, stationId, position, values: [...file.rows(i).values] }] : [],
  );
  file.close();
  return { sites, notes: file.notes };
}

function sites(hasReference: boolean): Found[] {
  return STATIONS.map(({ displayName, id, latitudeDeg, longitudeDeg, height, heightReference }, i) => {
    const above = heightReference === "EGM2008" ? "geoid" : "ellipsoid";
    return {
      label: displayName,
      stationId: id,
      position: { latitudeDeg, longitudeDeg, heights: [{ metres: height, above: hasReference ? above : "unknown" }] },
      values: PLAIN.rows[i]!.map((row) => Number(row.values.ztd)),
    };
  });
}

async function writtenCsv(): Promise<string> {
  return mustSucceed(await writeTimeSeriesCsv(join(folder, "ours.csv"), sourceOf(PLAIN), fields)).path;
}

const FORMS: Record<string, () => Promise<string>> = {
  CSV: writtenCsv,
  Excel: async () => mustSucceed(await writeTimeSeriesXlsx(join(folder, "ours.xlsx"), sourceOf(PLAIN), fields)).path,
  Parquet: async () => mustSucceed(await writeParquetFile(join(folder, "ours.parquet"), sourceOf(PLAIN))).path,
  async SQLite() {
    const path = join(folder, "ours.sqlite");
    mustSucceed(await writePlainSqlite(path, { series: sourceOf(PLAIN), satellites: null }, {}));
    return path;
  },
};

describe("tables of this program", () => {
  it.each(Object.entries(FORMS))("have the names and positions of their stations: %s", async (_, write) => {
    expect(await found(await write())).toEqual({ sites: sites(true), notes: [] });
  });

  it.each([
    ["semicolons and decimal commas", ";", ","],
    ["tabs", "\t", "."],
  ])("have them if saved again with %s", async (_, separator, decimal) => {
    const lines = readFileSync(await writtenCsv(), "utf8").split("\n");
    const again = lines.map((line) =>
      line
        .split(",")
        .map((field) => (/^-?\d+\.\d+$/.test(field) ? field.replace(".", decimal) : field))
        .join(separator),
    );
    const path = join(folder, "again.csv");
    writeFileSync(path, again.join("\n"));
    const { sites: own, notes } = await found(path);
    expect(own).toEqual(sites(true));
    expect(notes).toEqual([]);
  });

  it.each([
    ["ellipsoidal_height_m", "ellipsoid"],
    ["HGT_ELI", "ellipsoid"],
    ["height (WGS84)", "ellipsoid"],
    ["height_msl", "geoid"],
    ["orthometric_height", "geoid"],
    ["egm2008_height_m", "geoid"],
    ["height", "unknown"],
    ["height", "ellipsoid", "% (lat/lon/height=WGS84/ellipsoidal,Q=1:fix)\n"],
  ])("have the reference that the name of the height, or a comment, states: %s", async (name, above, comment = "") => {
    const path = join(folder, "named.csv");
    writeFileSync(path, `${comment}station,time,lat,lon,${name},ztd_mm\nA,2026-01-01T00:00:00Z,60,20,45.2,2400\n`);
    expect((await found(path)).sites[0]?.position).toMatchObject({ heights: [{ metres: 45.2, above }] });
  });

  it.each(["height (hPa)", 'alt[unit="K"]'])("have no height that is in another unit: %s", async (name) => {
    const path = join(folder, "other.csv");
    writeFileSync(
      path,
      `station,time,lat,lon,"${name.replaceAll('"', '""')}",ztd_mm\nA,2026-01-01T00:00:00Z,60,20,950,2400\n`,
    );
    expect((await found(path)).sites[0]?.position).toEqual({ latitudeDeg: 60, longitudeDeg: 20, heights: [] });
  });

  itNightly("have them as a table that xarray makes of a NetCDF file", async (context: TestContext) => {
    const [netcdf, csv] = [join(folder, "grid.nc"), join(folder, "xarray.csv")];
    const stations = STATIONS.map((each) => ({ ...each, heightReference: "WGS84_ELLIPSOID" as const }));
    mustSucceed(await writeTimeSeriesNetcdf(netcdf, sourceOf({ ...PLAIN, stations }), { layout: "grid" }));
    runPython(
      context,
      ["xarray", "pandas"],
      `
frame = xarray.open_dataset(${JSON.stringify(netcdf)}).to_dataframe().reset_index()
for name in frame.columns:
    if frame[name].dtype == object: frame[name] = frame[name].map(lambda v: v.decode() if isinstance(v, bytes) else v)
frame.to_csv(${JSON.stringify(csv)}, index=False)
print("null")`,
    );
    const { sites: own, notes } = await found(csv);
    expect(own).toEqual(sites(false));
    expect(notes).toContainEqual(expect.stringMatching(/^Columns of texts are not shown: .*“network”/));
  });
});
