import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { query, type Wire } from "./call.ts";
import { started, WORLD } from "./start.ts";
import { meansOf } from "./tinyWorld.ts";
import { gateCases } from "../support/endurance.ts";

describe("4.4 intervals", () => {
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
