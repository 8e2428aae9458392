import { describe, expect, it } from "vitest";
import { call, get, jsonOf, query } from "./call.ts";
import { NOW, started, WORLD } from "./start.ts";

const ID = WORLD.stations[0]!.id;
const HOUR = {
  start_time: "2026-01-01T00:00:00Z",
  end_time: "2026-01-01T01:00:00Z",
  station_ids: [ID],
  data_vars: ["ztd"],
};
const GETS = ["/stations", `/stations/${ID}`, "/networks", `/measurements/nearest?station_ids=all&data_vars=ztd`];

describe("5 authentication", () => {
  it("5.1 X-API-Key: every endpoint requires it, in any case of the header's name", async () => {
    const service = await started();
    for (const path of GETS) expect((await get(service, path, { key: null })).status).toBe(401);
    expect((await query(service, HOUR, { key: null })).status).toBe(401);
    expect((await get(service, "/networks", { key: null, headers: { "x-api-KEY": "key-a" } })).status).toBe(200);
  });

  it("5.4 401: an unknown or empty key, or one of another length", async () => {
    const service = await started();
    for (const key of ["wrong", "", "key-", "key-aa", "KEY-A"]) {
      expect((await get(service, "/networks", { key })).status).toBe(401);
    }
  });

  it("5.1 X-API-Key: only the header counts", async () => {
    const service = await started();
    const others = { key: null, headers: { Authorization: "Bearer key-a", Cookie: "X-API-Key=key-a" } };
    expect((await get(service, "/networks?X-API-Key=key-a&api_key=key-a", others)).status).toBe(401);
  });

  it("5.3 entitlement: a new key works at once, the old one no longer", async () => {
    const service = await started();
    service.setOrganization("a", { key: "key-c" });
    expect((await get(service, "/networks", { key: "key-a" })).status).toBe(401);
    expect((await get(service, "/networks", { key: "key-c" })).status).toBe(200);
  });

  it("5 secrecy: no response and no record contains the key", async () => {
    const service = await started();
    for (const path of GETS) expect(JSON.stringify((await get(service, path)).json)).not.toContain("key-a");
    await query(service, HOUR);
    expect(JSON.stringify(service.stats)).not.toContain("key-a");
  });
});

describe("8 concurrent requests", () => {
  const SLOW = { fault: { kind: "slow", delayMs: 200 } } as const;

  it("7 429: more concurrent requests than allowed, with Retry-After in seconds; other organizations are not affected", async () => {
    const service = await started({ faults: [SLOW], retryAfterSeconds: 3 });
    const all = await Promise.all([1, 2, 3, 4].map(() => get(service, "/networks", { key: "key-b" })));
    expect(all.map((response) => response.status).toSorted()).toEqual([200, 200, 429, 429]);
    const refused = all.find((response) => response.status === 429)!;
    expect(refused.headers["retry-after"]).toBe("3");
    expect(refused.json).toMatchObject({ message: expect.any(String), code: expect.any(String), details: {} });
    expect(service.stats.putOff).toBe(2);
    expect((await get(service, "/networks", { key: "key-b" })).status).toBe(200);
  });

  it("7 429: all endpoints count together, per organization", async () => {
    const service = await started({ faults: [SLOW] });
    const own = WORLD.stations.find((s) => s.network.code === "BMAST")!.id;
    const responses = await Promise.all([
      query(service, { ...HOUR, station_ids: [own] }, { key: "key-b" }),
      get(service, "/stations", { key: "key-b" }),
      get(service, `/measurements/nearest?station_ids=${own}&data_vars=ztd`, { key: "key-b" }),
      get(service, "/stations", { key: "key-a" }),
    ]);
    expect(responses.map((response) => response.status).toSorted()).toEqual([200, 200, 200, 429]);
    expect(responses[3].status).toBe(200);
  });

  it("7 429: sequential requests are never too many, and a client that disconnects releases its permit", async () => {
    const service = await started();
    service.setOrganization("b", { maxConcurrent: 1 });
    for (let i = 0; i < 200; i++) expect((await get(service, "/networks", { key: "key-b" })).status).toBe(200);
    service.setFaults([{ fault: { kind: "resetInside", afterBytes: 5 }, next: 3 }]);
    for (let i = 0; i < 3; i++) await call(service, "/api/v1/networks", { key: "key-b" }).catch(() => undefined);
    expect((await get(service, "/networks", { key: "key-b" })).status).toBe(200);
    expect(service.stats.underWay).toBe(0);
    // Each permit was released once, not twice.
    service.setFaults([SLOW]);
    const all = await Promise.all([1, 2, 3].map(() => get(service, "/networks", { key: "key-b" })));
    expect(all.map((response) => response.status).toSorted()).toEqual([200, 429, 429]);
  });

  it("7 429: Retry-After as a date, in the past, negative, huge, invalid or missing, as configured", async () => {
    const service = await started({ retryAfterSeconds: 90 });
    service.setOrganization("a", { maxConcurrent: 0 });
    const expected = {
      date: new Date(NOW + 90_000).toUTCString(),
      pastDate: new Date(NOW - 90_000).toUTCString(),
      negative: "-5",
      huge: "1000000000",
      junk: "soon",
      missing: undefined,
    } as const;
    for (const [retryAfterStyle, value] of Object.entries(expected)) {
      service.configure({ retryAfterStyle: retryAfterStyle as keyof typeof expected });
      const { status, headers } = await get(service, "/networks");
      expect([status, headers["retry-after"]]).toEqual([429, value]);
    }
  });
});

describe("the service's clock", () => {
  it("Date: is the service's own time, which tests can change", async () => {
    const service = await started();
    const date = async () => Date.parse((await call(service, "/api/v1/networks")).headers.date!);
    expect(await date()).toBe(NOW);
    service.advanceClock(-86_400_000);
    expect([await date(), service.now()]).toEqual([NOW - 86_400_000, NOW - 86_400_000]);
    expect(jsonOf(await call(service, "/api/v1/nothing", { key: null })).code).toBe("NOT_FOUND");
  });
});
