import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { exportSeries } from "#main/export/exportSeries.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { runJob } from "#main/sync/job.ts";
import { runPython, runTool } from "../formats/tools.ts";
import { never, openDesk } from "../support/desk.ts";
import { valueOf } from "../support/valueOf.ts";

// A real download, exported, opened by other programs and compared with the cache.
describe("an exported download", async () => {
  const range = { startMs: Date.UTC(2026, 8, 10), endMs: Date.UTC(2026, 8, 12) };
  const mode = { intervalSeconds: null, raw: false } as const;

  const desk = await openDesk();
  afterAll(() => desk.close());
  const ids = desk.stations(4);
  const scalars = ["ztd", "ztd_sigma", "pwv"] as const;
  await runJob(desk.session, { stationIds: ids, variables: scalars, range, ...mode }, { signal: never });
  await write({ variables: scalars, path: join(desk.folder, "series.nc") });
  await write({ variables: scalars, path: join(desk.folder, "series.csv"), format: "csv" });
  const hours = { startMs: range.startMs, endMs: range.startMs + 3 * 3_600_000 };
  const sky = ["prn", "el", "az", "snr"] as const;
  await runJob(desk.session, { stationIds: ids.slice(0, 2), variables: sky, range: hours, ...mode }, { signal: never });
  await write({ variables: sky, range: hours, stationIds: ids.slice(0, 2), path: join(desk.folder, "sky.nc") });

  async function write(change: Partial<ExportRequest> & Pick<ExportRequest, "variables" | "path">): Promise<void> {
    const request: ExportRequest = {
      stationIds: ids,
      range,
      ...mode,
      resampled: false,
      format: "netcdf",
      heightReference: "WGS84_ELLIPSOID",
      ...change,
    };
    valueOf(await exportSeries(desk.cache, desk.origin, request, {}));
  }

  /** Sum and number of a variable's values in the cache, by station. */
  function cached(variable: "ztd" | "pwv") {
    return ids.map((stationId) => {
      const column = desk.cache.rows({ stationId, variables: [variable], range, ...mode }).columns[variable]!;
      const values = column.kind === "scalar" ? [...column.values].filter((v) => !Number.isNaN(v)) : [];
      return { count: values.length, sum: values.reduce((a, b) => a + b, 0) };
    });
  }

  it.for(["series.nc", "sky.nc"])("opens in ncdump and ncks: %s", (name, context) => {
    const path = join(desk.folder, name);
    expect(runTool(context, "ncdump", ["-h", path])).toContain('featureType = "timeSeries"');
    expect(runTool(context, "ncks", ["-M", path])).toContain("CF-1.8");
  });

  it("opens in cdo, which computes its means", (context) => {
    const means = runTool(context, "cdo", ["-s", "output", "-timmean", "-selname,ztd", join(desk.folder, "series.nc")]);
    const expected = cached("ztd").map(({ count, sum }) => sum / count);
    const found = means.trim().split(/\s+/).map(Number);
    expect(found).toHaveLength(expected.length);
    for (const [i, mean] of found.entries()) expect(mean).toBeCloseTo(expected[i]!, 1);
  });

  it("opens in xarray with the values and times of the cache", (context) => {
    const read = runPython(
      context,
      ["xarray", "numpy"],
      `
d = xarray.open_dataset(${JSON.stringify(join(desk.folder, "series.nc"))})
print(json.dumps({
  "first": str(d.time.values.min())[:19],
  "ids": [s.decode() if isinstance(s, bytes) else str(s) for s in d.station_id.values],
  "ztd": [[int(numpy.isfinite(r).sum()), float(numpy.nansum(r))] for r in d.ztd.values.T],
  "pwv": [[int(numpy.isfinite(r).sum()), float(numpy.nansum(r))] for r in d.pwv.values.T],
}))`,
    ) as { first: string; ids: string[]; ztd: [number, number][]; pwv: [number, number][] };
    expect(read.ids).toEqual(ids);
    expect(read.first).toBe("2026-09-10T00:00:00");
    for (const variable of ["ztd", "pwv"] as const) {
      cached(variable).forEach(({ count, sum }, i) => {
        expect(read[variable][i]![0]).toBe(count);
        expect(read[variable][i]![1]).toBeCloseTo(sum, 4);
      });
    }
  });

  it("opens in pandas as CSV", (context) => {
    const read = runPython(
      context,
      ["pandas"],
      `
d = pandas.read_csv(${JSON.stringify(join(desk.folder, "series.csv"))}, parse_dates=["time"])
g = d.groupby("station_id").ztd_mm
print(json.dumps({"columns": list(d.columns), "count": g.count().to_dict(), "sum": g.sum().to_dict()}))`,
    ) as { columns: string[]; count: Record<string, number>; sum: Record<string, number> };
    expect(read.columns).toEqual(["station_id", "station_name", "time", "ztd_mm", "ztd_sigma_mm", "pwv_mm"]);
    cached("ztd").forEach(({ count, sum }, i) => {
      expect(read.count[ids[i]!]).toBe(count);
      expect(read.sum[ids[i]!]).toBeCloseTo(sum, 4);
    });
  });
});
