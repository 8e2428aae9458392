import { readFileSync, statSync, truncateSync, copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { openNetcdf } from "../support/openNetcdf.ts";
import { bothRows, opened } from "./readBack.ts";
import { regularRows, sourceOf, station, type PlainSource } from "./sources.ts";
import { mustSucceed, runTool, scratchFolder } from "./tools.ts";

const folder = scratchFolder();
const shared = join(folder, "shared.nc");
const ragged = join(folder, "ragged.nc");
const plain: PlainSource = {
  // nccopy cannot convert names that are not ASCII.
  stations: [0, 1, 2].map((i) => station(i, { locationAlias: "Kokar" })),
  variables: ["ztd", "ztd_sigma", "pwv"],
  rows: [regularRows(700, 1), regularRows(500, 2), regularRows(650, 3)],
};

beforeAll(async () => {
  mustSucceed(await writeTimeSeriesNetcdf(shared, sourceOf(plain)));
  mustSucceed(await writeTimeSeriesNetcdf(ragged, sourceOf(plain), { layout: "ragged" }));
});

describe.each([
  ["classic", "grid", shared],
  ["64-bit-offset", "grid", shared],
  ["classic", "ragged", ragged],
])("NetCDF-3, %s, %s", (kind, _, from) => {
  it("has the content of the NetCDF-4 file", async (context) => {
    const copy = join(folder, `${kind}.nc`);
    runTool(context, "nccopy", ["-u", "-k", kind, from, copy]);
    const [three, four] = [await opened(copy), await opened(from)];
    expect(three.format).toBe("netcdf3");
    const threeRows = bothRows(three, plain);
    expect(threeRows.found).toStrictEqual(threeRows.expected);
    expect(three.variables.map((v) => v.name).toSorted()).toEqual(four.variables.map((v) => v.name).toSorted());
    for (const variable of four.variables) {
      expect(three.variable(variable.name)).toEqual({ ...variable, chunk: undefined });
      expect(three.read(variable.name)).toEqual(four.read(variable.name));
    }
    expect(three.attributes).toEqual(four.attributes);
    three.close();
    four.close();
  });
});

describe("parts of variables", () => {
  it.each(["netcdf4", "netcdf3"])("equal the same parts of the whole variable: %s", async (format) => {
    const path = format === "netcdf4" ? shared : join(folder, "by-hand.nc");
    if (format === "netcdf3") writeFileSync(path, recordFile());
    const file = await opened(path);
    expect(file.format).toBe(format);
    for (const variable of file.variables.filter((v) => v.shape.length === 2 && v.type === "double")) {
      const [rows, columns] = variable.shape as [number, number];
      const whole = file.read(variable.name) as Float64Array;
      for (const [a, b, c, d] of [
        [0, rows, 1, 3],
        [1, 2, 0, columns],
        [1, rows, 2, 2],
        [0, 1, columns - 1, columns],
      ] as const) {
        const part = [
          ...(file.read(variable.name, [
            [a, b],
            [c, d],
          ]) as Float64Array),
        ];
        const expected = Array.from({ length: b - a }, (_, r) => [
          ...whole.subarray((a + r) * columns + c, (a + r) * columns + d),
        ]);
        expect(part).toEqual(expected.flat());
      }
      expect(() =>
        file.read(variable.name, [
          [0, rows + 1],
          [0, 1],
        ]),
      ).toThrow("is outside the variable");
    }
    expect(() => file.read("nothing")).toThrow("no variable nothing");
    file.close();
  });
});

describe("records of NetCDF-3", () => {
  it("are read if other variables lie between them", async () => {
    const path = join(folder, "records.nc");
    writeFileSync(path, recordFile());
    const file = await opened(path);
    expect(file.dimensions).toEqual([
      { name: "t", size: 3, unlimited: true },
      { name: "x", size: 4, unlimited: false },
    ]);
    expect([...(file.read("a") as Float64Array)]).toEqual([0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23]);
    expect([...(file.read("b") as Int16Array)]).toEqual([0, 1, 2]);
    expect(file.attributes).toEqual({ note: "Ä" });
    file.close();
  });

  it("are read in blocks to the last record, and rejected if the file becomes shorter", async () => {
    const path = join(folder, "many-records.nc");
    const count = 20_000;
    writeFileSync(path, recordFile(count));
    const file = await opened(path);
    const all = Array.from({ length: count }, (_, r) => r);
    const columns = (from: number, to: number) =>
      all.flatMap((r) => [0, 1, 2, 3].slice(from, to).map((x) => r * 10 + x));
    expect([...(file.read("a") as Float64Array)]).toEqual(columns(0, 4));
    const part = [
      [0, count],
      [1, 3],
    ] as const;
    expect([...(file.read("a", part) as Float64Array)]).toEqual(columns(1, 3));
    truncateSync(path, statSync(path).size - 36);
    expect(() => file.read("a")).toThrow("Another program has changed this file");
    file.close();
  });
});

function damage(path: string) {
  const bytes = readFileSync(shared);
  // The structure of the file, which follows the values.
  bytes.fill(0x55, bytes.length - 3_000);
  writeFileSync(path, bytes);
}

async function errorKind(name: string, make: (path: string) => void) {
  const path = join(folder, name);
  make(path);
  const result = await openNetcdf(path);
  return result.ok ? "opened" : result.error.kind;
}

describe("an invalid NetCDF file", () => {
  it("is rejected with the kind of error", async () => {
    expect(await errorKind("missing.nc", () => {})).toBe("noFolder");
    expect(await errorKind("empty.nc", (p) => writeFileSync(p, ""))).toBe("notNetcdf");
    expect(await errorKind("text.nc", (p) => writeFileSync(p, "station_id,time\n"))).toBe("notNetcdf");
    expect(await errorKind("cdf5.nc", (p) => writeFileSync(p, "CDF\x05"))).toBe("unreadable");
    expect(await errorKind("cdf7.nc", (p) => writeFileSync(p, "CDF\x07"))).toBe("unreadable");
    for (const share of [0.1, 0.5, 0.99]) {
      const cut4 = (path: string) => {
        copyFileSync(shared, path);
        truncateSync(path, Math.floor(statSync(shared).size * share));
      };
      expect(await errorKind(`cut4-${share}.nc`, cut4)).toBe("truncated");
      const record = recordFile();
      const cut3 = (path: string) => writeFileSync(path, record.subarray(0, Math.floor(record.length * share)));
      expect(await errorKind(`cut3-${share}.nc`, cut3)).toBe("truncated");
    }
    expect(await errorKind("damaged.nc", damage)).toBe("unreadable");
  });

  it("is rejected with a message", async () => {
    const result = await openNetcdf(join(folder, "text.nc"));
    expect(result).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("This is not a NetCDF file") },
    });
  });
});

