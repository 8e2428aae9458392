import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { query, type Wire } from "./call.ts";
import { started, WORLD } from "./start.ts";
import { meansOf, tinyWorld, uuid } from "./tinyWorld.ts";

const at = (time: string): string => `2026-01-01T${time}.000Z`;
const RANGE = { start_time: at("00:00:00"), end_time: at("02:00:00"), station_ids: [uuid(1)] };

describe("4.4 intervals", () => {
  it("4.4 intervals 1: one row per station and interval, its time the start, aligned to UTC", async () => {
    const epochs = ["00:00:30", "00:14:30", "00:15:00", "00:50:00"].map((t, i) => ({ time: at(t), ztd: i + 1 }));
    const service = await started({ world: tinyWorld([{ epochs }]) });
    const { json } = await query(service, { ...RANGE, data_vars: ["ztd"], interval_seconds: 900 });
    expect(json.data.map((r: Wire) => [r.timestamp, r.ztd])).toEqual([
      [at("00:00:00"), 1.5],
      [at("00:15:00"), 3],
      [at("00:45:00"), 4],
    ]);
    expect(json.count).toBe(3);
  });

  it("4.4 intervals 1: alignment to the UTC epoch, also if the interval does not divide a day", async () => {
    const service = await started();
    const body = {
      start_time: "2026-01-01T00:00:00Z",
      end_time: "2026-01-03T00:00:00Z",
      station_ids: [WORLD.stations[0]!.id],
    };
    const { json } = await query(service, { ...body, data_vars: ["ztd"], interval_seconds: 5000 });
    for (const row of json.data) expect(Date.parse(row.timestamp) % 5_000_000).toBe(0);
  });

  it("4.4 intervals 2: the mean of the existing values, not rounded", async () => {
    const epochs = [
      { time: at("00:00:00"), ztd: 2300.1, sigma: 1.1, pwv: 10.1 },
      { time: at("00:00:30"), ztd: 2300.2, sigma: 1.2 },
      { time: at("00:01:00"), ztd: 2300.4, sigma: 1.4 },
    ];
    const service = await started({ world: tinyWorld([{ epochs }]) });
    const { json } = await query(service, { ...RANGE, data_vars: ["ztd", "ztd_sigma", "pwv"], interval_seconds: 900 });
    const [row] = json.data;
    expect(row.ztd).toBe((2300.1 + 2300.2 + 2300.4) / 3);
    expect(row.ztd_sigma).toBe((1.1 + 1.2 + 1.4) / 3);
    expect(row.pwv).toBe(10.1);
  });

  it("4.4 intervals 3: satellites are those of the first observation that passes", async () => {
    const epochs = [
      { time: at("00:00:00"), ztd: 1, satellites: 9, quality: "jamming" as const },
      { time: at("00:00:30"), ztd: 2, satellites: 1 },
      { time: at("00:01:00"), ztd: 3, satellites: 2 },
    ];
    const service = await started({ world: tinyWorld([{ epochs }]) });
    const ask = async (raw: boolean) =>
      (await query(service, { ...RANGE, data_vars: ["snr", "el", "az"], interval_seconds: 900, raw })).json.data;
    expect(await ask(false)).toEqual([
      {
        timestamp: at("00:00:00"),
        station_id: uuid(1),
        display_name: "Station 1",
        snr: "40.0/30.0",
        el: "10.5",
        az: "100.5",
        prn: "G01",
      },
    ]);
    expect((await ask(true))[0].prn.split(",").length).toBe(9);
  });

  it("4.4 intervals 4: the quality filter applies before the mean", async () => {
    const epochs = [
      { time: at("00:00:00"), ztd: 2300 },
      { time: at("00:00:30"), ztd: 9999, quality: "convergence" as const },
      { time: at("00:20:00"), ztd: 9999, quality: "convergence" as const },
    ];
    const service = await started({ world: tinyWorld([{ epochs }]) });
    const ask = async (raw: boolean) =>
      (await query(service, { ...RANGE, data_vars: ["ztd"], interval_seconds: 900, raw })).json.data.map(
        (r: Wire) => r.ztd,
      );
    expect(await ask(false)).toEqual([2300]);
    expect(await ask(true)).toEqual([(2300 + 9999) / 2, 9999]);
  });

  it("4.4 intervals 5: no row for an interval without an observation, per station", async () => {
    const epochs = [
      { time: at("00:00:00"), ztd: 1 },
      { time: at("01:00:00"), ztd: 2 },
    ];
    const other = [{ time: at("00:30:00"), ztd: 3 }];
    const service = await started({ world: tinyWorld([{ epochs }, { epochs: other }]) });
    const body = { ...RANGE, station_ids: [uuid(1), uuid(2)], data_vars: ["ztd"], interval_seconds: 1800 };
    const { json } = await query(service, body);
    expect(json.data.map((r: Wire) => [r.timestamp, r.station_id])).toEqual([
      [at("00:00:00"), uuid(1)],
      [at("00:30:00"), uuid(2)],
      [at("01:00:00"), uuid(1)],
    ]);
  });

  it("4.4 intervals: a partial first or last interval has only observations within the range", async () => {
    const epochs = ["00:10:00", "00:20:00", "00:50:00", "01:10:00"].map((t, i) => ({ time: at(t), ztd: i + 1 }));
    const service = await started({ world: tinyWorld([{ epochs }]) });
    const body = { ...RANGE, start_time: at("00:15:00"), end_time: at("01:05:00"), data_vars: ["ztd"] };
    const { json } = await query(service, { ...body, interval_seconds: 3600 });
    expect(json.data.map((r: Wire) => [r.timestamp, r.ztd])).toEqual([[at("00:00:00"), 2.5]]);
  });

  it("4.4 intervals: any means equal an independent computation from raw native rows, bit for bit", async () => {
    const service = await started();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 66 }),
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 1, max: 15_000 }),
        fc.integer({ min: 30, max: 40_000 }),
        fc.constantFrom<string[]>(["ztd", "ztd_sigma", "pwv"], ["pwv"], ["ztd", "prn", "el"]),
        fc.constantFrom<number | null>(1, null),
        async (first, startSeconds, lengthSeconds, interval_seconds, data_vars, decimals) => {
          service.configure({ decimals });
          const stations = [
            WORLD.stations[first]!,
            WORLD.stations[(first + 9) % 67]!,
            WORLD.stations[(first + 30) % 67]!,
          ];
          const startMs = Date.UTC(2026, 0, 5) + startSeconds * 1000;
          const satellites = data_vars.includes("el");
          const body = {
            start_time: new Date(startMs).toISOString(),
            end_time: new Date(startMs + (satellites ? lengthSeconds % 1800 : lengthSeconds) * 1000 + 1).toISOString(),
            station_ids: stations.map((s) => s.id),
            data_vars,
          };
          const means = (await query(service, { ...body, interval_seconds })).json.data as Wire[];
          const raw = (await query(service, { ...body, raw: true })).json.data as Wire[];
          const passing = raw.filter(
            (r) => WORLD.explain(WORLD.station(r.station_id)!, Date.parse(r.timestamp)) === "none",
          );
          const fields = means.length > 0 ? Object.keys(means[0]).slice(3) : data_vars;
          const order = (r: Wire): string => `${r.timestamp} ${body.station_ids.indexOf(r.station_id)}`;
          const expected = meansOf(passing, fields, interval_seconds);
          expect(means).toEqual(expected.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)));
        },
      ),
      { numRuns: 30 },
    );
  });
});
