import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunningService } from "#service/index.ts";
import { get, query, type Wire } from "./call.ts";
import { NOW, started, WORLD } from "./start.ts";
import { tinyWorld, uuid } from "./tinyWorld.ts";
import { gateCases } from "../support/endurance.ts";

const at = (time: string): string => `2026-01-01T${time}Z`;
const iso = (time: string): string => new Date(at(time)).toISOString();

async function nearest(service: RunningService, parameters: Record<string, string>): Promise<Wire> {
  const all = new URLSearchParams({ station_ids: "all", data_vars: "ztd", ...parameters });
  const { status, json } = await get(service, `/measurements/nearest?${all}`);
  return { status, ...json, times: json.data?.map((r: Wire) => r.timestamp) };
}

describe("4.5 GET /measurements/nearest", () => {
  it("4.5 response: requested time, rows, count and missing stations", async () => {
    const epochs = [{ time: at("01:00:00"), ztd: 2300.1, pwv: 9.9, satellites: 1 }];
    const service = await started({ world: tinyWorld([{ epochs }, {}]) });
    const { json } = await get(
      service,
      `/measurements/nearest?station_ids=${uuid(1)},${uuid(2)}&data_vars=pwv,el,ztd&time=${at("01:00:10")}`,
    );
    expect(json).toEqual({
      time: iso("01:00:10"),
      data: [
        {
          timestamp: iso("01:00:00"),
          station_id: uuid(1),
          display_name: "Station 1",
          pwv: 9.9,
          el: "10.5",
          ztd: 2300.1,
          prn: "G01",
        },
      ],
      count: 1,
      missing_station_ids: [uuid(2)],
    });
    expect(Object.keys(json.data[0])).toEqual(["timestamp", "station_id", "display_name", "pwv", "el", "ztd", "prn"]);
  });

  it("4.5 station_ids: all is every station of the organization", async () => {
    const service = await started();
    const { json } = await get(service, "/measurements/nearest?station_ids=all&data_vars=ztd", { key: "key-b" });
    const own = WORLD.stations.filter((s) => s.network.code === "BMAST").map((s) => s.id);
    const listed = [...json.data.map((r: Wire) => r.station_id), ...json.missing_station_ids];
    expect(listed.toSorted()).toEqual(own.toSorted());
    expect(json.missing_station_ids).toContain(WORLD.stations.find((s) => s.firstDataMs === null)!.id);
  });

  it("4.5 station_ids: 403 for a station outside the entitlement, 400 for an invalid list", async () => {
    const service = await started();
    const foreign = WORLD.stations.find((s) => s.network.code !== "BMAST")!.id;
    const ask = (ids: string) =>
      get(service, `/measurements/nearest?station_ids=${ids}&data_vars=ztd`, { key: "key-b" });
    expect((await ask(foreign)).status).toBe(403);
    for (const bad of ["", "ALL", "abc", `${foreign},`, `all,${foreign}`]) expect((await ask(bad)).status).toBe(400);
  });

  it("4.5 required: station_ids and data_vars, of the table only", async () => {
    const service = await started();
    for (const bad of "station_ids=all data_vars=ztd station_ids=all&data_vars= station_ids=all&data_vars=ztd,iwv".split(
      " ",
    )) {
      const { status, json } = await get(service, `/measurements/nearest?${bad}`);
      expect([bad, status, Object.keys(json)]).toEqual([bad, 400, ["error"]]);
    }
  });

  it("4.5 within_seconds: 60 to 86400, 3600 by default, and applies exactly on both sides", async () => {
    const service = await started({ world: tinyWorld([{ epochs: [{ time: at("12:00:00"), ztd: 1 }] }]) });
    const found = async (time: string, within?: string) =>
      (await nearest(service, { time: at(time), ...(within ? { within_seconds: within } : {}) })).count;
    expect([await found("11:00:00"), await found("13:00:00")]).toEqual([1, 1]);
    expect([await found("10:59:59.999"), await found("13:00:00.001")]).toEqual([0, 0]);
    expect([
      await found("12:01:00", "60"),
      await found("12:01:00.001", "60"),
      await found("11:58:59.999", "60"),
    ]).toEqual([1, 0, 0]);
    for (const [within, status] of [
      ["59", 400],
      ["60", 200],
      ["86400", 200],
      ["86401", 400],
      ["1e3", 400],
      ["", 400],
    ] as const) {
      expect([within, (await nearest(service, { within_seconds: within })).status]).toEqual([within, status]);
    }
  });

  it("4.5 time: the latest observation before now by default", async () => {
    const epochs = [
      { time: at("11:00:00"), ztd: 1 },
      { time: at("11:30:00"), ztd: 2 },
      { time: at("12:00:01"), ztd: 3 },
    ];
    const service = await started({ world: tinyWorld([{ epochs }]), now: () => Date.parse(at("12:00:00")) });
    const response = await nearest(service, {});
    expect([response.time, response.times]).toEqual([iso("12:00:00"), [iso("11:30:00")]]);
    service.advanceClock(1_000);
    expect((await nearest(service, {})).times).toEqual([iso("12:00:01")]);
    service.advanceClock(3_600_000);
    expect((await nearest(service, {})).times).toEqual([iso("12:00:01")]);
    service.advanceClock(1);
    expect((await nearest(service, {})).missing_station_ids).toEqual([uuid(1)]);
  });

  it("4.5 time: any ISO 8601 moment, else 400", async () => {
    const service = await started({ world: tinyWorld([{ epochs: [{ time: at("12:00:00"), ztd: 1 }] }]) });
    expect((await nearest(service, { time: "2026-01-01T14:00:00+02:00" })).time).toBe(iso("12:00:00"));
    for (const bad of ["noon", "2026-13-01T00:00:00Z", ""])
      expect((await nearest(service, { time: bad })).status).toBe(400);
  });

  it("4.5.1 ties: of two equally near rows, the earlier one", async () => {
    const epochs = [
      { time: at("12:00:00"), ztd: 1 },
      { time: at("12:01:00"), ztd: 2 },
    ];
    const service = await started({ world: tinyWorld([{ epochs }]) });
    const found = async (time: string) => (await nearest(service, { time: at(time) })).times;
    expect(await found("12:00:30")).toEqual([iso("12:00:00")]);
    expect(await found("12:00:30.001")).toEqual([iso("12:01:00")]);
    expect(await found("12:01:00")).toEqual([iso("12:01:00")]);
  });

  it("4.5.2 filter: the nearest observation can be further away than the nearest raw one", async () => {
    const epochs = [
      { time: at("11:50:00"), ztd: 1 },
      { time: at("12:00:00"), ztd: 2, quality: "jamming" as const },
    ];
    const service = await started({ world: tinyWorld([{ epochs }]) });
    const found = async (raw: string) => (await nearest(service, { time: at("12:00:10"), raw })).times;
    expect([await found("false"), await found("true")]).toEqual([[iso("11:50:00")], [iso("12:00:00")]]);
    expect((await nearest(service, { time: at("12:00:10"), within_seconds: "60" })).missing_station_ids).toEqual([
      uuid(1),
    ]);
    const rows = async (raw: string) => {
      const { status, times } = await nearest(service, { raw, time: at("12:00:10") });
      return status === 200 ? times : status;
    };
    const [filtered, unfiltered] = [await rows("false"), await rows("true")];
    expect(filtered).not.toEqual(unfiltered);
    for (const raw of ["0", "False", "FALSE"]) expect([raw, await rows(raw)]).toEqual([raw, filtered]);
    for (const raw of ["1", "True", "TRUE"]) expect([raw, await rows(raw)]).toEqual([raw, unfiltered]);
    for (const raw of ["yes", "2", "", "on"]) expect([raw, await rows(raw)]).toEqual([raw, 400]);
  });

  it("4.5.3 data_last_updated: the time of the latest raw observation", async () => {
    const service = await started();
    const response = await nearest(service, { raw: "true", within_seconds: "86400" });
    const { json } = await get(service, "/stations?page_size=200");
    const updated = new Map(json.stations.map((s: Wire) => [s.id, s.data_last_updated]));
    expect(response.count).toBeGreaterThan(60);
    for (const row of response.data) expect(row.timestamp).toBe(updated.get(row.station_id));
  });

  it("4.5 nearest: any moment equals a search through the time series", async () => {
    const service = await started();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 66 }),
        fc.integer({ min: 0, max: 20 * 86_400_000 }),
        fc.integer({ min: 60, max: 7_000 }),
        fc.boolean(),
        fc.constantFrom("ztd", "pwv"),
        async (index, offset, within, raw, variable) => {
          const station = WORLD.stations[index]!;
          const timeMs = NOW - offset;
          const response = await nearest(service, {
            station_ids: station.id,
            data_vars: variable,
            time: new Date(timeMs).toISOString(),
            within_seconds: String(within),
            raw: String(raw),
          });
          const around = await query(service, {
            start_time: new Date(timeMs - within * 1000).toISOString(),
            end_time: new Date(timeMs + within * 1000 + 1).toISOString(),
            station_ids: [station.id],
            data_vars: [variable],
            raw,
          });
          const distance = (r: Wire) => Math.abs(Date.parse(r.timestamp) - timeMs);
          const [best] = around.json.data.toSorted((a: Wire, b: Wire) => distance(a) - distance(b));
          expect(response.data).toEqual(best === undefined ? [] : [best]);
        },
      ),
      { numRuns: gateCases(60) },
    );
  });
});
