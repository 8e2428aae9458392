import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { forecastExport } from "#main/app/exports/forecastExport.ts";
import { exportSeries } from "#main/export/exportSeries.ts";
import { runJob } from "#main/sync/job.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { duckdb } from "../formats/duckdb.ts";
import { runPython } from "../formats/tools.ts";
import { never, openDesk } from "../support/desk.ts";
import { valueOf } from "../support/valueOf.ts";

const ZONE = "Europe/Helsinki";
/** Days of Helsinki around the end of summer time. */
const DAYS = [
  { start: "2026-10-23T21:00:00Z", hours: 24 },
  { start: "2026-10-24T21:00:00Z", hours: 25 },
  { start: "2026-10-25T22:00:00Z", hours: 24 },
].map((day) => ({ ...day, startMs: Date.parse(day.start) }));

// A day of 25 hours in a file that says 24 is a wrong mean for everybody who reads the bounds.
describe("means of the days of a time zone", async () => {
  const desk = await openDesk({ now: () => Date.UTC(2026, 10, 2) });
  afterAll(() => desk.close());
  const [id = ""] = desk.stations(1);
  const range = { startMs: Date.UTC(2026, 9, 23), endMs: Date.UTC(2026, 9, 28) };
  const mode = { intervalSeconds: null, raw: false };
  await runJob(desk.session, { stationIds: [id], variables: ["ztd"], range, ...mode }, { signal: never });
  const means = DAYS.map(({ startMs, hours }) => {
    const day = { startMs, endMs: startMs + hours * HOUR_MS };
    const column = desk.cache.rows({ stationId: id, variables: ["ztd"], range: day, ...mode }).columns.ztd!;
    const values = column.kind === "scalar" ? [...column.values].filter((v) => !Number.isNaN(v)) : [];
    return values.reduce((a, b) => a + b, 0) / values.length;
  });

  function request(name: string, change: Partial<ExportRequest> = {}): ExportRequest {
    return {
      stationIds: [id],
      variables: ["ztd"],
      // Within local days: the files have whole ones.
      range: { startMs: DAYS[0]!.startMs + 3 * HOUR_MS, endMs: DAYS[2]!.startMs + 5 * HOUR_MS },
      intervalSeconds: 86_400,
      zone: ZONE,
      raw: false,
      resampled: true,
      format: "netcdf",
      heightReference: "WGS84_ELLIPSOID",
      path: join(desk.folder, name),
      ...change,
    };
  }

  async function written(name: string, change: Partial<ExportRequest> = {}): Promise<string> {
    const report = valueOf(await exportSeries(desk.cache, desk.origin, request(name, change), {}));
    expect(report.rows).toBe(3);
    const sidecar = JSON.parse(readFileSync(report.sidecarPath!, "utf8")) as { query: object };
    expect(sidecar.query).toMatchObject({ interval_seconds: 86_400, time_zone: ZONE });
    return report.files[0]!.path;
  }

  const expected = () => DAYS.map(({ start, hours }, i) => [start, hours * 3_600, means[i]]);

  it("have their lengths as a column of tables", async () => {
    const csv = readFileSync(await written("days.csv", { format: "csv" }), "utf8")
      .trim()
      .split("\r\n");
    const columns = csv[0]!.split(",");
    const rows = csv.slice(1).map((line) => line.split(","));
    const cells = ["time", "interval_s", "ztd_mm"].map((name) => columns.indexOf(name));
    const [time = -1, length = -1, ztd = -1] = cells;
    expect(rows.map((row) => [row[time], Number(row[length]), Number(row[ztd])])).toEqual(expected());

    const parquet = await written("days.parquet", { format: "parquet" });
    const found = await duckdb<{ time: Date; interval_s: number; ztd_mm: number }>(
      `SELECT time, interval_s, ztd_mm FROM read_parquet('${parquet}/**/*.parquet') ORDER BY time`,
    );
    expect(found.map((r) => [r.time.getTime(), r.interval_s, r.ztd_mm])).toEqual(
      expected().map(([start, ...rest]) => [Date.parse(String(start)), ...rest]),
    );

    using sqlite = new DatabaseSync(await written("days.sqlite", { format: "sqlite" }), { readOnly: true });
    const stored = sqlite.prepare("SELECT time, interval_s, ztd_mm FROM measurement ORDER BY time").all();
    expect(stored.map((row) => Object.values(row))).toEqual(expected());
  });

  it.for(["netcdf", "netcdf3", "zarr"] as const)("have CF bounds and their zone in %s", async (format, context) => {
    const path = await written(`days-${format}`, { format });
    const isZarr = format === "zarr";
    const found = runPython(
      context,
      ["xarray", isZarr ? "zarr" : "netCDF4"],
      `ds = xarray.open_dataset(${JSON.stringify(path)}, ${isZarr ? 'engine="zarr", ' : ""}decode_times=False)
print(json.dumps([ds["time_bnds"].values.tolist(), ds["ztd"].values.ravel().tolist(), ds["ztd"].attrs["cell_methods"],
  ds["time"].attrs["long_name"], ds.attrs["time_zone"], ds.attrs["time_coverage_end"]]))`,
    );
    const unitMs = isZarr ? 1 : 1_000;
    expect(found).toEqual([
      DAYS.map(({ startMs, hours }) => [startMs, startMs + hours * HOUR_MS].map((ms) => ms / unitMs)),
      means,
      `time: mean (days of the time zone ${ZONE})`,
      `start of the day in the time zone ${ZONE}, UTC`,
      ZONE,
      "2026-10-26T22:00:00Z",
    ]);
  });

  it("are refused where a format has intervals of one length, and without means of days averaged here", async () => {
    for (const [change, words] of [
      [{ format: "sinex" }, "Choose another format, or days in UTC."],
      [{ format: "cost" }, "Choose another format, or days in UTC."],
      [{ intervalSeconds: 3_600 }, "choose means of 1 day that are averaged here"],
      [{ resampled: false }, "choose means of 1 day that are averaged here"],
    ] as const) {
      const answer = await exportSeries(desk.cache, desk.origin, request("refused", change), {});
      expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining(words) } });
    }
  });

  it("are counted before the export", async () => {
    expect((await forecastExport(desk.cache, request("days.csv", { format: "csv" }), "days.csv", never)).rows).toBe(3);
  });
});
