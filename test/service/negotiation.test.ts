import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openNetcdf, type NetcdfFile } from "#formats/netcdf/read.ts";
import { callQuery, jsonOf, query, type Answer, type Wire } from "./call.ts";
import { started, WORLD } from "./start.ts";
import { tinyWorld, uuid } from "./tinyWorld.ts";

const HOUR = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T01:00:00Z" };
const TWO = WORLD.stations.filter((s) => s.resolutionSeconds === 30).slice(0, 2);
const BODY = { ...HOUR, station_ids: TWO.map((s) => s.id), data_vars: ["ztd", "ztd_sigma", "pwv"] };

async function opened(answer: Answer): Promise<NetcdfFile> {
  const folder = await mkdtemp(join(tmpdir(), "zenith-test-"));
  await writeFile(join(folder, "answer.nc"), answer.body);
  const file = await openNetcdf(join(folder, "answer.nc"));
  if (!file.ok) throw new Error(file.error.message);
  onTestFinished(async () => {
    file.value.close();
    await rm(folder, { recursive: true });
  });
  return file.value;
}

describe("4.4 content negotiation", () => {
  const NETCDF = "application/x-netcdf";
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
    ["text/html", null],
    ["application/json;q=0", null],
    ["*/*;q=0", null],
  ];
  for (const [accept, type] of CASES) {
    it(`4.4 Accept: ${accept ?? "none"} → ${type ?? "400"}`, async () => {
      const service = await started();
      const answer = await callQuery(service, BODY, { headers: accept === null ? {} : { Accept: accept } });
      expect([answer.status, answer.headers["content-type"]]).toEqual([type ? 200 : 400, type ?? JSON_TYPE]);
    });
  }
});

describe("4.4 NetCDF-4", () => {
  it("4.4 NetCDF: CF-1.8, with the same values as the JSON answer", async () => {
    const service = await started();
    const file = await opened(await callQuery(service, BODY));
    expect(String(file.attributes["Conventions"])).toContain("CF-1.8");
    expect(file.attributes["featureType"]).toBe("timeSeries");
    const { json } = await query(service, BODY);
    for (const name of BODY.data_vars) {
      const values = [...(file.read(name) as Float64Array)].filter((v) => v < 1e30);
      const expected = TWO.flatMap((s) =>
        json.data.filter((r: Wire) => r.station_id === s.id).map((r: Wire) => r[name]),
      );
      expect(values).toEqual(expected.filter((v: number | null) => v !== null));
    }
  });

  it("4.4 NetCDF: the per-satellite variables are comma-delimited texts", async () => {
    const epochs = [{ time: "2026-01-01T00:00:00Z", ztd: 1, satellites: 3 }];
    const service = await started({ world: tinyWorld([{ epochs }]) });
    const answer = await callQuery(service, { ...HOUR, station_ids: [uuid(1)], data_vars: ["snr", "el"] });
    const text = answer.body.toString("latin1");
    expect(answer.status).toBe(200);
    for (const expected of ["G01,G02,G03", "10.5,11.5,12.5", "40.0/30.0,41.0/31.0,42.0/32.0"]) {
      expect(text).toContain(expected);
    }
  });

  it("4.4 NetCDF: an answer without any row is a file all the same", async () => {
    const service = await started();
    const before = { ...BODY, start_time: "1990-01-01T00:00:00Z", end_time: "1990-01-02T00:00:00Z" };
    const answer = await callQuery(service, before);
    expect(answer.status).toBe(200);
    await opened(answer);
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
    // The estimate comes before the query runs: not even the deadline is reached.
    service.configure({ netcdfBytes: 10_000 });
    service.setOrganization("a", { deadlineMs: 1 });
    expect((await callQuery(service, long)).status).toBe(413);
  });

  it("7 408: a file that is not ready at the deadline, and nothing is left of it", async () => {
    const service = await started({ organizations: [{ key: "key-a", name: "a", maxPoints: null, deadlineMs: 1 }] });
    const before = await leftFolders();
    const answer = await callQuery(service, { ...BODY, end_time: "2026-04-01T00:00:00Z" });
    expect([answer.status, Object.keys(jsonOf(answer))]).toEqual([408, ["error"]]);
    expect(await leftFolders()).toEqual(before);
  });
});

async function leftFolders(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("zenith-service-"));
}
