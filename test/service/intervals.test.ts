import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { query, type Wire } from "./call.ts";
import { started, WORLD } from "./start.ts";
import { meansOf, tinyWorld, uuid } from "./tinyWorld.ts";
import { gateCases } from "../support/endurance.ts";

const at = (time: string): string => `2026-01-01T${time}.000Z`;
const RANGE = { start_time: at("00:00:00"), end_time: at("02:00:00"), station_ids: [uuid(1)] };

describe("4.4 intervals", () => {
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
      { numRuns: gateCases(30) },
    );
  });
});
