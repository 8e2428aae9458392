import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatUtc, formatUtcShort } from "#shared/time/utc.ts";
import { writeTimeSeriesCsv, type CsvOptions } from "#formats/csv/index.ts";
import { writeNumber } from "#formats/csv/number.ts";
import { csvField } from "#formats/csv/text.ts";
import { TimeText } from "#formats/csv/time.ts";
import type { SeriesFileSource } from "#formats/source.ts";
import { readCsv } from "./csvReader.ts";
import { anyDouble, plainSource, sourceOf, START_MS, station, type PlainSource } from "./sources.ts";
import { mustSucceed, namesIn, runPython, scratchFolder } from "./tools.ts";

const folder = scratchFolder();
const path = join(folder, "series.csv");

async function written(source: SeriesFileSource, options: CsvOptions = {}) {
  const result = mustSucceed(await writeTimeSeriesCsv(path, source, options));
  return { ...result, text: readFileSync(path, "utf8") };
}

function textOf(write: (out: DataView) => number): string {
  const out = Buffer.from(new ArrayBuffer(64));
  return out.toString("latin1", 0, write(new DataView(out.buffer)));
}

describe("numbers", () => {
  it("are the shortest text that reads back as the same double: what JavaScript writes", () => {
    fc.assert(
      fc.property(anyDouble, (value) => {
        expect(textOf((out) => writeNumber(out, 0, value))).toBe(String(value));
      }),
      { numRuns: 20_000 },
    );
  });

  it("are so where 15, 16 or 17 digits are needed, of any magnitude", () => {
    const anySize = fc
      .tuple(
        fc.double({ min: 1, max: 10, noNaN: true }),
        fc.integer({ min: -5, max: 12 }),
        fc.integer({ min: 1, max: 17 }),
      )
      .map(([digits, exponent, precision]) => Number(Number(`${digits}e${exponent}`).toPrecision(precision)));
    fc.assert(
      fc.property(anySize, (value) => {
        expect(textOf((out) => writeNumber(out, 0, value))).toBe(String(value));
        expect(textOf((out) => writeNumber(out, 0, -value))).toBe(String(-value));
      }),
      { numRuns: 20_000 },
    );
  });

  it("are so for every bit pattern, and next to every decimal", () => {
    const bits = new DataView(new ArrayBuffer(8));
    const finite = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((b) => {
      bits.setBigUint64(0, b);
      return bits.getFloat64(0);
    });
    const neighbour = fc
      .tuple(
        fc.integer({ min: -30_000_000, max: 30_000_000 }),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: -3, max: 3 }),
      )
      .map(([n, digits, ulps]) => {
        bits.setFloat64(0, n / 10 ** digits);
        bits.setBigUint64(0, BigInt.asUintN(64, bits.getBigUint64(0) + BigInt(ulps)));
        return bits.getFloat64(0);
      });
    fc.assert(
      fc.property(fc.oneof(finite, neighbour).filter(Number.isFinite), (value) => {
        expect(textOf((out) => writeNumber(out, 0, value))).toBe(String(value));
      }),
      { numRuns: 20_000 },
    );
  });
});

