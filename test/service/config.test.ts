import { describe, expect, it } from "vitest";
import { BUILT_IN_ORGANIZATIONS, readServiceConfig, startService, unknownEntitlement } from "#service/index.ts";
import { get, query } from "./call.ts";
import { started, WORLD } from "./start.ts";
import { valueOf } from "../support/valueOf.ts";

const check = (more: object) => unknownEntitlement([{ key: "k", name: "n", ...more }], WORLD);

describe("configuration", () => {
  it("config: all options are read, and the service starts with them", async () => {
    const text = JSON.stringify({
      port: 0,
      host: "127.0.0.1",
      seed: 3,
      startsAt: "2025-03-01T12:00:00Z",
      organizations: [
        { key: "k", name: "only", networks: ["NORDA"], maxPoints: null, deadlineMs: 1000, maxConcurrent: 3 },
      ],
      decimals: null,
      noData: "omit",
      limitStyle: "plain",
      retryAfterStyle: "date",
      retryAfterSeconds: 2,
      gzip: false,
      networksPageSize: 10,
      bodyTimeoutMs: 1000,
      unreadTimeoutMs: 1000,
      pointsPerSecond: 1e6,
      netcdfBytes: 1e6,
      faults: [{ fault: { kind: "status", status: 503 }, endpoints: ["query"], probability: 0.5, next: 3 }],
      faultSeed: 4,
    });
    const options = valueOf(readServiceConfig(text));
    const service = await started(options);
    expect(Math.abs(service.now() - Date.UTC(2025, 2, 1, 12))).toBeLessThan(60_000);
    expect(service.organizations.map((o) => [o.name, o.owner, o.networks])).toEqual([["only", "only", ["NORDA"]]]);
    expect((await get(service, "/networks", { key: "k" })).json.networks.length).toBe(1);
  });

  it("config: an empty object gives the defaults", () => {
    expect(readServiceConfig("{}")).toEqual({ ok: true, value: {} });
  });

  it("config: an error is a message with its location", () => {
    for (const [text, message] of [
      ["{", "not valid JSON"],
      ["[]", "expected object"],
      ['{"prot":1}', "no name “prot”: did you mean “port”?"],
      ['{"colour":1}', "the names are $schema, port, host"],
      ['{"organizations":[{"key":"k","name":"n","maxpoints":1}]}', "at organizations.0: There is no name “maxpoints”"],
      [
        '{"faults":[{"fault":{"kind":"slow","delayms":1}}]}',
        "at faults.0.fault: There is no name “delayms”: did you mean “delayMs”?",
      ],
      ['{"faults":[{"fault":{"kind":"html"},"endpoint":["query"]}]}', "did you mean “endpoints”?"],
      ['{"organizations":[{"key":"k","name":"n"},{"key":"k","name":"m"}]}', "“m” has the key of another one"],
      ['{"organizations":[{"key":"k","name":"n"},{"key":"l","name":"n"}]}', "two have the name “n”"],
      ['{"port":70000}', "at port"],
      ['{"organizations":[{"key":"k"}]}', "organizations.0.name"],
      ['{"startsAt":"soon"}', "startsAt"],
      ['{"faults":[{"fault":{"kind":"slow"}}]}', "faults.0.fault.delayMs"],
    ] as const) {
      expect(readServiceConfig(text)).toEqual({ ok: false, error: expect.stringContaining(message) });
    }
  });

  it("config: unknown networks and stations are errors", () => {
    expect(check({ networks: ["NORDA", "NORDAA"] })).toContain("no network “NORDAA”: did you mean “NORDA”?");
    for (const name of ["stationIds", "withheldStationIds"]) {
      expect(check({ [name]: [WORLD.stations[0]!.id] })).toBeNull();
      expect(check({ [name]: ["Kallio"] })).toContain("no station Kallio");
    }
    expect(check({ networks: "all" })).toBeNull();
  });

  it("config: the number of stations", async () => {
    const options = valueOf(readServiceConfig('{"stations":300,"$schema":"./service.schema.json"}'));
    const service = await startService(options);
    expect(service.world.stations.length).toBe(300);
    await service.close();
    for (const stations of [0, 100_001, "300", 1.5]) {
      const text = JSON.stringify({ stations });
      expect(readServiceConfig(text)).toEqual({ ok: false, error: expect.stringContaining("at stations") });
    }
  });

  it("config: a port in use is an error at the start", async () => {
    const service = await started();
    await expect(startService({ port: service.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("defaults: three organizations, one of which has low limits", async () => {
    const service = await startService();
    try {
      const demo = BUILT_IN_ORGANIZATIONS.find((o) => o.name === "demo")!;
      const station = service.world.stations[0]!.id;
      const range = { start_time: "2025-01-01T00:00:00Z", end_time: "2025-03-01T00:00:00Z" };
      const ask = (key: string) => query(service, { ...range, station_ids: [station], data_vars: ["pwv"] }, { key });
      expect([(await ask(demo.key)).status, (await ask("bulk-key")).status]).toEqual([413, 200]);
      expect(service.world.stations.length).toBeGreaterThanOrEqual(60);
    } finally {
      await service.close();
    }
  });

  it("organizations: replaced as a whole, and an unknown name is an error", async () => {
    const service = await started();
    service.setOrganizations([{ key: "new", name: "new", stationIds: [WORLD.stations[0]!.id], networks: [] }]);
    const { json } = await get(service, "/stations", { key: "new" });
    expect(json.pagination.total_items).toBe(1);
    expect(() => service.setOrganization("a", {})).toThrow("no organization a");
    expect(() => service.configure({ decimals: 7 })).toThrow("decimals");
  });

  it("stats: requests and responses, in the order of arrival", async () => {
    const service = await started();
    await get(service, "/stations?page=2");
    const body = {
      start_time: "2026-01-01T00:00:00Z",
      end_time: "2026-01-01T01:00:00Z",
      station_ids: [WORLD.stations[0]!.id],
      data_vars: ["ztd", "el"],
    };
    const { json } = await query(service, body);
    expect(service.stats).toMatchObject({ requests: 2, byStatus: { 200: 2 }, underWay: 0, rows: json.count });
    expect(service.stats.log[0]).toMatchObject({
      method: "GET",
      path: "/api/v1/stations?page=2",
      endpoint: "stations",
      organization: "a",
      status: 200,
    });
    expect(service.stats.log[1]).toMatchObject({
      endpoint: "query",
      points: 120,
      rows: json.count,
      query: { variables: ["ztd", "el", "prn"], intervalSeconds: null, raw: false },
    });
    service.resetStats();
    expect(service.stats).toMatchObject({ requests: 0, rows: 0, log: [] });
  });

  it("9.3 earlier form: receiver_id in rows, total_count in lists, if configured", async () => {
    const service = await started({ earlierForm: true });
    const [station] = WORLD.stations;
    const range = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T01:00:00Z" };
    const { json } = await query(service, { ...range, station_ids: [station!.id], data_vars: ["ztd"] });
    expect(Object.keys(json.data[0])).toEqual(["timestamp", "receiver_id", "display_name", "ztd"]);
    const nearest = await get(service, `/measurements/nearest?station_ids=${station!.id}&data_vars=ztd`);
    expect(nearest.json.data[0].receiver_id).toBe(station!.id);
    for (const [path, total] of [
      ["/stations", 67],
      ["/networks", 6],
    ] as const) {
      const { pagination } = (await get(service, path)).json;
      expect([pagination.total_count, pagination.total_items]).toEqual([total, undefined]);
    }
  });
});
