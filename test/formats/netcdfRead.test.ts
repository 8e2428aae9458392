import { readFileSync, statSync, truncateSync, copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { openNetcdf } from "../support/openNetcdf.ts";
import { bothRows, opened } from "./readBack.ts";
import { regularRows, sourceOf, station, type PlainSource } from "./sources.ts";
import { generatedFrom } from "./open/support.ts";
import { mustSucceed, runTool, scratchFolder } from "./tools.ts";

const folder = scratchFolder();
const shared = join(folder, "shared.nc");
const ragged = join(folder, "ragged.nc");
const classic = join(folder, "classic-own.nc");
const plain: PlainSource = {
  // nccopy cannot convert names that are not ASCII.
  stations: [0, 1, 2].map((i) => station(i, { locationAlias: "Kokar" })),
  variables: ["ztd", "ztd_sigma", "pwv"],
  rows: [regularRows(700, 1), regularRows(500, 2), regularRows(650, 3)],
};

beforeAll(async () => {
  mustSucceed(await writeTimeSeriesNetcdf(shared, sourceOf(plain)));
  mustSucceed(await writeTimeSeriesNetcdf(ragged, sourceOf(plain), { layout: "ragged" }));
  mustSucceed(await writeTimeSeriesNetcdf(classic, sourceOf(plain), { container: "netcdf3" }));
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
    const file = await opened(format === "netcdf4" ? shared : classic);
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
      for (const [name, whole] of Object.entries({ shared, classic })) {
        const cut = (path: string) => {
          copyFileSync(whole, path);
          truncateSync(path, Math.floor(statSync(whole).size * share));
        };
        expect(await errorKind(`cut-${name}-${share}.nc`, cut)).toBe("truncated");
      }
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

it("CDF-5 is refused with the command that converts it", async (context) => {
  const content = "dimensions: time = 1 ; variables: double ztd(time) ;";
  const path = generatedFrom(context, join(folder, "cdf5-all.nc"), content, "cdf5");
  expect(await openNetcdf(path)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining("nccopy -k nc4") },
  });
});
