import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { formatUtcShort } from "#shared/time/utc.ts";
import { type CsvOptions, writeStationsCsv, writeTimeSeriesCsv } from "#formats/csv/index.ts";
import { csvField } from "#shared/file/csv.ts";
import type { SeriesFileSource } from "#formats/source.ts";
import { readCsv } from "./csvReader.ts";
import { plainSource, sourceOf, START_MS, station, type PlainSource } from "./sources.ts";
import { mustSucceed, runPython, scratchFolder } from "./tools.ts";
import { gateCases } from "../support/endurance.ts";
import { itNightly } from "../support/needs.ts";

const folder = scratchFolder();
const path = join(folder, "series.csv");

async function written(source: SeriesFileSource, options: CsvOptions = {}) {
  const result = mustSucceed(await writeTimeSeriesCsv(path, source, options));
  return { ...result, text: readFileSync(path, "utf8") };
}

describe("times", () => {
  it("have milliseconds in all rows if one row needs them", async () => {
    const rows = [0, 30_000, 60_500].map((ms) => ({ timeMs: START_MS + ms, values: { ztd: 1 } }));
    const source = sourceOf({ stations: [station(0)], variables: ["ztd"], rows: [rows] });
    const times = readCsv((await written(source)).text)
      .slice(1)
      .map((r) => r[1]);
    expect(times).toEqual(["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:30.000Z", "2026-01-01T00:01:00.500Z"]);
  });
});

describe("rows", () => {
  it("round-trip exactly through an independent reader", async () => {
    await fc.assert(
      fc.asyncProperty(plainSource(["ztd", "ztd_sigma", "pwv"]), async (plain) => {
        const { text, rows } = await written(sourceOf(plain));
        const [head, ...lines] = readCsv(text);
        expect(head).toEqual(["station_id", "time", "ztd_mm", "ztd_sigma_mm", "pwv_mm"]);
        expect(rows).toBe(lines.length);
        const expected = plain.rows.flatMap((own, i) =>
          own.map((r) => [
            plain.stations[i]!.id,
            r.timeMs,
            ...plain.variables.map((v) => numberOf(r.values[v] ?? null)),
          ]),
        );
        const found = lines.map(([id, time, ...cells]) => [
          id,
          Date.parse(time!),
          ...cells.map((c) => (c === "" ? null : Number(c))),
        ]);
        expect(found).toStrictEqual(expected);
      }),
      { numRuns: gateCases(60) },
    );
  });

  it("escape texts that a spreadsheet would run as formulas", async () => {
    const hostile = fc.oneof(
      fc.string({ unit: fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", '"', ",", "a", "1", "ä", "😀", "'") }),
      fc.constantFrom("=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", '"', "a,b", "line\nbreak", "'=1", ""),
    );
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (id, prn) => {
        const plain: PlainSource = {
          stations: [station(0, { id })],
          variables: ["prn"],
          rows: [[{ timeMs: START_MS, values: { prn } }]],
        };
        const line = readCsv((await written(sourceOf(plain))).text)[1]!;
        for (const [found, given] of [
          [line[0]!, id],
          [line[2]!, prn],
        ] as const) {
          expect("=+-@\t\r".includes(found[0] ?? "x")).toBe(false);
          expect([given, `'${given}`]).toContain(found);
          expect(found === given).toBe(!/^[=+\-@\t\r]/.test(given));
        }
      }),
      { numRuns: gateCases(100) },
    );
  });

  itNightly("of a megabyte are written in full", async () => {
    const prn = '"'.repeat(600_000);
    const id = "x".repeat(500_000);
    const rows = [0, 1, 2].map((i) => ({ timeMs: START_MS + i * 1000, values: { prn, ztd: i } }));
    const source = sourceOf({ stations: [station(0, { id })], variables: ["ztd", "prn"], rows: [rows] });
    const lines = readCsv((await written(source)).text);
    expect(lines.length).toBe(4);
    expect(lines.slice(1).every((l) => l[0] === id && l[3] === prn)).toBe(true);
  });

  it("have an empty field for values that are not finite, and for columns that a block lacks", async () => {
    const timesMs = Float64Array.from([0, 1, 2, 3], (i) => START_MS + i * 1000);
    const values = Float64Array.of(1, Number.NaN, Number.POSITIVE_INFINITY, -0);
    const base = sourceOf({ stations: [station(0, { id: "S" })], variables: ["pwv", "ztd"], rows: [[]] });
    const source: SeriesFileSource = {
      ...base,
      *blocks() {
        yield { timesMs, columns: { pwv: { kind: "scalar", values, present: null } } };
        yield { timesMs: timesMs.map((t) => t + 4000), columns: { ztd: { kind: "scalar", values, present: null } } };
      },
    };
    const fields = readCsv((await written(source)).text)
      .slice(1)
      .map((line) => line.slice(2).join(" "));
    expect(fields).toEqual(["1 ", " ", " ", "0 ", " 1", " ", " ", " 0"]);
  });

  it("of any length are written correctly across slice and buffer boundaries", async () => {
    // Besides numbers: station ids of different lengths, and texts that often exceed the rest of the buffer.
    const rows = Array.from({ length: 3_000 }, (_, i) => ({
      timeMs: START_MS + i * 1000,
      values: { ztd: i / 7, prn: i % 3 === 0 ? null : "ü".repeat(i % 400), snr: i % 5 === 0 ? `"${i}` : String(i) },
    }));
    const ids = ["a", "a station of more than eight characters", "äöü"];
    const source = sourceOf({
      stations: ids.map((id) => station(0, { id })),
      variables: ["ztd", "prn", "snr"],
      rows: ids.map(() => rows),
      blockRows: 2_000,
    });
    const lines = readCsv((await written(source)).text).slice(1);
    const expected = ids.flatMap((id) =>
      rows.map(({ timeMs, values }) => [id, formatUtcShort(timeMs), String(values.ztd), values.prn ?? "", values.snr]),
    );
    expect(lines.length).toBe(expected.length);
    expect(lines.findIndex((line, i) => line.join("|") !== expected[i]!.join("|"))).toBe(-1);
  });

  it("are absent from a file with only a header", async () => {
    const { text, rows } = await written(sourceOf({ stations: [station(0)], variables: ["pwv"], rows: [[]] }));
    expect(text).toBe("station_id,time,pwv_mm\r\n");
    expect(rows).toBe(0);
  });
});

