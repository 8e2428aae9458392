import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeSatelliteCsv } from "#formats/csv/index.ts";
import { BandRegistry } from "#shared/satellites/cn0.ts";
import { writeSatelliteNetcdf } from "#formats/netcdf/satellites/write.ts";
import { SatelliteParser } from "#shared/satellites/parse.ts";
import { readCsv } from "./csvReader.ts";
import { opened } from "./readBack.ts";
import { sourceOf, START_MS, station, type PlainRow } from "./sources.ts";
import { mustSucceed, scratchFolder } from "./tools.ts";
import { gateCases } from "../support/endurance.ts";

const folder = scratchFolder();

function parsed(prn: string | null, snr: string | null, el: string | null = null) {
  const bands = new BandRegistry();
  const parser = new SatelliteParser(bands);
  const row = parser.parse(prn, el, null, snr);
  return {
    prns: row.prns,
    el: [...row.elevationDeg],
    cn0: Object.fromEntries(bands.names.map((name, b) => [name, [...row.cn0DbHz[b]!]])),
    problems: parser.problems,
  };
}

const NONE = Number.NaN;

describe("satellite lists", () => {
  it.each([
    ["one value each", "45.1,44", { 1: [45.1, 44] }],
    ["spaces and a comma at the end", " 45.1 , 44 ,", { 1: [45.1, 44] }],
    ["bands separated by /", "45/38,44/37", { 1: [45, 44], 2: [38, 37] }],
    ["bands separated by |", "45|38,44|37", { 1: [45, 44], 2: [38, 37] }],
    ["bands separated by ;", "45;38,44;37", { 1: [45, 44], 2: [38, 37] }],
    ["bands separated by :", "45:38,44:37", { 1: [45, 44], 2: [38, 37] }],
    ["a band missing", "45/38,44", { 1: [45, 44], 2: [38, NONE] }],
    ["a band empty", "45/,/37", { 1: [45, NONE], 2: [NONE, 37] }],
    ["a flat list, satellite by satellite", "45,38,44,37", { 1: [45, 44], 2: [38, 37] }],
    ["one list per band", "45,44;38,37", { 1: [45, 44], 2: [38, 37] }],
    ["named bands", "L1=45/L2=38,L2=37/L1=44", { l1: [45, 44], l2: [38, 37] }],
    ["missing values", "NaN,-", {}],
    ["a satellite without a value", ",44", { 1: [NONE, 44] }],
  ])("are parsed: %s", (_, snr, expected) => {
    expect(parsed("G01,R05", snr)).toMatchObject({ cn0: expected, problems: {} });
  });

  it.each([
    ["a wrong number of values", "45,44,43", { countMismatch: 1 }, {}],
    ["too few values", "45.1", { countMismatch: 1 }, {}],
    ["a word", "45,strong", { unreadableValue: 1 }, { 1: [45, NONE] }],
    ["an incomplete item", "L1:45,44", { unreadableValue: 1 }, { 1: [NONE, 44] }],
    ["hexadecimal", "0x2D,44", { unreadableValue: 1 }, { 1: [NONE, 44] }],
    ["out of range", "1e999,44", { unreadableValue: 1 }, { 1: [NONE, 44] }],
    ["the same band twice", "L1=45/L1=46,L1=44", { unreadableValue: 1 }, { l1: [NONE, 44] }],
  ])("with errors are reported: %s", (_, snr, problems, cn0) => {
    expect(parsed("G01,R05", snr)).toMatchObject({ problems, cn0 });
  });

  it("with missing, invalid or duplicate names are reported", () => {
    expect(parsed(null, "45").problems).toEqual({ noSatellites: 1 });
    expect(parsed("G01,,R 5,<b>", "1,2,3,4")).toMatchObject({ prns: ["G01"], problems: { unreadableSatellite: 3 } });
    const twice = parsed("G01,G01,R05", "45,44,43", "1,2,3");
    expect(twice).toMatchObject({ prns: ["G01", "R05"], problems: { duplicateSatellite: 1 } });
    expect(parsed("G01", null, "10,20").problems).toEqual({ countMismatch: 1 });
    expect(parsed(null, null)).toEqual({ prns: [], el: [], cn0: {}, problems: {} });
  });

  it("are parsed to the numbers that JavaScript reads", () => {
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789."), minLength: 1, maxLength: 18 });
    const decimal = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String);
    fc.assert(
      fc.property(fc.oneof(digits, decimal), (text) => {
        const valid = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(text);
        expect(parsed("G01", null, text)).toMatchObject({
          el: [valid ? Number(text) : NONE],
          problems: valid ? {} : { unreadableValue: 1 },
        });
      }),
      { numRuns: gateCases(3_000) },
    );
  });

  it("do not stop the parser, for any text", () => {
    const text = fc.option(
      fc.string({ unit: fc.constantFrom("1", ".", "-", ",", "/", ";", "|", "=", "L", " ", "e", "\0") }),
    );
    fc.assert(
      fc.property(text, text, text, (prn, snr, el) => {
        const { prns, cn0 } = parsed(prn, snr, el);
        expect(new Set(prns).size).toBe(prns.length);
        expect(Object.keys(cn0).length).toBeLessThanOrEqual(16);
      }),
      { numRuns: gateCases(3_000) },
    );
  });
});

