import { describe, expect, it } from "vitest";
import { callQuery, query } from "./call.ts";
import { started, WORLD } from "./start.ts";

const THIRTY = WORLD.stations.filter((s) => s.resolutionSeconds === 30).map((s) => s.id);
const days = (n: number) => ({
  start_time: "2026-01-01T00:00:00Z",
  end_time: new Date(Date.UTC(2026, 0, 1 + n)).toISOString(),
  data_vars: ["ztd"],
});

async function points(body: object): Promise<number> {
  const service = await started();
  await query(service, body);
  return service.stats.log.at(-1)!.points!;
}

describe("8 size of a query", () => {
  it.each([
    [1, 1, {}, 2_880],
    [1, 7, { interval_seconds: 900 }, 672],
    [10, 3, { interval_seconds: 3600 }, 720],
  ])("8: %i stations, %i days at 30 s or averaged, %j = %i", async (stations, n, interval, expected) => {
    expect(await points({ ...days(n), station_ids: THIRTY.slice(0, stations), ...interval })).toBe(expected);
  });

  it("8 epoch: the resolution of each station; an interval counts only if it is longer", async () => {
    const stream = WORLD.stations.find((s) => s.resolutionSeconds === 1)!;
    const ids = [stream.id, THIRTY[0]!];
    expect(await points({ ...days(1), station_ids: ids })).toBe(86_400 + 2_880);
    expect(await points({ ...days(1), station_ids: ids, interval_seconds: 30 })).toBe(2 * 2_880);
  });

  it("8 epoch: the service uses the native rate of a station listed as 0", async () => {
    const five = WORLD.stations.find((s) => s.resolutionSeconds === 0 && s.nativeSeconds === 5)!;
    expect(await points({ ...days(1), station_ids: [five.id] })).toBe(17_280);
  });

  it("8 size: the number of variables and the existence of data do not count", async () => {
    const silent = WORLD.stations.find((s) => s.firstDataMs === null)!;
    const body = { ...days(1), station_ids: [silent.id], data_vars: ["ztd", "pwv", "snr", "ztd_sigma"] };
    expect(await points(body)).toBe(2_880);
  });
});

describe("8 data-point limit", () => {
  it("7 413: over the limit, before the query runs, with the limit in the message", async () => {
    const service = await started({ organizations: [{ key: "key-a", name: "a", maxPoints: 100_000 }] });
    const body = { ...days(3600), station_ids: THIRTY.slice(0, 3), data_vars: ["ztd"] };
    const { status, json } = await query(service, body);
    expect(status).toBe(413);
    expect(json).toEqual({
      error: "The query has 31,104,000 data points; the limit of your organization is 100,000 data points.",
    });
    expect(service.stats.rows).toBe(0);
  });

  it("8 limit: exactly the limit passes, one more does not; each organization has a limit, which can change", async () => {
    const service = await started();
    const ask = async (key: string, end_time: string) => {
      const station = WORLD.stations.find((s) => s.network.code === "BMAST" && s.resolutionSeconds === 30)!;
      return (await query(service, { ...days(1), end_time, station_ids: [station.id] }, { key })).status;
    };
    const atLimit = new Date(Date.UTC(2026, 0, 1) + 1_000 * 30_000).toISOString();
    const beyond = new Date(Date.UTC(2026, 0, 1) + 1_001 * 30_000).toISOString();
    expect([await ask("key-b", atLimit), await ask("key-b", beyond), await ask("key-a", beyond)]).toEqual([
      200, 413, 200,
    ]);
    service.setOrganization("b", { maxPoints: 1_001 });
    expect(await ask("key-b", beyond)).toBe(200);
  });

  it("7 413: the limit can be stated in other ways, or not at all", async () => {
    const service = await started({ organizations: [{ key: "key-a", name: "a", maxPoints: 100_000 }] });
    service.configure({ limitStyle: "html" });
    const page = await callQuery(service, { ...days(3600), station_ids: THIRTY.slice(0, 3) });
    expect([page.status, page.headers["content-type"]]).toEqual([413, "text/html; charset=utf-8"]);
    expect(page.body.toString()).toContain("100,000 data points");
    for (const [limitStyle, text] of [
      ["plain", "100000 data points"],
      ["spaces", "100 000 data points"],
      ["exponent", "1e5 data points"],
      ["absent", "too large"],
    ] as const) {
      service.configure({ limitStyle });
      const { status, json } = await query(service, { ...days(3600), station_ids: THIRTY.slice(0, 3) });
      expect([status, json.error]).toEqual([413, expect.stringContaining(text)]);
    }
  });
});

describe("8 processing deadline", () => {
  it("7 408: a query that would exceed the deadline at the configured speed", async () => {
    const service = await started({
      pointsPerSecond: 1_000,
      organizations: [{ key: "key-a", name: "a", deadlineMs: 2_880 }],
    });
    const ask = (n: number) => query(service, { ...days(n), station_ids: THIRTY.slice(0, 1) });
    expect((await ask(1)).status).toBe(200);
    const { status, json } = await ask(2);
    expect([status, Object.keys(json)]).toEqual([408, ["error"]]);
  });

  it("7 408: a query that exceeds the deadline before its response begins", async () => {
    const service = await started({ organizations: [{ key: "key-a", name: "a", maxPoints: null, deadlineMs: 1 }] });
    const body = { ...days(300), station_ids: THIRTY.slice(0, 20), interval_seconds: 86_400 };
    expect((await query(service, body)).status).toBe(408);
  });
});
