import { readdir, writeFile } from "node:fs/promises";
import { scratchFolder } from "../support/folder.ts";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { NetcdfFile } from "#formats/netcdf/read.ts";
import { openNetcdf } from "../support/openNetcdf.ts";
import { callQuery, jsonOf, query, type Received, type Wire } from "./call.ts";
import { started, WORLD } from "./start.ts";
import { tinyWorld, uuid } from "./tinyWorld.ts";
import { valueOf } from "../support/valueOf.ts";

const HOUR = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T01:00:00Z" };
const NETCDF = "application/x-netcdf";
const TWO = WORLD.stations.filter((s) => s.resolutionSeconds === 30).slice(0, 2);
const BODY = { ...HOUR, station_ids: TWO.map((s) => s.id), data_vars: ["ztd", "ztd_sigma", "pwv"] };

async function opened(response: Received): Promise<NetcdfFile> {
  const folder = scratchFolder();
  await writeFile(join(folder, "response.nc"), response.body);
  const file = valueOf(await openNetcdf(join(folder, "response.nc")));
  onTestFinished(async () => {
    file.close();
  });
  return file;
}

describe("4.4 content negotiation", () => {
  const JSON_TYPE = "application/json";
  const CASES: readonly [string | null, string | null][] = [
    [null, NETCDF],
    ["", NETCDF],
    ["*/*", NETCDF],
    ["application/*", NETCDF],
    ["application/x-netcdf", NETCDF],
    ["APPLICATION/X-NETCDF", NETCDF],
    ["application/json", JSON_TYPE],
    ["application/json; charset=utf-8", JSON_TYPE],
    ["application/json;q=0.5, application/x-netcdf;q=0.4", JSON_TYPE],
    ["application/json;q=0.4, application/x-netcdf;q=0.5", NETCDF],
    ["application/json, application/x-netcdf", NETCDF],
    ["application/json, */*;q=0.1", JSON_TYPE],
    ["*/*, application/x-netcdf;q=0", JSON_TYPE],
    ["application/*;q=0.2, application/x-netcdf;q=0.1", JSON_TYPE],
    ["text/html, application/json;q=0.9", JSON_TYPE],
    ["application/json, text/plain, */*", JSON_TYPE],
    ["*/*, application/json", JSON_TYPE],
    ["application/*, */*;q=0.1", NETCDF],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", NETCDF],
    ["application/json;q=0.9, */*;q=0.8", JSON_TYPE],
    // An invalid weight is ignored.
    ...["abc", "", "-1", "2", "1.5", "NaN", "0x1", "1e-9", '"0"'].map((q): [string, string] => [
      `application/json;q=${q}, application/x-netcdf;q=0.9`,
      JSON_TYPE,
    ]),
    ["application/json;q=abc", JSON_TYPE],
    ["application/json;q=0.0001, application/x-netcdf;q=.00001", JSON_TYPE],
    ["application/json;version=1;q=0.5;x=y, application/x-netcdf;q=0.6", NETCDF],
    ["text/html", null],
    ["application/json;q=0.", null],
    ["application/json;q=0.000", null],
    ["application/json;q=0", null],
    ["*/*;q=0", null],
  ];
  for (const [accept, type] of CASES) {
    it(`4.4 Accept: ${accept ?? "none"} → ${type ?? "400"}`, async () => {
      const service = await started();
      const response = await callQuery(service, BODY, { headers: accept === null ? {} : { Accept: accept } });
      expect([response.status, response.headers["content-type"]]).toEqual([type ? 200 : 400, type ?? JSON_TYPE]);
    });
  }
});