function numberOf(value: number | string | null): number | null {
  // The text of a double has no negative zero: JavaScript writes 0.
  return value === null ? null : Number(value) + 0;
}

describe("station fields", () => {
  const stations = [station(0, { displayName: 'Pyhä, "A"', height: null }), station(1, { latitudeDeg: -33.5 })];
  const rows = stations.map((_, i) => [{ timeMs: START_MS, values: { ztd: 2400.5 + i } }]);
  const source = sourceOf({ stations, variables: ["ztd"], rows });

  it("are written between the identifier and the time", async () => {
    const stationFields = ["station_name", "latitude_deg", "longitude_deg", "height_m"] as const;
    const { text } = await written(source, { stationFields });
    expect(readCsv(text)).toEqual([
      ["station_id", ...stationFields, "time", "ztd_mm"],
      [stations[0]!.id, 'Pyhä, "A"', "60", "20.5", "", "2026-01-01T00:00:00Z", "2400.5"],
      [stations[1]!.id, "Station 1", "-33.5", "20.5", "51.25", "2026-01-01T00:00:00Z", "2401.5"],
    ]);
  });

  it("are written to a separate table", async () => {
    const file = mustSucceed(await writeStationsCsv(path, stations));
    expect(file.rows).toBe(2);
    const [head, first] = readCsv(readFileSync(path, "utf8"));
    expect(Object.fromEntries(head!.map((name, i) => [name, first![i]]))).toEqual({
      station_id: stations[0]!.id,
      station_name: 'Pyhä, "A"',
      network_code: "NET",
      country_code: "FI",
      location_alias: "Kökar",
      source_type: "cors",
      latitude_deg: "60",
      longitude_deg: "20.5",
      height_m: "",
      height_reference: "WGS84_ELLIPSOID",
    });
  });
});

test("csvField escapes formulas and line breaks, and removes bidirectional and control characters", () => {
  expect(csvField("=1+1")).toBe("'=1+1");
  expect(csvField("\u202e=1+1")).toBe("'=1+1");
  expect(csvField("Kö\u202ekar\u0000 \u001b[2J")).toBe("Kökar [2J");
  expect(csvField("two\r\nlines")).toBe('"two\r\nlines"');
});

describe("pandas", () => {
  it("reads times and numbers", (context) => {
    const file = join(folder, "pandas.csv");
    const id = csvField('a "quoted", name');
    writeFileSync(
      file,
      `station_id,time,ztd_mm\r\n${id},2026-01-01T00:00:30Z,2400.5\r\n${id},2026-01-01T00:01:00Z,\r\n`,
    );
    const script = `
d = pandas.read_csv(${JSON.stringify(file)}, parse_dates=["time"])
print(json.dumps([str(d.time.dt.tz), str(d.time[0]), float(d.ztd_mm[0]), int(d.ztd_mm.isnull().sum()), d.station_id[0]]))`;
    expect(runPython(context, ["pandas"], script)).toEqual([
      "UTC",
      "2026-01-01 00:00:30+00:00",
      2400.5,
      1,
      'a "quoted", name',
    ]);
  });
});