describe("times", () => {
  const moment = fc
    .integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) })
    .filter((t) => new Date(t).getUTCFullYear() > 0);

  it("are ISO 8601 with the digits of the file", () => {
    const whole = new TimeText("iso", 0);
    const fine = new TimeText("iso", 3);
    const excel = new TimeText("excel", 0);
    fc.assert(
      fc.property(fc.array(moment, { maxLength: 5 }), (moments) => {
        for (const ms of moments) {
          const second = Math.floor(ms / 1000) * 1000;
          expect(textOf((out) => fine.write(out, 0, ms))).toBe(formatUtc(ms));
          expect(textOf((out) => whole.write(out, 0, second))).toBe(formatUtcShort(second));
          expect(textOf((out) => excel.write(out, 0, second))).toBe(formatUtc(second).slice(0, 19).replace("T", " "));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("have three digits for all rows as soon as one needs them", async () => {
    const rows = [0, 30_000, 60_500].map((ms) => ({ timeMs: START_MS + ms, values: { ztd: 1 } }));
    const source = sourceOf({ stations: [station(0)], variables: ["ztd"], rows: [rows] });
    const times = readCsv((await written(source)).text)
      .slice(1)
      .map((r) => r[1]);
    expect(times).toEqual(["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:30.000Z", "2026-01-01T00:01:00.500Z"]);
    const refused = await writeTimeSeriesCsv(path, source, { fractionDigits: 0 });
    expect(refused).toMatchObject({ ok: false, error: { kind: "invalid" } });
  });
});

describe("rows", () => {
  it("come back through an independent reader, numbers as the same doubles", async () => {
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
      { numRuns: 60 },
    );
  });

  it("keep hostile texts apart from formulas and from each other", async () => {
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
      { numRuns: 100 },
    );
  });

  it("of a megabyte are written", async () => {
    const prn = '"'.repeat(600_000);
    const id = "x".repeat(500_000);
    const rows = [0, 1, 2].map((i) => ({ timeMs: START_MS + i * 1000, values: { prn, ztd: i } }));
    const source = sourceOf({ stations: [station(0, { id })], variables: ["ztd", "prn"], rows: [rows] });
    const lines = readCsv((await written(source)).text);
    expect(lines.length).toBe(4);
    expect(lines.slice(1).every((l) => l[0] === id && l[3] === prn)).toBe(true);
  });

  it("a file without rows has its header", async () => {
    const { text, stationsWithRows } = await written(
      sourceOf({ stations: [station(0)], variables: ["pwv"], rows: [[]] }),
    );
    expect(text).toBe("station_id,time,pwv_mm\r\n");
    expect(stationsWithRows).toBe(0);
  });
});

function numberOf(value: number | string | null): number | null {
  // The text of a double has no negative zero: JavaScript writes 0.
  return value === null ? null : Number(value) + 0;
}

describe("the Excel preset", () => {
  it("has a byte order mark and times that a spreadsheet knows", async () => {
    const rows = [{ timeMs: START_MS, values: { ztd: 2400.5 } }];
    const source = sourceOf({ stations: [station(0)], variables: ["ztd"], rows: [rows] });
    const { text, paths } = await written(source, { preset: "excel" });
    expect(text).toBe(`\uFEFFstation_id,time,ztd_mm\r\n${station(0).id},2026-01-01 00:00:00,2400.5\r\n`);
    expect(paths).toEqual([path]);
  });

  it("goes on in numbered files where a sheet is full", async () => {
    const perStation = 1_048_575;
    const timesMs = Float64Array.from({ length: perStation }, (_, i) => START_MS + i * 1000);
    const values = new Float64Array(perStation).fill(1);
    const base = sourceOf({ stations: [station(0), station(1)], variables: ["ztd"], rows: [[], []] });
    const source = (second: number): SeriesFileSource => ({
      ...base,
      *blocks(i) {
        const n = i === 0 ? perStation : second;
        yield {
          timesMs: timesMs.subarray(0, n),
          columns: { ztd: { kind: "scalar", values: values.subarray(0, n), present: null } },
        };
      },
    });
    const exact = mustSucceed(await writeTimeSeriesCsv(join(folder, "full.csv"), source(0), { preset: "excel" }));
    expect(exact.paths).toEqual([join(folder, "full.csv")]);
    const split = mustSucceed(await writeTimeSeriesCsv(join(folder, "split.csv"), source(2), { preset: "excel" }));
    expect(split.paths).toEqual([join(folder, "split-1.csv"), join(folder, "split-2.csv")]);
    expect(split.rows).toBe(perStation + 2);
    const [first, second] = split.paths.map((p) => readFileSync(p, "utf8").split("\r\n").length - 1);
    expect([first, second]).toEqual([1_048_576, 3]);
    expect(namesIn(folder).filter((n) => n.endsWith("part"))).toEqual([]);
  });
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
