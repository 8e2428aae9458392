import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rangeSet } from "#shared/time/rangeset.ts";
import { afterAll, describe, expect, it } from "vitest";
import { FileGroup } from "#formats/fileGroup.ts";
import { openNetcdf } from "../support/openNetcdf.ts";
import { readSidecar } from "../formats/sidecarReader.ts";
import { writeThroughTemporary } from "#formats/temporary.ts";
import { forecastExport } from "#main/app/exports/forecastExport.ts";
import { exportSeries } from "#main/export/exportSeries.ts";
import { rowsWithValues } from "#main/export/valueRows.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { opened, rowsOf } from "../formats/readBack.ts";
import type { CacheReader } from "#main/store/index.ts";
import { runJob } from "#main/sync/job.ts";
import { never, openDesk } from "../support/desk.ts";
import { gateShare } from "../support/endurance.ts";
import { valueOf } from "../support/valueOf.ts";

/** Names in a folder with the contents of its files. */
function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name);
      return [name, statSync(path).isFile() ? readFileSync(path, "latin1") : "a folder"];
    }),
  );
}

describe("export from the cache", async () => {
  const range = { startMs: Date.UTC(2026, 8, 1), endMs: Date.UTC(2026, 8, 2) };

  const desk = await openDesk();
  afterAll(() => desk.close());
  const silentId = desk.service.world.stations.find((s) => s.firstDataMs === null)!.id;
  const ids = [...desk.stations(3), silentId];
  const mode = { intervalSeconds: null, raw: false } as const;
  await runJob(
    desk.session,
    { stationIds: ids, variables: ["ztd", "ztd_sigma", "pwv"], range, ...mode },
    { signal: never },
  );
  const day = { startMs: range.startMs, endMs: range.startMs + 6 * 3_600_000 };
  await runJob(
    desk.session,
    { stationIds: ids, variables: ["el", "az", "snr"], range: day, ...mode },
    { signal: never },
  );

  function hours(from: number, to: number) {
    return { startMs: range.startMs + from * 3_600_000, endMs: range.startMs + to * 3_600_000 };
  }

  function request(name: string, change: Partial<ExportRequest> = {}): ExportRequest {
    return {
      stationIds: ids,
      variables: ["ztd", "ztd_sigma", "pwv"],
      range,
      intervalSeconds: null,
      raw: false,
      resampled: false,
      format: "netcdf",
      heightReference: "WGS84_ELLIPSOID",
      path: join(desk.folder, name),
      ...change,
    };
  }

  async function exported(r: ExportRequest) {
    return valueOf(await exportSeries(desk.cache, desk.origin, r, {}));
  }

  it("writes the values of the cache to the bit, and names stations without data", async () => {
    const report = await exported(request("all.nc"));
    expect(report.stationIdsWithoutRows).toEqual([silentId]);
    const file = valueOf(await openNetcdf(report.files[0]!.path));
    const cached = desk.cache.rows({
      stationId: ids[0]!,
      variables: ["ztd"],
      range,
      intervalSeconds: null,
      raw: false,
    });
    const column = cached.columns.ztd!;
    if (column.kind !== "scalar") throw new Error("ztd is a scalar");
    const times = Array.from(file.read("time") as Float64Array, (s) => s * 1000);
    const ztd = file.read("ztd") as Float64Array;
    // Each row of the grid is a time, starting with the first station.
    const written = new Map(times.map((t, i) => [t, ztd[(i * ztd.length) / times.length]]));
    expect(cached.timesMs.length).toBeGreaterThan(900);
    const values = [...cached.timesMs]
      .map((t, i) => [t, column.values[i]!] as const)
      .filter(([, v]) => !Number.isNaN(v));
    expect(values.filter(([t, v]) => !Object.is(written.get(t), v))).toEqual([]);
    file.close();
  });

  it("leaves files of one run if several export to the same name at once", async () => {
    const requests = [60, 300, 1_200].map((minutes) =>
      exported(request("same.csv", { format: "csv", range: { ...range, endMs: range.startMs + minutes * 60_000 } })),
    );
    await Promise.all(requests);
    const sidecar = readSidecar(readFileSync(join(desk.folder, "same.csv.json"), "utf8"));
    const written = readFileSync(join(desk.folder, "same.csv"));
    expect(sidecar.files[0]?.sha256).toBe(createHash("sha256").update(written).digest("hex"));
  });

  it("describes the files in a sidecar with query, coverage, gaps by cause and verdicts", async () => {
    const report = await exported(request("described.csv", { format: "csv" }));
    const sidecar = readSidecar(readFileSync(report.sidecarPath!, "utf8"));
    const written = readFileSync(join(desk.folder, "described.csv"));
    const sha256 = createHash("sha256").update(written).digest("hex");
    expect(sidecar.files).toEqual([{ name: "described.csv", bytes: written.length, sha256 }]);
    expect(sidecar.query.stationIds).toEqual(ids);
    const station = sidecar.stations.find((s) => s.id === ids[0])!;
    const ztd = station.series.find((s) => s.variable === "ztd")!;
    expect(rangeSet([...ztd.final, ...ztd.provisional])).toEqual([range]);
    // Every epoch of the range has a value or is in a gap.
    const gapEpochs = Object.values(ztd.gapSecondsByCause).reduce((a, b) => a + b, 0) / 30;
    expect(ztd.values + gapEpochs).toBe((range.endMs - range.startMs) / 30_000);
    const silent = sidecar.verdicts.filter((v) => v.stationId === silentId);
    expect(new Set(silent.map((v) => v.state))).toEqual(new Set(["empty"]));
  });

  it("writes satellites to a separate file", async () => {
    const report = await exported(request("both.nc", { variables: ["ztd", "el", "az", "snr"] }));
    expect(report.files.map((f) => f.path)).toEqual([
      join(desk.folder, "both.nc"),
      join(desk.folder, "both-satellites.nc"),
    ]);
    const file = valueOf(await openNetcdf(report.files[1]!.path));
    const elevation = file.read("elevation") as Float64Array;
    expect(elevation.length).toBeGreaterThan(10_000);
    expect(Math.min(...elevation.subarray(0, 1000))).toBeGreaterThanOrEqual(0);
    file.close();
  });

  it("has the times of the chosen variables, whatever else is cached", async () => {
    const alone = desk.fresh();
    const mode = { intervalSeconds: null, raw: false } as const;
    await runJob(alone.session, { stationIds: ids, variables: ["pwv"], range, ...mode }, { signal: never });
    const rows = async (cache: CacheReader, layout: "grid" | "ragged") => {
      const wanted = request(`pwv-${layout}.nc`, { variables: ["pwv"], layout });
      valueOf(await exportSeries(cache, desk.origin, wanted, {}));
      const file = await opened(wanted.path);
      const found = rowsOf(file, ["pwv"]);
      file.close();
      return found;
    };
    for (const layout of ["grid", "ragged"] as const) {
      const found = await rows(desk.cache, layout);
      expect(found[0]!.length).toBeGreaterThan(90);
      expect(found).toStrictEqual(await rows(alone.cache, layout));
    }
  });

  it("has all stations of the request at their places in files of arrays, known or not", async () => {
    const stationIds = [ids[1]!, "no-longer-listed", silentId, ids[0]!];
    for (const format of ["netcdf", "netcdf3"] as const) {
      const report = await exported(request(`listed-${format}.nc`, { stationIds, format, variables: ["ztd"] }));
      expect(report.unknownStationIds).toEqual(["no-longer-listed"]);
      const file = await opened(report.files[0]!.path);
      expect(file.read("station_id")).toEqual(stationIds);
      const [first, unknown, silent, last] = rowsOf(file, ["ztd"]).map((rows) =>
        rows.some(({ values }) => values.ztd !== null),
      );
      expect([first, unknown, silent, last]).toEqual([true, false, false, true]);
      file.close();
    }
  });

  it("averages native rows to exactly the means of the service", async () => {
    const spec = {
      stationIds: ids.slice(0, 3),
      variables: ["ztd", "ztd_sigma", "pwv"] as const,
      range,
      intervalSeconds: 900,
      raw: false,
    };
    await runJob(desk.session, spec, { signal: never });
    const served = await exported(
      request("served.csv", { format: "csv", intervalSeconds: 900, stationIds: spec.stationIds }),
    );
    const local = await exported(
      request("local.csv", { format: "csv", intervalSeconds: 900, resampled: true, stationIds: spec.stationIds }),
    );
    const text = readFileSync(served.files[0]!.path, "utf8");
    expect(text.split("\r\n").length).toBeGreaterThan(200);
    expect(readFileSync(local.files[0]!.path, "utf8")).toBe(text);
  });

  it("averages only intervals that the cache covers completely", async () => {
    const { cache, session } = desk.fresh();
    const [id] = ids;
    const spec = { stationIds: [id!], variables: ["ztd"] as const, intervalSeconds: null, raw: false };
    const part = { startMs: range.startMs + 10 * 60_000, endMs: range.startMs + 2 * 3_600_000 + 5 * 60_000 };
    await runJob(session, { ...spec, range: part }, { signal: never });
    const result = valueOf(
      await exportSeries(
        cache,
        desk.origin,
        request("part.csv", { ...spec, format: "csv", intervalSeconds: 3600, resampled: true }),
        {},
      ),
    );
    const rows = readFileSync(result.files[0]!.path, "utf8").trim().split("\r\n").slice(1);
    expect(rows.map((r) => r.split(",")[2])).toEqual(["2026-09-01T01:00:00Z"]);
  });

  it("averages each variable where its own observations are cached", async () => {
    const { cache, session } = desk.fresh();
    const spec = { stationIds: [ids[0]!], intervalSeconds: null, raw: false };
    await runJob(session, { ...spec, variables: ["ztd"], range: hours(0, 3) }, { signal: never });
    await runJob(session, { ...spec, variables: ["pwv"], range: hours(1.5, 5) }, { signal: never });
    const wanted = request("each.csv", {
      ...spec,
      range: hours(0, 24),
      format: "csv",
      intervalSeconds: 3600,
      resampled: true,
    });
    const report = valueOf(await exportSeries(cache, desk.origin, wanted, {}));
    const lines = readFileSync(report.files[0]!.path, "utf8").trim().split("\r\n").slice(1);
    const hasValues = lines.map((line) =>
      line
        .split(",")
        .slice(2)
        .map((cell, i) => (i === 0 ? cell : cell !== "")),
    );
    expect(hasValues).toEqual([
      ["2026-09-01T00:00:00Z", true, true, false, false],
      ["2026-09-01T01:00:00Z", true, true, false, false],
      ["2026-09-01T02:00:00Z", true, true, false, true],
      ["2026-09-01T03:00:00Z", true, false, false, true],
      ["2026-09-01T04:00:00Z", true, false, false, true],
    ]);
    // The values are those of the variable alone, and the forecast counts the same rows.
    const alone = valueOf(await exportSeries(cache, desk.origin, { ...wanted, variables: ["pwv"] }, {}));
    const pwv = readFileSync(alone.files[0]!.path, "utf8").trim().split("\r\n").slice(1);
    expect(pwv.map((line) => line.split(",")[4])).toEqual(lines.slice(2).map((line) => line.split(",")[6]));
    const forecast = await forecastExport(cache, wanted, "each.csv", never);
    expect(forecast.rows).toBe(5);
  });

  it("has no row for an epoch whose only value is an empty text, which is a gap", () => {
    const columns = { prn: { kind: "text", values: ["G01", "", null], present: null } } as const;
    const blocks = [...rowsWithValues([{ timesMs: Float64Array.of(0, 30_000, 60_000), columns }])];
    expect(blocks.map(({ timesMs }) => [...timesMs])).toEqual([[0]]);
  });

  it("writes the stations that the catalogue has, and names the others as missing", async () => {
    const gone = "00000000-0000-4000-8000-000000000000";
    const wanted = request("some.csv", { format: "csv", stationIds: [gone, ids[0]!] });
    const report = await exported(wanted);
    expect(report.rows).toBeGreaterThan(900);
    expect(report).toMatchObject({ stationIdsWithoutRows: [gone], unknownStationIds: [gone] });
    const text = readFileSync(report.sidecarPath!, "utf8");
    const sidecar = readSidecar(text);
    expect(sidecar.query.stationIds).toEqual([gone, ids[0]]);
    expect(sidecar.unknownStationIds).toEqual([gone]);
    expect(sidecar.verdicts.filter((v) => v.stationId === gone)).toMatchObject(
      wanted.variables.map((variable) => ({ variable, range, state: "notRequested", rows: 0 })),
    );
    expect(JSON.parse(text)).toMatchObject({ stations_without_data: [gone], stations_not_in_catalogue: [gone] });
    const alone = await exported({ ...wanted, path: join(desk.folder, "alone.csv"), stationIds: [ids[0]!] });
    expect(readFileSync(report.files[0]!.path).equals(readFileSync(alone.files[0]!.path))).toBe(true);
  });

  it("leaves no file when cancelled", async () => {
    const stop = new AbortController();
    const before = readdirSync(desk.folder).length;
    // Aborted at once, because a fast machine may finish before it reports progress.
    const running = exportSeries(desk.cache, desk.origin, request("never.nc"), { signal: stop.signal });
    stop.abort();
    const result = await running;
    expect(result).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    expect(existsSync(join(desk.folder, "never.nc"))).toBe(false);
    expect(readdirSync(desk.folder)).toHaveLength(before);
  });

  it.each(
    gateShare([
      ["csv", ".csv.json"],
      ["csv", "-satellites.csv"],
      ["csv", "-stations.csv"],
      ["netcdf", ".csv.json"],
      ["sqlite", ".csv.json"],
      ["parquet", ".csv.json"],
      ["zarr", "-satellites.csv"],
    ] as const),
  )("as %s keeps all files as they were if a folder has the name of %s", async (format, ending) => {
    const folder = join(desk.folder, `kept ${format} ${ending}`);
    mkdirSync(folder);
    const change: Partial<ExportRequest> = {
      format,
      variables: ["ztd", "el", "az", "snr"],
      stationDetails: "file",
      range: { startMs: range.startMs, endMs: range.startMs + 3_600_000 },
      path: join(folder, "k.csv"),
    };
    const names = (await exported(request("", change))).files.map(({ path }) => path);
    // Another export to the same names would replace these.
    const blocked = join(folder, `k${ending}`);
    rmSync(blocked, { recursive: true });
    mkdirSync(join(blocked, "foreign"), { recursive: true });
    const before = contents(folder);
    const result = await exportSeries(
      desk.cache,
      desk.origin,
      request("", { ...change, stationIds: ids.slice(0, 1) }),
      {},
    );
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining(blocked) } });
    expect(contents(folder)).toEqual(before);
    expect(names.length).toBeGreaterThan(0);
  });

  it("takes back the names of complete files if a later one cannot get its name", async () => {
    const folder = join(desk.folder, "taken back");
    mkdirSync(folder);
    writeFileSync(join(folder, "old.txt"), "old");
    await using group = new FileGroup();
    for (const name of ["old.txt", "new.txt"])
      await writeThroughTemporary(join(folder, name), (path) => writeFile(path, "new"), { group });
    const refused = {
      check: async () => {},
      discard: async () => {},
      path: "c",
      temporaryPath: "",
      place: () => Promise.reject(new Error()),
    };
    group.add(refused);
    const before = { "old.txt": "old" };
    expect(await group.place()).toMatchObject({ ok: false });
    expect(contents(folder)).toEqual(before);
  });

  it.each([
    ["only unknown stations", { stationIds: ["00000000-0000-4000-8000-000000000000"] }, /None of the stations is in/],
    ["an empty list of stations", { stationIds: [] }, /at least one/],
    ["an empty range", { range: { startMs: 5, endMs: 5 } }, /empty/],
    ["a folder that does not exist", { path: "/nowhere/at/all.nc" }, /does not exist/],
  ] as const)("rejects %s with a message", async (_, change, message) => {
    const result = await exportSeries(desk.cache, desk.origin, request("refused.nc", change), {});
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringMatching(message) } });
  });
});
