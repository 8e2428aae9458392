import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readSidecar } from "../formats/sidecarReader.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { exportSeries } from "#main/export/exportSeries.ts";
import type { ExportOptions } from "#main/export/writers.ts";
import { runJob } from "#main/sync/job.ts";
import { duckdb } from "../formats/duckdb.ts";
import { readCostFile } from "../formats/costReader.ts";
import { readSinexTro } from "../formats/sinexReader.ts";
import { runPython, runTool } from "../formats/tools.ts";
import { never, openDesk } from "../support/desk.ts";
import { valueOf } from "../support/valueOf.ts";

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return names.filter((path) => statSync(path).isFile());
}

/** The existing values of a variable. */
function numbers(rows: SeriesRows, variable: Variable): number[] {
  const column = rows.columns[variable]!;
  return column.kind === "scalar" ? [...column.values].filter((v) => !Number.isNaN(v)) : [];
}

// A real download, exported in each format, read by another program and compared with the cache.
describe("an exported download", async () => {
  const SCALARS = ["ztd", "ztd_sigma", "pwv"] as const;
  const SKY = ["snr", "el", "az", "prn"] as const;
  // Includes a change of month.
  const range = { startMs: Date.UTC(2026, 7, 31, 18), endMs: Date.UTC(2026, 8, 1, 6) };
  const hours = { startMs: range.endMs - 1_800_000, endMs: range.endMs };
  const mode = { intervalSeconds: null, raw: false } as const;

  const desk = await openDesk();
  afterAll(() => desk.close());
  const silentId = desk.service.world.stations.find((s) => s.firstDataMs === null)!.id;
  const ids = [...desk.stations(3), silentId];
  await runJob(desk.session, { stationIds: ids, variables: SCALARS, range, ...mode }, { signal: never });
  await runJob(desk.session, { stationIds: ids, variables: SKY, range: hours, ...mode }, { signal: never });

  async function exported(name: string, change: Partial<ExportRequest>, options: ExportOptions = {}) {
    const request: ExportRequest = {
      stationIds: ids,
      variables: SCALARS,
      range,
      ...mode,
      resampled: false,
      format: "netcdf",
      heightReference: "WGS84_ELLIPSOID",
      path: join(desk.folder, name),
      ...change,
    };
    return exportSeries(desk.cache, desk.origin, request, options);
  }

  async function written(name: string, change: Partial<ExportRequest>, options: ExportOptions = {}) {
    const result = valueOf(await exported(name, change, options));
    const { sidecarPath, files } = result;
    const sidecar = readSidecar(readFileSync(sidecarPath!, "utf8"));
    expect(sidecar.files.map(({ name }) => name)).toEqual(files.map((f) => f.path.slice(desk.folder.length + 1)));
    expect(sidecarPath).toBe(`${files[0]!.path}.json`);
    expect(result.stationIdsWithoutRows).toEqual([silentId]);
    return result;
  }

  function cached(stationId: string, variables: readonly Variable[], part = range): SeriesRows {
    return desk.cache.rows({ stationId, variables, range: part, ...mode });
  }

  it("in tables omits rows without values unless requested", async () => {
    const change = { format: "csv", variables: ["pwv"] } as const;
    const own = ids.slice(0, 3).map((id) => cached(id, ["pwv"]));
    const { rows } = await written("pwv.csv", change);
    expect(rows).toBe(sum(own.map((r) => numbers(r, "pwv").length)));
    const all = await written("all.csv", { ...change, emptyRows: true });
    expect(all.rows).toBe(sum(own.map((r) => r.timesMs.length)));
    expect(rows).toBeLessThan(all.rows / 5);
    const lines = readFileSync(join(desk.folder, "pwv.csv"), "utf8").trimEnd().split("\r\n");
    expect(lines).toHaveLength(rows + 1);
    expect(lines.filter((line) => line.endsWith(","))).toEqual([]);
  });

  it("in Excel opens in openpyxl, with positions of stations in its rows or in a second file", async (context) => {
    const change = { format: "excel", variables: ["ztd"], range: hours } as const;
    const wide = await written("wide.xlsx", { ...change, stationDetails: "columns" });
    const beside = await written("beside.xlsx", { ...change, stationDetails: "file" });
    expect(beside.files.map((f) => f.path.slice(desk.folder.length + 1))).toEqual([
      "beside.xlsx",
      "beside-stations.xlsx",
    ]);
    const script = `
def sheet(path): return list(openpyxl.load_workbook(path, read_only=True).worksheets[0].iter_rows(values_only=True))
wide, rows, stations = [sheet(p) for p in ${JSON.stringify([...wide.files, ...beside.files].map((f) => f.path))}]
print(json.dumps({"head": wide[0], "first": [str(c) for c in wide[1]], "sum": sum(r[-1] for r in rows[1:]), "n": len(rows) - 1,
  "stations": [[r[0], r[6], r[7]] for r in stations[1:]]}))`;
    const found = runPython(context, ["openpyxl"], script) as Record<"head" | "first" | "stations", unknown[]> & {
      sum: number;
      n: number;
    };
    const known = new Map(desk.cache.catalogue().stations.map((s) => [s.id, s]));
    const first = known.get(ids[0]!)!;
    const own = ids.slice(0, 3).map((id) => numbers(cached(id, ["ztd"], hours), "ztd"));
    expect(found.head).toEqual(
      "station_id station_name latitude_deg longitude_deg height_m height_reference time ztd_mm".split(" "),
    );
    expect(found.first.slice(0, 3)).toEqual([first.id, first.displayName, String(first.latitudeDeg)]);
    const rows = cached(first.id, ["ztd"], hours);
    const place = rows.columns.ztd!.values.findIndex((v) => !Number.isNaN(v));
    expect(found.first[6]).toBe(new Date(rows.timesMs[place]!).toISOString().slice(0, 19).replace("T", " "));
    expect(found.n).toBe(own.flat().length);
    expect(found.sum).toBeCloseTo(sum(own.flat()), 4);
    expect(found.stations).toEqual(ids.map((id) => [id, known.get(id)!.latitudeDeg, known.get(id)!.longitudeDeg]));
  });

  it("in Parquet is one file for a shell without folders", async () => {
    const { files, rows } = await written("one.parquet", { format: "parquet" }, { filesOnly: true });
    expect(statSync(files[0]!.path).isFile()).toBe(true);
    const [found] = await duckdb(
      `SELECT count(*)::INT AS n, count(DISTINCT station_id)::INT AS stations FROM '${files[0]!.path}'`,
    );
    expect(found).toEqual({ n: rows, stations: 3 });
  });

  it("in SINEX_TRO has the values to a thousandth of a millimetre", async () => {
    const { files, rows } = await written("x.tro", { format: "sinex" });
    expect(files.map((f) => f.path.slice(desk.folder.length + 1))).toEqual(["x.tro", "x-iwv.tro"]);
    const read = files.map((f) => readSinexTro(readFileSync(f.path, "latin1")));
    expect(sum(read.map((file) => file.rows.length))).toBe(rows);
    const institution = read[0]!.blocks.get("FILE/REFERENCE")!.find((line) => line.startsWith(" DESCRIPTION"));
    expect(institution).toBeDefined();
    for (const id of ids.slice(0, 3)) {
      for (const [n, column, variable, factor] of [
        [0, "TROTOT", "ztd", 1000],
        [1, "IWV", "pwv", 1],
      ] as const) {
        const file = read[n]!;
        const { code } = file.sites.find((site) => site.id === id)!;
        const own = file.rows.filter((r) => r.code === code);
        const values = own.flatMap((r) => r.values[column] ?? []);
        const expected = numbers(cached(id, SCALARS), variable);
        expect(values).toHaveLength(expected.length);
        expect(sum(values) * factor).toBeCloseTo(sum(expected), 2);
      }
    }
  });

  async function codesOf(own: string[]) {
    const stationIds = [...own, silentId];
    const { files } = await written("codes.tro", { format: "sinex", variables: ["ztd"], stationIds });
    const sites = readSinexTro(readFileSync(files[0]!.path, "latin1")).sites;
    const means = { intervalSeconds: 900, resampled: true };
    const cost = await written("codes.dat", { format: "cost", variables: ["ztd"], stationIds, ...means });
    const found = new Set(readCostFile(readFileSync(cost.files[0]!.path, "latin1")).map((block) => block.code));
    const codes = sites.filter(({ id }) => own.includes(id)).map(({ code }) => code.slice(0, 4));
    expect([...found].toSorted()).toEqual(codes.toSorted());
    return new Map(sites.map(({ id, code }) => [id, code]));
  }

  it("in SINEX_TRO and COST-716 has the same code for a station in every file", async () => {
    const all = await codesOf(ids.slice(0, 3));
    for (const id of ids.slice(0, 3)) expect((await codesOf([id])).get(id)).toBe(all.get(id));
  });

  it("in SINEX_TRO rejects satellites", async () => {
    expect(await exported("sky.tro", { format: "sinex", variables: ["ztd", "el"] })).toMatchObject({
      ok: false,
      error: { kind: "usage", message: expect.stringContaining("no satellites") },
    });
    expect(readdirSync(desk.folder)).not.toContain("sky.tro");
  });

  it("in SQLite opens in sqlite3 with its tables, keys, rows, sums and nulls", async (context) => {
    const { files } = await written("x.sqlite", { format: "sqlite", variables: [...SCALARS, ...SKY] });
    expect(files).toHaveLength(1);
    const sql = (text: string): unknown[] => {
      const output = runTool(context, "sqlite3", ["-json", files[0]!.path, text]);
      return output === "" ? [] : (JSON.parse(output) as unknown[]);
    };
    expect(sql("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
    expect(sql("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")).toEqual(
      ["about", "measurement", "satellite", "station"].map((name) => ({ name })),
    );
    expect(sql("SELECT count(*) AS n FROM station")).toEqual([{ n: 4 }]);
    const found = sql(`
      SELECT station_id, count(*) AS n, count(pwv_mm) AS pwv, sum(ztd_mm) AS ztd,
        unixepoch(min(time)) * 1000 AS first, unixepoch(max(time)) * 1000 AS last
      FROM measurement GROUP BY station_id ORDER BY station_id`);
    const expected = ids
      .slice(0, 3)
      .toSorted()
      .map((id) => {
        const own = cached(id, SCALARS);
        const ztd: unknown = expect.closeTo(sum(numbers(own, "ztd")), 4);
        const [first, last] = [own.timesMs[0], own.timesMs.at(-1)];
        return { station_id: id, n: own.timesMs.length, pwv: numbers(own, "pwv").length, ztd, first, last };
      });
    expect(found).toEqual(expected);
    const own = cached(ids[0]!, SKY, hours);
    const satellites = [...own.columns.prn!.values].map(
      (t) =>
        String(t ?? "")
          .split(",")
          .filter(Boolean).length,
    );
    expect(sql(`SELECT count(*) AS n, count(el_deg) AS el FROM satellite WHERE station_id = '${ids[0]}'`)).toEqual([
      { n: sum(satellites), el: sum(satellites) },
    ]);
    const plan = "EXPLAIN QUERY PLAN SELECT * FROM measurement WHERE station_id = 'x' AND time > '2026'";
    expect(runTool(context, "sqlite3", [files[0]!.path, plan])).toContain("SEARCH measurement USING PRIMARY KEY");
    expect(sql("SELECT value FROM about WHERE key = 'service'")).toEqual([{ value: desk.service.url }]);
  });

  it.each(["netcdf", "netcdf3", "zarr", "parquet", "sinex", "sqlite", "csv", "excel"] as const)(
    "in %s says that simulated data are no observations",
    async (format) => {
      const path = join(desk.folder, `simulated-${format}`);
      const origin = { service: "Zenith Desk demo", isSimulated: true };
      const request = { stationIds: ids, variables: ["ztd"] as const, range: hours, ...mode, resampled: false };
      const how = { format, heightReference: "WGS84_ELLIPSOID", path } as const;
      const result = valueOf(await exportSeries(desk.cache, origin, { ...request, ...how }, {}));
      const description = readFileSync(result.sidecarPath!, "utf8");
      expect(JSON.parse(description)).toMatchObject({ service: "Zenith Desk demo", simulated: true });
      expect(readSidecar(description).isSimulated).toBe(true);
      const files = statSync(path).isDirectory() ? filesIn(path) : [path];
      const texts = files.map((file) => readFileSync(file, "latin1"));
      expect(texts.filter((text) => text.includes(desk.service.url))).toEqual([]);
      // CSV and Excel have only their description.
      const hasMetadata = format !== "csv" && format !== "excel";
      expect(texts.some((text) => /Simulated data: Zenith total delay/.test(text))).toBe(hasMetadata);
      expect(texts.some((text) => text.includes("Zenith Desk demo"))).toBe(hasMetadata);
    },
  );

  it.each(["excel", "parquet", "sinex", "sqlite", "netcdf3"] as const)(
    "in %s leaves no file when cancelled",
    async (format) => {
      const stop = new AbortController();
      stop.abort();
      const before = readdirSync(desk.folder).toSorted();
      const change = { format, path: join(desk.folder, "never") };
      const result = await exported("never", change, { signal: stop.signal });
      expect(result).toMatchObject({ ok: false, error: { kind: "cancelled" } });
      expect(readdirSync(desk.folder).toSorted()).toEqual(before);
    },
  );
});
