import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeCost } from "#formats/cost/index.ts";
import { siteCodes } from "#formats/siteCode.ts";
import { readCostFile } from "./costReader.ts";
import { openedSeries, plainRows, seriesBy } from "./open/support.ts";
import { type PlainRow, type PlainSource, regularRows, sourceOf, START_MS, station } from "./sources.ts";
import { mustSucceed, namesIn, scratchFolder } from "./tools.ts";
import { gateCases } from "../support/endurance.ts";

const folder = scratchFolder();
const path = join(folder, "x.dat");
const MINUTES = 15;
const HALF_MS = (MINUTES * 60_000) / 2;
const mean = { intervalSeconds: MINUTES * 60 } as const;

describe("COST-716", () => {
  it("round-trips all rows through an independent reader and the program's own", async () => {
    const cell = fc.option(fc.integer({ min: 0, max: 30_000 }).map((n) => n / 10));
    const row = fc.tuple(fc.nat(300), cell, cell, cell);
    const series = fc.uniqueArray(row, { selector: ([at]) => at, minLength: 1, maxLength: 40 });
    const property = fc.asyncProperty(fc.array(series, { minLength: 1, maxLength: 3 }), async (all) => {
      const rows = all.map((own) =>
        own
          .toSorted(([a], [b]) => a - b)
          .map(([at, ztd, ztd_sigma, pwv]): PlainRow => ({
            timeMs: START_MS + at * MINUTES * 60_000,
            // Other values contradict the unit of the format: the program asks then.
            values: {
              ztd: ztd === null ? null : Math.round((2_000 + (Math.abs(ztd) % 500)) * 10) / 10,
              ztd_sigma,
              pwv,
            },
          })),
      );
      const stations = rows.map((_, i) => station(i));
      mustSucceed(await writeCost(path, sourceOf({ stations, variables: ["ztd", "ztd_sigma", "pwv"], rows, ...mean })));
      const codes = [...siteCodes(stations.map((s) => s.id)).values()];
      const blocks = readCostFile(readFileSync(path, "latin1"));
      const found = codes.map((code) => blocks.filter((b) => b.code === code).flatMap((b) => b.rows));
      const expected = rows.map((own) =>
        own.map(({ timeMs, values: v }) => [timeMs + HALF_MS, v.ztd, v.ztd_sigma, v.pwv]),
      );
      expect(found).toEqual(expected);
      expect(blocks.every((b) => b.firstMs === b.rows[0]![0] && b.minutes === MINUTES)).toBe(true);
      const file = await openedSeries(path);
      for (const [i, own] of expected.entries()) {
        if (own.every(([, ztd]) => ztd === null)) continue;
        const read = plainRows(file, seriesBy(file, codes[i]!, "ZTD"), 0);
        expect(read).toEqual(own.map(([epochMs, ztd]) => [Number(epochMs) / 1_000, ztd]));
      }
      file.close();
    });
    await fc.assert(property, { numRuns: gateCases(40) });
  });

  it("names stations in ASCII with their identifiers and heights, and what is unknown", async () => {
    const heights = { ellipsoidal: 70.5, orthometric: 51.25 };
    const stations = [
      station(0, { displayName: "Heinäniemi", longitudeDeg: -20.5, heights }),
      station(1, { displayName: "Øst 東京", latitudeDeg: null, longitudeDeg: null, height: null }),
    ];
    const rows = [regularRows(2, 1, 900_000), regularRows(1, 2, 900_000)];
    mustSucceed(await writeCost(path, sourceOf({ stations, variables: ["ztd"], rows, ...mean })));
    const blocks = readCostFile(readFileSync(path, "latin1"));
    expect(blocks.map(({ name, place }) => [name, place])).toEqual([
      [`Heinaniemi ${stations[0]!.id}`, [60, -20.5, 70.5, 51.25]],
      [`Ost DongJing ${stations[1]!.id}`, [-999, -999, -999, -999]],
    ]);
  });

  it.each([
    ["every observation", { intervalSeconds: null }, /whole minutes/],
    ["an interval of seconds", { intervalSeconds: 90 }, /whole minutes/],
    ["satellites", { variables: ["ztd", "prn"] }, /no satellites/],
    ["an uncertainty alone", { variables: ["ztd_sigma"] }, /needs ZTD or PWV/],
    ["a value that is too long", { rows: [[{ timeMs: START_MS, values: { ztd: 123_456 } }]] }, /cannot hold/],
    ["a value that means missing", { rows: [[{ timeMs: START_MS, values: { ztd: -9.9 } }]] }, /cannot hold/],
  ] as readonly [string, Partial<PlainSource>, RegExp][])("rejects %s with a message", async (_, change, message) => {
    const plain = { stations: [station(0)], variables: ["ztd"] as const, rows: [[]], ...mean, ...change };
    const result = await writeCost(join(folder, "rejected.dat"), sourceOf(plain));
    expect(result).toMatchObject({ ok: false, error: { kind: "invalid", message: expect.stringMatching(message) } });
    expect(namesIn(folder)).not.toContain("rejected.dat");
  });
});

describe("codes of stations", () => {
  it("are four capital letters and digits, unique, and the same whatever stations come later", () => {
    fc.assert(
      fc.property(fc.array(fc.uuid(), { maxLength: 300 }), fc.array(fc.uuid(), { maxLength: 50 }), (ids, later) => {
        const codes = siteCodes(ids);
        expect(new Set(codes.values()).size).toBe(new Set(ids).size);
        for (const code of codes.values()) expect(code).toMatch(/^[A-Z][A-Z0-9]{3}$/);
        const more = siteCodes([...ids, ...later]);
        expect(ids.map((id) => more.get(id))).toEqual(ids.map((id) => codes.get(id)));
      }),
    );
    // So many that some derive the same code.
    const many = Array.from({ length: 20_000 }, (_, i) => station(i).id);
    expect(new Set(siteCodes(many).values()).size).toBe(many.length);
  });

  it("do not depend on names or neighbours", () => {
    const [first, second, third] = [0, 1, 2].map((i) => station(i).id);
    expect(siteCodes([third!, first!]).get(first!)).toBe(siteCodes([first!, second!]).get(first!));
  });
});