/** Satellites that appear and disappear, so that every pair has a different number of rows. */
function skyRows(epochs: number, seed: number): PlainRow[] {
  return Array.from({ length: epochs }, (_, i) => {
    const prns = ["G01", "E11", "R05", "C23"].filter((_, s) => (i + seed + 37 * s) % 100 < 60 + 10 * s);
    const list = (of: (s: number) => string | number) => prns.map((_, s) => of(s)).join(",");
    return {
      timeMs: START_MS + i * 30_000,
      values: {
        prn: prns.join(","),
        el: list((s) => 10 + s + (i % 10) / 10),
        az: list((s) => (s * 90 + i) % 360),
        snr: list((s) => (s === 1 ? "44.5" : `45.${i % 10}/38.${s}`)),
      },
    };
  });
}

/** The expected rows: station, satellite, time, elevation, azimuth, two bands. */
function observations(rows: readonly (readonly PlainRow[])[]): unknown[][] {
  return rows.flatMap((own, s) =>
    own.flatMap((row) => {
      const column = (name: "prn" | "el" | "az" | "snr") => String(row.values[name]).split(",");
      return column("prn")
        .map((prn, k) => {
          const [one, two] = column("snr")[k]!.split("/");
          return [
            station(s).id,
            prn,
            row.timeMs,
            Number(column("el")[k]),
            Number(column("az")[k]),
            Number(one),
            two ? Number(two) : null,
          ];
        })
        .filter(([, prn]) => prn !== "");
    }),
  );
}

const VARIABLES = ["snr", "el", "az", "prn"] as const;
const rows = [skyRows(6_000, 0), [], skyRows(2_000, 50)];
const source = sourceOf({ stations: [0, 1, 2].map((i) => station(i)), variables: VARIABLES, rows });

describe("a satellite file", () => {
  it("has one series per station and satellite with all values", async () => {
    const path = join(folder, "sky.nc");
    const written = mustSucceed(await writeSatelliteNetcdf(path, source));
    const expected = observations(rows);
    expect(written.rows).toBe(expected.length);
    const file = await opened(path);
    const sizes = [...(file.read("row_size") as Int32Array)];
    expect(sizes.length).toBe(8);
    const [ids, prns] = [file.read("station_id") as string[], file.read("prn") as string[]];
    const columns = ["time", "elevation", "azimuth", "cn0_1", "cn0_2"].map((name) => file.read(name) as Float64Array);
    const fill = file.variable("cn0_2")!.attributes["_FillValue"];
    let at = 0;
    const found = sizes.flatMap((size, pair) =>
      Array.from({ length: size }, () => {
        const [time, ...values] = columns.map((c) => c[at]!);
        at++;
        return [ids[pair], prns[pair], time! * 1000, ...values.map((v) => (v === fill ? null : v))];
      }),
    );
    expect(found).toStrictEqual(byPair(expected));
    expect(file.variable("azimuth")!.attributes).toMatchObject({
      standard_name: "platform_azimuth_angle",
      units: "degree",
    });
    expect(file.variable("cn0_1")!.attributes).toMatchObject({
      units: "0.1 lg(re 1 Hz)",
      long_name: expect.stringContaining("dB-Hz"),
      coordinates: "time lat lon height pair_id station_name",
    });
    expect(file.variable("pair_id")!.attributes["cf_role"]).toBe("timeseries_id");
    expect(file.attributes["featureType"]).toBe("timeSeries");
    file.close();
  });

  it("is a long table in CSV", async () => {
    const path = join(folder, "sky.csv");
    const written = mustSucceed(await writeSatelliteCsv(path, source));
    const [head, ...lines] = readCsv(readFileSync(path, "utf8"));
    expect(head).toEqual(["station_id", "time", "prn", "el_deg", "az_deg", "cn0_1_dbhz", "cn0_2_dbhz"]);
    const found = lines.map(([id, time, prn, ...cells]) => [
      id,
      prn,
      Date.parse(time!),
      ...cells.map((c) => (c === "" ? null : Number(c))),
    ]);
    expect(found).toStrictEqual(observations(rows));
    expect(written.rows).toBe(found.length);
  });

  it("is rejected if there are no satellites", async () => {
    const empty = sourceOf({ stations: [station(0)], variables: VARIABLES, rows: [[]] });
    expect(await writeSatelliteNetcdf(join(folder, "none.nc"), empty)).toMatchObject({
      ok: false,
      error: { kind: "invalid" },
    });
    const without = { ...source, variables: ["ztd" as const] };
    expect(await writeSatelliteCsv(join(folder, "none.csv"), without)).toMatchObject({
      ok: false,
      error: { kind: "invalid" },
    });
  });
});

function placeOf(observation: readonly unknown[]): string {
  return `${String(observation[0])} ${String(observation[1])} ${String(observation[2]).padStart(15, "0")}`;
}

/** Sorted as in the file: by station and satellite, then by time. */
function byPair(list: readonly unknown[][]): unknown[][] {
  return list.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}
