import { describe, expect, it } from "vitest";
import { nearestQuerySchema, stationsQuerySchema, timeSeriesQuerySchema } from "#shared/service/query.ts";
import { withImpliedVariables } from "#shared/service/variables.ts";

const id = "11111111-2222-4333-8444-555555555555";

function isNearest(more: object): boolean {
  return nearestQuerySchema.safeParse({ station_ids: "all", data_vars: ["ztd"], ...more }).success;
}

function isStations(more: object): boolean {
  return stationsQuerySchema.safeParse(more).success;
}

describe("time series query (specification 4.4)", () => {
  const body = {
    start_time: "2026-01-01T00:00:00Z",
    end_time: "2026-01-02",
    station_ids: [id],
    data_vars: ["ztd"],
  };
  const isValid = (more: object) => timeSeriesQuerySchema.safeParse({ ...body, ...more }).success;

  it("applies the defaults of the specification", () => {
    const query = timeSeriesQuerySchema.parse(body);
    expect([query.raw, query.interval_seconds, query.end_time]).toEqual([false, undefined, Date.UTC(2026, 0, 2)]);
  });

  it("accepts and rejects values as the specification requires", () => {
    expect(isValid({ interval_seconds: 30 })).toBe(true);
    expect(isValid({ station_ids: [id.toUpperCase()] })).toBe(true);
    for (const invalid of [
      { interval_seconds: 29 },
      { interval_seconds: 30.5 },
      { interval_seconds: "30" },
      { station_ids: [] },
      { station_ids: ["not a UUID"] },
      { data_vars: [] },
      { data_vars: ["tec"] },
      { raw: "true" },
      { start_time: "2026-02-30" },
      { end_time: body.start_time },
      { end_time: undefined },
    ]) {
      expect(isValid(invalid), `accepted: ${JSON.stringify(invalid)}`).toBe(false);
    }
  });
});

describe("nearest query (specification 4.5)", () => {
  it("enforces the limits of the window and the station list", () => {
    const seconds = ["59", "60", "86400", "86401", "", "x"];
    expect(seconds.map((within_seconds) => isNearest({ within_seconds }))).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(nearestQuerySchema.parse({ station_ids: [id], data_vars: ["ztd"] }).within_seconds).toBe(3_600);
    expect(isNearest({ station_ids: [] })).toBe(false);
  });
});

describe("stations query (specification 4.1)", () => {
  it("applies the defaults and enforces the limits of the specification", () => {
    expect(stationsQuerySchema.parse({})).toMatchObject({ page: 1, page_size: 20, sort_by: "name", sort_order: "asc" });
    expect(["0", "1", "200", "201"].map((page_size) => isStations({ page_size }))).toEqual([false, true, true, false]);
    expect([isStations({ search: "x".repeat(128) }), isStations({ search: "x".repeat(129) })]).toEqual([true, false]);
    expect([
      isStations({ bbox: [1, 2, 3, 4] }),
      isStations({ bbox: [1, 2, 3] }),
      isStations({ bbox: [1, 2, 3, 4, 5] }),
    ]).toEqual([true, false, false]);
    expect([isStations({ country_code: ["FI", "SE"] }), isStations({ country_code: ["FIN"] })]).toEqual([true, false]);
    expect(isStations({ height_vertical_reference: "NAVD88" })).toBe(false);
  });
});

describe("implied variables (specification 2.4, rule 3)", () => {
  it("include prn for el, az and snr, without duplicates and in order", () => {
    expect(withImpliedVariables(["az", "ztd", "az"])).toEqual(["ztd", "az", "prn"]);
    expect(withImpliedVariables(["pwv", "ztd"])).toEqual(["ztd", "pwv"]);
  });
});
