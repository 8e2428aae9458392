import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeSinexTro } from "#formats/sinex/index.ts";
import { nineCharacterCodes, siteCodes } from "#formats/siteCode.ts";
import { openedSeries, plainRows } from "./open/support.ts";
import { readSinexTro } from "./sinexReader.ts";
import { regularRows, sourceOf, START_MS, station, type PlainRow, type PlainSource } from "./sources.ts";
import { mustSucceed, namesIn, scratchFolder } from "./tools.ts";
import { gateCases } from "../support/endurance.ts";

const folder = scratchFolder();
const path = join(folder, "x.tro");

async function written(plain: PlainSource) {
  const result = mustSucceed(await writeSinexTro(path, sourceOf(plain)));
  return { ...result, file: readSinexTro(readFileSync(path, "latin1")), codes: nineCharacterCodes(plain.stations) };
}

const value = fc.option(
  fc.double({ min: -900, max: 9_999, noNaN: true }).map((v) => Math.round(v * 1000) / 1000 || 0),
  { freq: 5 },
);
const rowsOf = fc.uniqueArray(fc.integer({ min: 0, max: 40_000_000 }), { maxLength: 60 }).chain((seconds) =>
  fc.tuple(
    ...seconds
      .toSorted((a, b) => a - b)
      .map((s) =>
        fc.tuple(value, value, value).map(([ztd, ztd_sigma, pwv]): PlainRow => ({
          timeMs: START_MS + s * 1000,
          values: { ztd, ztd_sigma, pwv },
        })),
      ),
  ),
);

/** Converts by a division, as the reader does, for an identical double. */
function inBaseUnits(value: unknown, factor: number): number | null {
  return typeof value === "number" ? value / factor : null;
}