describe("4.4 NetCDF-4", () => {
  it("4.4 NetCDF: CF-1.8, with the same values as the JSON response", async () => {
    const service = await started();
    const file = await opened(await callQuery(service, BODY));
    expect(String(file.attributes["Conventions"])).toContain("CF-1.8");
    expect(file.attributes["featureType"]).toBe("timeSeries");
    const { json } = await query(service, BODY);
    for (const name of BODY.data_vars) {
      const cells = [...(file.read(name) as Float64Array)];
      TWO.forEach((s, station) => {
        const values = cells.filter((v, i) => i % TWO.length === station && v < 1e30);
        const expected = json.data.filter((r: Wire) => r.station_id === s.id).map((r: Wire) => r[name]);
        expect(values).toEqual(expected.filter((v: number | null) => v !== null));
      });
    }
  });

  it("4.4 NetCDF: the per-satellite variables are comma-delimited texts", async () => {
    const epochs = [{ time: "2026-01-01T00:00:00Z", ztd: 1, satellites: 3 }];
    const service = await started({ world: tinyWorld([{ epochs }]) });
    const response = await callQuery(service, { ...HOUR, station_ids: [uuid(1)], data_vars: ["snr", "el"] });
    const text = response.body.toString("latin1");
    expect(response.status).toBe(200);
    for (const expected of ["G01,G02,G03", "10.5,11.5,12.5", "40.0/30.0,41.0/31.0,42.0/32.0"]) {
      expect(text).toContain(expected);
    }
  });

  it("4.4 NetCDF: a response without rows is a file", async () => {
    const service = await started();
    const before = { ...BODY, start_time: "1990-01-01T00:00:00Z", end_time: "1990-01-02T00:00:00Z" };
    const response = await callQuery(service, before);
    expect(response.status).toBe(200);
    await opened(response);
  });

  it("8 NetCDF size: a result over the bound gives 413, by its estimate or by its real size", async () => {
    const service = await started();
    const long = { ...BODY, end_time: "2026-01-05T00:00:00Z" };
    for (const netcdfBytes of [10_000, 70_000]) {
      service.configure({ netcdfBytes });
      const { status, json } = await query(service, long, { headers: { Accept: "application/x-netcdf" } });
      expect([netcdfBytes, status, Object.keys(json)]).toEqual([netcdfBytes, 413, ["error"]]);
      expect((await query(service, long)).status).toBe(200);
    }
    // The estimate precedes the query, so not even the deadline is reached.
    service.configure({ netcdfBytes: 10_000 });
    service.setOrganization("a", { deadlineMs: 1 });
    expect((await callQuery(service, long)).status).toBe(413);
  });

  it("8 NetCDF size: only existing rows are estimated", async () => {
    const silent = WORLD.stations.find((s) => s.lastDataMs !== null)!;
    const never = WORLD.stations.find((s) => s.firstDataMs === null)!;
    const [alive] = TWO;
    const service = await started({ netcdfBytes: 90_000 });
    const ask = async (body: object) =>
      (await netcdf({ data_vars: ["ztd"], station_ids: [alive!.id], ...body })).status;
    const outage = longestGap(alive!.id);
    const netcdf = (body: object) => callQuery(service, body, { headers: { Accept: NETCDF } });
    expect(await ask(year(2025))).toBe(413);
    for (const [what, body] of [
      ["the future", year(2027)],
      ["before the first data", year(2010)],
      ["after the last data", { ...afterwards(silent.lastDataMs!), station_ids: [silent.id] }],
      ["a station without data", { ...year(2025), station_ids: [never.id] }],
      ["an outage", { ...outage }],
    ] as const) {
      const full = { data_vars: ["ztd", "ztd_sigma", "snr"], station_ids: [alive!.id], ...body };
      expect([what, (await netcdf(full)).status]).toEqual([what, 200]);
    }
    // As many points with a tenth of the rows: the estimate is uncertain, and the file small enough.
    const month = { start_time: "2025-06-01T00:00:00Z", end_time: "2025-07-01T00:00:00Z" };
    expect([await ask({ ...month, data_vars: ["ztd"] }), await ask({ ...month, data_vars: ["pwv"] })]).toEqual([
      413, 200,
    ]);
  });

  it("8 NetCDF size: the estimate is never larger than the file", async () => {
    const service = await started();
    for (const body of [
      { data_vars: ["ztd"] },
      { data_vars: ["ztd_sigma", "pwv"] },
      { data_vars: ["pwv"], raw: true },
      { data_vars: ["ztd"], interval_seconds: 900 },
      { data_vars: ["el"], end_time: "2026-01-01T03:00:00Z" },
    ]) {
      const full = { ...BODY, end_time: "2026-01-03T00:00:00Z", ...body };
      service.configure({ decimals: 0, netcdfBytes: 1e9 });
      const { length } = (await callQuery(service, full)).body;
      service.configure({ netcdfBytes: length });
      expect([body, (await callQuery(service, full)).status]).toEqual([body, 200]);
    }
  });

  it("7 408: a file that is not ready at the deadline, which is deleted", async () => {
    const service = await started({ organizations: [{ key: "key-a", name: "a", maxPoints: null, deadlineMs: 1 }] });
    const before = await leftFolders();
    const response = await callQuery(service, { ...BODY, end_time: "2026-04-01T00:00:00Z" });
    expect([response.status, Object.keys(jsonOf(response))]).toEqual([408, ["error"]]);
    expect((await leftFolders()).filter((name) => !before.includes(name))).toEqual([]);
  });
});

const year = (n: number) => ({ start_time: `${n}-01-01T00:00:00Z`, end_time: `${n + 1}-01-01T00:00:00Z` });

/** The month after a moment. */
const afterwards = (ms: number) => ({
  start_time: new Date(ms + 1).toISOString(),
  end_time: new Date(ms + 30 * 86_400_000).toISOString(),
});

/** The longest gap of a station in 2025, of at least six hours. */
function longestGap(id: string): { readonly start_time: string; readonly end_time: string } {
  const station = WORLD.station(id)!;
  const range = { startMs: Date.UTC(2025, 0, 1), endMs: Date.UTC(2026, 0, 1), nowMs: Date.UTC(2026, 5, 1) };
  let endMs = range.startMs;
  let gap = { startMs: 0, endMs: 0 };
  for (const part of WORLD.observed(station, range)) {
    if (part.startMs - endMs > gap.endMs - gap.startMs) gap = { startMs: endMs, endMs: part.startMs };
    endMs = part.endMs;
  }
  expect(gap.endMs - gap.startMs).toBeGreaterThan(6 * 3_600_000);
  return { start_time: new Date(gap.startMs).toISOString(), end_time: new Date(gap.endMs).toISOString() };
}

async function leftFolders(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("zenith-service-"));
}