function int(n: number): Buffer {
  return Buffer.from([(n >>> 24) & 255, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]);
}

function text(s: string): Buffer {
  const bytes = Buffer.from(s);
  return Buffer.concat([int(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

function recordHeader(begin: number): Buffer {
  return Buffer.concat([
    Buffer.from("CDF\x01"),
    int(3),
    Buffer.concat([int(10), int(2), text("t"), int(0), text("x"), int(4)]),
    Buffer.concat([int(12), int(1), text("note"), int(2), text("Ä")]),
    Buffer.concat([int(11), int(2)]),
    Buffer.concat([text("a"), int(2), int(0), int(1), int(0), int(0), int(6), int(32), int(begin)]),
    Buffer.concat([text("b"), int(1), int(0), int(0), int(0), int(3), int(4), int(begin + 32)]),
  ]);
}

/** A classic file, encoded by hand: dimensions t (unlimited) and x (4); double a(t, x), short b(t). */
function recordFile(count = 3): Buffer {
  const records = Array.from({ length: count }, (_, r) => {
    const record = Buffer.alloc(36);
    for (let x = 0; x < 4; x++) record.writeDoubleBE(r * 10 + x, 8 * x);
    record.writeInt16BE(r, 32);
    return record;
  });
  const header = recordHeader(recordHeader(0).length);
  // The number of records follows the magic bytes.
  header.writeInt32BE(count, 4);
  return Buffer.concat([header, ...records]);
}

it("CDF-5 is refused with the command that converts it", async (context) => {
  const path = join(folder, "cdf5-all.nc");
  writeFileSync(`${path}.cdl`, "netcdf a { dimensions: time = 1 ; variables: double ztd(time) ; }");
  runTool(context, "ncgen", ["-k", "cdf5", "-o", path, `${path}.cdl`]);
  expect(await openNetcdf(path)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining("nccopy -k nc4") },
  });
});