describe("SINEX_TRO", () => {
  it("round-trips all rows, values and missing values through an independent reader", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowsOf, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(["ztd"] as const, ["ztd", "ztd_sigma"] as const, ["pwv"] as const),
        async (rows, variables) => {
          const plain = { stations: rows.map((_, i) => station(i)), variables, rows, blockRows: 7 };
          const { file, codes } = await written(plain);
          const isDelay = variables[0] === "ztd";
          const expected = rows.flatMap((own, i) =>
            own.map((r) => ({
              code: codes[i],
              timeMs: r.timeMs,
              values: {
                ...(isDelay ? { TROTOT: inBaseUnits(r.values.ztd, 1000) } : { IWV: inBaseUnits(r.values.pwv, 1) }),
                STDDEV: variables.length === 2 ? inBaseUnits(r.values.ztd_sigma, 1000) : null,
              },
            })),
          );
          expect(file.rows).toEqual(expected);
          // Station, epoch, value, uncertainty: the columns that public readers expect.
          for (const line of file.blocks.get("TROP/SOLUTION")!) expect(line.trim().split(/ +/)).toHaveLength(4);
        },
      ),
      { numRuns: gateCases(60) },
    );
  });

  it("rounds any double correctly to three decimals", async () => {
    // A product would round halves of a thousandth, and doubles next to them, differently.
    const half = fc.integer({ min: 0, max: 19_999_990 }).map((n) => n / 2000);
    const near = fc.tuple(half, fc.constantFrom(1, 1 - 2 ** -53, 1 + 2 ** -52)).map(([v, factor]) => v * factor);
    const any = fc.double({ min: -998.9, max: 9_999.9, noNaN: true });
    const property = fc.asyncProperty(
      fc.array(fc.oneof(near, any), { minLength: 50, maxLength: 50 }),
      async (values) => {
        const rows = values.map((ztd, i): PlainRow => ({ timeMs: START_MS + i * 1000, values: { ztd } }));
        const { file } = await written({ stations: [station(0)], variables: ["ztd"], rows: [rows] });
        const texts = file.blocks.get("TROP/SOLUTION")!.map((line) => line.slice(26, 34));
        expect(texts).toEqual(values.map((v) => v.toFixed(3).padStart(8)));
      },
    );
    await fc.assert(property, { numRuns: gateCases(40) });
  });

  it("describes stations, heights, coordinates and station codes", async () => {
    const plain: PlainSource = {
      stations: [
        station(0, { displayName: "Heinäniemi Ø", longitudeDeg: -20.5 }),
        station(1, { displayName: "とうきょう\n1", countryCode: "JP", heightReference: "EGM2008" }),
        station(2, { displayName: "", latitudeDeg: null, longitudeDeg: null, height: null, countryCode: "" }),
      ],
      variables: ["ztd", "ztd_sigma"],
      rows: [regularRows(3, 1), [], regularRows(2, 2, 300_000)],
    };
    const { file, codes } = await written(plain);
    const own = [...siteCodes(plain.stations.map((s) => s.id)).values()];
    expect(codes).toEqual(["FIN", "JPN", "XXX"].map((country, i) => `${own[i]}00${country}`));
    expect(file.header).toEqual({ firstMs: START_MS, lastMs: START_MS + 300_000, content: "MIX" });
    expect(file.description.get("TROPO SAMPLING INTERVAL")).toBe("30");
    expect(file.sites).toEqual([
      {
        id: plain.stations[0]!.id,
        code: codes[0],
        description: "Heinaniemi O",
        longitudeDeg: 339.5,
        latitudeDeg: 60,
        ellipsoidalM: 50.25,
        meanSeaLevelM: null,
      },
      {
        id: plain.stations[1]!.id,
        code: codes[1],
        description: "toukiyou 1",
        longitudeDeg: 20.5,
        latitudeDeg: 60.001,
        ellipsoidalM: null,
        meanSeaLevelM: 51.25,
      },
      {
        id: plain.stations[2]!.id,
        code: codes[2],
        description: "",
        longitudeDeg: null,
        latitudeDeg: null,
        ellipsoidalM: null,
        meanSeaLevelM: null,
      },
    ]);
    // By hand: N = a / sqrt(1 - e² sin² 60°) = 6394209.174 m.
    const [x, y, z] = file.coordinates.get(codes[0]!)!;
    expect(Math.hypot(x, y)).toBeCloseTo((6_394_209.1738 + 50.25) * 0.5, 2);
    expect((Math.atan2(y, x) * 180) / Math.PI).toBeCloseTo(-20.5, 6);
    expect(z).toBeCloseTo((6_394_209.1738 * (1 - 0.00669437999014) + 50.25) * Math.sin(Math.PI / 3), 2);
    expect(file.coordinates.size).toBe(1);
    expect(file.description.get("GEOID MODEL")).toBe("EGM2008");
    for (const line of file.blocks.get("SITE/ID")!) expect(line.slice(14, 23)).toBe("XXXXXXXXX");
    const comment = file.blocks.get("FILE/COMMENT")!.join("\n");
    expect(file.sites.map((site) => site.id)).toEqual(plain.stations.map((s) => s.id));
    expect(comment.replaceAll("\n ", " ")).toContain("GPS time is 18 s ahead of UTC");
    expect(comment.replaceAll("\n ", " ")).toContain("sampling 300 s");
    const reference = file.blocks.get("FILE/REFERENCE")!;
    expect(reference.join("\n")).toContain("Zenith Desk 0.0.0");
    expect(reference.find((line) => line.startsWith(" DESCRIPTION"))).toMatch(/ Test institute$/);
    for (const name of ["FILE/REFERENCE", "FILE/COMMENT", "TROP/DESCRIPTION"])
      for (const line of file.blocks.get(name)!) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("has both heights and Cartesian coordinates, also if the orthometric height is exported", async () => {
    const heights = { ellipsoidal: 70.5, orthometric: 51.25 };
    const plain: PlainSource = {
      stations: [station(0, { heightReference: "EGM2008", height: 51.25, heights })],
      variables: ["ztd"],
      rows: [regularRows(2, 1)],
    };
    const { file, codes } = await written(plain);
    expect(file.sites[0]).toMatchObject({ ellipsoidalM: 70.5, meanSeaLevelM: 51.25 });
    const [x, y] = file.coordinates.get(codes[0]!)!;
    expect(Math.hypot(x, y)).toBeCloseTo((6_394_209.1738 + 70.5) * 0.5, 2);
  });

  it("dates a mean at the middle of its interval", async () => {
    const rows = regularRows(3, 1, 300_000);
    const { file } = await written({ stations: [station(0)], variables: ["ztd"], rows: [rows], intervalSeconds: 300 });
    expect(file.rows.map((r) => r.timeMs)).toEqual(rows.map((r) => r.timeMs + 150_000));
    expect(file.header).toMatchObject({ firstMs: START_MS + 150_000, lastMs: START_MS + 750_000 });
    expect(file.description.get("TROPO SAMPLING INTERVAL")).toBe("300");
    expect(file.description.has("GEOID MODEL")).toBe(false);
  });

  it("has the epochs in GPS time if asked to, which readers convert", async () => {
    const leapMs = Date.UTC(2017, 0, 1);
    const rows = [-60_000, 0].map((ms): PlainRow => ({ timeMs: leapMs + ms, values: { ztd: 2_300 } }));
    const plain: PlainSource = { stations: [station(0)], variables: ["ztd"], rows: [rows] };
    mustSucceed(await writeSinexTro(path, sourceOf(plain), { timeSystem: "gps" }));
    const file = readSinexTro(readFileSync(path, "latin1"));
    expect(file.description.get("TIME SYSTEM")).toBe("G");
    expect(file.rows.map((r) => r.timeMs - leapMs)).toEqual([-60_000 + 17_000, 18_000]);
    const read = await openedSeries(path);
    expect(plainRows(read, read.series[0]!, leapMs).map(([seconds]) => seconds)).toEqual([-60, 0]);
    read.close();
  });

  it.each([
    ["satellites", ["ztd", "prn"] as const, [{ timeMs: START_MS, values: { ztd: 1, prn: "G01" } }], /no satellites/],
    ["an uncertainty without its delay", ["ztd_sigma"] as const, [], /choose ZTD/],
    ["fractions of a second", ["ztd"] as const, [{ timeMs: START_MS + 500, values: { ztd: 1 } }], /whole seconds/],
    ["a value that is too long", ["ztd"] as const, [{ timeMs: START_MS, values: { ztd: 12_345 } }], /12345 at 2026/],
    ["a value that means missing", ["ztd"] as const, [{ timeMs: START_MS, values: { ztd: -999 } }], /cannot hold/],
    [
      "an infinite value",
      ["ztd"] as const,
      [{ timeMs: START_MS, values: { ztd: Number.POSITIVE_INFINITY } }],
      /cannot hold/,
    ],
  ])("rejects %s with a message", async (_, variables, rows, message) => {
    const rejected = join(folder, "rejected.tro");
    const result = await writeSinexTro(rejected, sourceOf({ stations: [station(0)], variables, rows: [rows] }));
    expect(result).toMatchObject({ ok: false, error: { kind: "invalid", message: expect.stringMatching(message) } });
    expect(namesIn(folder)).not.toContain("rejected.tro");
  });
});
