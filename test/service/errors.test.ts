import { describe, expect, it } from "vitest";
import { call, get, jsonOf, query } from "./call.ts";
import { started, WORLD } from "./start.ts";

const ID = WORLD.stations[0]!.id;

describe("7 errors", () => {
  it("7 shape: stations and networks respond with { message, code, details }", async () => {
    const service = await started();
    for (const path of ["/stations?page=0", "/networks?page=0", "/stations/abc", "/nothing"]) {
      const { json } = await get(service, path);
      expect(json).toEqual({ message: expect.any(String), code: expect.any(String), details: expect.any(Object) });
    }
    expect((await get(service, "/stations?page=0")).json.message).toContain("page");
  });

  it("7 shape: time series and nearest respond with { error }", async () => {
    const service = await started();
    expect((await query(service, {})).json).toEqual({ error: expect.stringContaining("start_time") });
    expect((await get(service, "/measurements/nearest")).json).toEqual({
      error: expect.stringContaining("station_ids"),
    });
    expect((await get(service, "/measurements/nothing")).json).toEqual({ error: expect.any(String) });
  });

  it("9.1 path: all endpoints are below /api/v1, and any other path gives 404", async () => {
    const service = await started();
    const paths = [
      "/",
      "/api/v1",
      "//",
      "//[/api/v1/stations",
      "/api/v1/%2e%2e/networks",
      "/api/v1/",
      "/api/v2/stations",
      "/stations",
      "/api/v1/stations/",
      "/api/v1/measurements",
      `/api/v1/stations/${ID}/x`,
    ];
    for (const path of paths) expect([path, (await call(service, path)).status]).toEqual([path, 404]);
  });

  it("4 methods: each endpoint has one, and others give 405 with the right one", async () => {
    const service = await started();
    for (const [method, path, allowed] of [
      ["POST", "/stations", "GET, HEAD"],
      ["DELETE", `/stations/${ID}`, "GET, HEAD"],
      ["PUT", "/networks", "GET, HEAD"],
      ["OPTIONS", "/networks", "GET, HEAD"],
      ["OPTIONS", "/measurements/query", "POST"],
      ["HEAD", "/measurements/query", "POST"],
      ["GET", "/measurements/query", "POST"],
      ["POST", "/measurements/nearest", "GET, HEAD"],
    ] as const) {
      const response = await call(service, `/api/v1${path}`, { method });
      expect([response.status, response.headers.allow]).toEqual([405, allowed]);
      expect(response.headers["content-type"]).toBe("application/json");
    }
  });

  it("4 methods: HEAD is GET without the body, with the same headers, limits and errors", async () => {
    const service = await started();
    const paths = [
      "/stations",
      `/stations/${ID}`,
      "/networks",
      `/measurements/nearest?station_ids=${ID}&data_vars=ztd`,
    ];
    for (const path of [...paths, "/stations?page=0", "/nothing"]) {
      for (const key of ["key-a", "wrong", null]) {
        for (const headers of [{}, { "Accept-Encoding": "gzip" }]) {
          const full = await call(service, `/api/v1${path}`, { key, headers });
          const head = await call(service, `/api/v1${path}`, { key, headers, method: "HEAD" });
          // The transfer encoding applies to the body only.
          const { "transfer-encoding": _, ...expected } = full.headers;
          expect([head.status, head.headers, head.body.length]).toEqual([full.status, expected, 0]);
        }
      }
    }
    service.setOrganization("a", { maxConcurrent: 0 });
    expect((await call(service, "/api/v1/networks", { method: "HEAD" })).status).toBe(429);
  });

  it("4 names: a misspelt field or parameter is rejected with a suggestion", async () => {
    const service = await started();
    const good = { start_time: "2026-01-01", end_time: "2026-01-02", station_ids: [ID], data_vars: ["ztd"] };
    for (const [name, meant] of [
      ["station_id", "did you mean “station_ids”"],
      ["data_var", "did you mean “data_vars”"],
      ["intervalseconds", "did you mean “interval_seconds”"],
      ["Interval-Seconds", "did you mean “interval_seconds”"],
      ["rwa", "did you mean “raw”"],
      ["mountpoints", "the fields are start_time, end_time, station_ids, data_vars, interval_seconds, raw"],
      ["x".repeat(5_000), "the fields are"],
    ] as const) {
      const { status, json } = await query(service, { ...good, [name]: true });
      expect([name, status, json.error]).toEqual([name, 400, expect.stringContaining(meant)]);
    }
    expect((await query(service, { ...good, raw: null })).json.error).toContain("raw");
    for (const [path, meant] of [
      ["/stations?countrycode=FI", "country_code"],
      ["/networks?pagesize=3", "page_size"],
      [`/measurements/nearest?station_id=${ID}&data_vars=ztd`, "station_ids"],
    ] as const) {
      const { status, json } = await get(service, path);
      expect([path, status, json.message ?? json.error]).toEqual([path, 400, expect.stringContaining(`“${meant}”`)]);
    }
    for (const other of ["_=1", "t=17", "utm_source=mail", "callback=x"]) {
      expect([other, (await get(service, `/networks?${other}`)).status]).toEqual([other, 200]);
    }
  });

  it("7 500 and 503: unexpected and temporary errors in the shape of their endpoint", async () => {
    const service = await started();
    for (const status of [500, 503]) {
      service.setFaults([{ fault: { kind: "status", status, retryAfter: "7" } }]);
      const catalogue = await get(service, "/stations");
      const measurements = await get(service, "/measurements/nearest");
      expect([catalogue.status, measurements.status, catalogue.headers["retry-after"]]).toEqual([status, status, "7"]);
      expect([Object.keys(catalogue.json), Object.keys(measurements.json)]).toEqual([
        ["message", "code", "details"],
        ["error"],
      ]);
    }
  });

  it("7 500: an internal error is a response, and the service continues", async () => {
    const errors: unknown[] = [];
    const world = {
      ...WORLD,
      lastUpdated: () => {
        throw new Error("broken on purpose");
      },
    };
    const service = await started({ world, onError: (error) => errors.push(error) });
    expect((await get(service, "/stations")).status).toBe(500);
    expect(jsonOf(await call(service, "/api/v1/networks")).networks.length).toBe(6);
    expect(service.stats.log.map((record) => record.status)).toEqual([500, 200]);
    expect(errors).toEqual([new Error("broken on purpose")]);
  });
});
