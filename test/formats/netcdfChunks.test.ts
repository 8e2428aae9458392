import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FormatFailure } from "#formats/error.ts";
import { lookup3 } from "#formats/netcdf/hdf5/checksum.ts";
import { chunkIndex } from "#formats/netcdf/hdf5/chunkIndex.ts";
import { Hdf5Writer } from "#formats/netcdf/hdf5/writer.ts";
import type { NetcdfSink } from "#formats/netcdf/sink.ts";
import { opened } from "./readBack.ts";
import { runTool, scratchFolder } from "./tools.ts";

const folder = scratchFolder();
let files = 0;
const newPath = (): string => join(folder, `${files++}.nc`);

/** Values that come back, that do not, and both by turns. */
const KINDS = {
  decimals: (i: number) => Math.round(2_400 + 50 * Math.sin(i / 900)) / 10,
  noise: (i: number) => 2_400 + ((i * 2_654_435_761) % 1_000_003) / 7,
  mixed: (i: number) => (i % 5_000 < 2_500 ? 9.969209968386869e36 : KINDS.noise(i)),
};
type Kind = keyof typeof KINDS;

/** One variable whose value at each place, counted row by row, is that of its kind. */
async function write(path: string, shape: readonly number[], chunk: readonly number[], kind: Kind): Promise<void> {
  const names = shape.map((_, axis) => `d${axis}`);
  await Hdf5Writer.write(path, async (file) => {
    shape.forEach((size, axis) => file.dimension(names[axis]!, size));
    file.doubles({ name: "v", dimensions: names, attributes: { units: "mm" } }, chunk);
    const [rows, columns] = shape.length === 1 ? [1, shape[0]!] : (shape as [number, number]);
    const [chunkRows, chunkColumns] = chunk.length === 1 ? [1, chunk[0]!] : (chunk as [number, number]);
    // The same array every time: what was handed over must not change with it.
    const room = new Float64Array(chunkRows * chunkColumns);
    for (let row = 0; row < rows; row += chunkRows) {
      for (let column = 0; column < columns; column += chunkColumns) {
        let length = 0;
        for (let r = row; r < Math.min(row + chunkRows, rows); r++) {
          for (let c = column; c < Math.min(column + chunkColumns, columns); c++) {
            room[length++] = KINDS[kind](r * columns + c);
          }
        }
        file.write("v", shape.length === 1 ? [column] : [row, column], room.subarray(0, length));
        await file.drained();
      }
    }
  });
}

/** The first place at which a file holds another value than it should; -1 where there is none. */
async function wrongAt(path: string, shape: readonly number[], kind: Kind): Promise<number> {
  const file = await opened(path);
  const values = file.read("v") as Float64Array;
  const found = file.variable("v")!.shape;
  file.close();
  expect(found).toEqual(shape);
  expect(values.length).toBe(shape.reduce((a, b) => a * b));
  return values.findIndex((value, i) => value !== KINDS[kind](i));
}

describe("the chunks of a variable", () => {
  it.each([0, 1, 63, 64, 65, 128, 64 * 64, 64 * 64 + 1, 64 * 64 + 65])("are found again: %i of them", async (count) => {
    const cuts = [
      [[Math.max(0, 2 * count - 1)], [2]],
      [
        [count, 2],
        [1, 2],
      ],
      [
        [3, count],
        [3, 1],
      ],
    ] as const;
    for (const [shape, chunk] of count > 1_000 ? cuts.slice(0, 2) : cuts) {
      const path = newPath();
      await write(path, shape, chunk, "noise");
      expect(await wrongAt(path, shape, "noise")).toBe(-1);
    }
  });

  it("are found again, however a variable is cut", async () => {
    const size = fc.integer({ min: 1, max: 90 });
    // Chunks that end with the variable lie in one piece: whole along all axes but the first that is cut.
    const line = fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 30, max: 7_000 })).map(([n, c]) => ({
      shape: [n],
      chunk: [Math.min(n, c)],
    }));
    const rows = fc.tuple(size, size, size).map(([n, m, c]) => ({ shape: [n, m], chunk: [1, Math.min(m, c)] }));
    const whole = fc.tuple(size, size, size).map(([n, m, c]) => ({ shape: [n, m], chunk: [Math.min(n, c), m] }));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(line, rows, whole),
        fc.constantFrom<Kind>("decimals", "noise", "mixed"),
        async ({ shape, chunk }, kind) => {
          const path = newPath();
          await write(path, shape, chunk, kind);
          expect(await wrongAt(path, shape, kind)).toBe(-1);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.for(["decimals", "noise", "mixed"] as const)("are read by netcdf-c: %s", async (kind, context) => {
    const [path, copy] = [newPath(), newPath()];
    await write(path, [3, 200_000], [1, 1_024], kind);
    // Copied by netcdf-c to a file that has neither chunks nor filters.
    runTool(context, "nccopy", ["-k", "64-bit-offset", path, copy]);
    expect(await wrongAt(copy, [3, 200_000], kind)).toBe(-1);
  });

  it("lie in the file in the order in which they were written", async () => {
    const contents = [newPath(), newPath()].map(async (path) => {
      await write(path, [300_000], [4_096], "mixed");
      return readFileSync(path);
    });
    const [one, other] = await Promise.all(contents);
    expect(one!.equals(other!)).toBe(true);
  });
});

async function fillOne(file: NetcdfSink): Promise<void> {
  file.dimension("obs", 20);
  file.doubles({ name: "v", dimensions: ["obs"], attributes: {} }, [10]);
  file.write("v", [0], new Float64Array(10));
}

describe("the index of the chunks", () => {
  it("links the nodes of each level to their neighbours, for who adds to the file", () => {
    const count = 64 * 64 + 65;
    const chunks = {
      addresses: new Float64Array(count),
      bytes: new Uint32Array(count).fill(1),
      filterMasks: new Uint8Array(count),
    };
    const { bytes, root } = chunkIndex({ shape: [count], chunk: [1], elementBytes: 8 }, chunks, 1_000);
    const starts = [...bytes.toString("latin1").matchAll(/TREE/g)].map((found) => found.index);
    const found = starts.map((at) => ({
      address: BigInt(1_000 + at),
      level: bytes[at + 5],
      left: bytes.readBigUInt64LE(at + 8),
      right: bytes.readBigUInt64LE(at + 16),
    }));
    const none = 2n ** 64n - 1n;
    const expected = found.map(({ address, level }, i) => {
      const besides = [found[i - 1], found[i + 1]].map((n) => (n?.level === level ? n!.address : none));
      return { address, level, left: besides[0], right: besides[1] };
    });
    expect(found.map((node) => node.level)).toEqual([...Array.from({ length: 66 }, () => 0), 1, 1, 2]);
    expect(found).toEqual(expected);
    expect(root).toBe(found.at(-1)!.address);
  });
});

describe("a file under work", () => {
  it("that lacks a chunk in the end is none", async () => {
    await expect(Hdf5Writer.write(newPath(), fillOne)).rejects.toMatchObject({ error: { kind: "source" } });
  });

  it("gives back what the writer itself throws, before the first chunk and after", async () => {
    const cancelled = new FormatFailure("cancelled", "Cancelled; no file was written.");
    const before = Hdf5Writer.write(newPath(), async (file) => {
      file.dimension("obs", 3);
      throw cancelled;
    });
    await expect(before).rejects.toBe(cancelled);
    const after = Hdf5Writer.write(newPath(), async (file) => {
      await fillOne(file);
      throw cancelled;
    });
    await expect(after).rejects.toBe(cancelled);
  });
});

describe("the structure", () => {
  const VARIABLES = Array.from({ length: 120 }, (_, i) => `v${i}`);

  /** More links, attributes and attached axes than HDF5 keeps in a header or a heap of the usual size. */
  async function manyThings(path: string): Promise<void> {
    await Hdf5Writer.write(path, async (file) => {
      const texts = Object.fromEntries(VARIABLES.map((name) => [name, `text ö of ${name}`]));
      file.globals({ ...texts, number: -0.1, whole: Int32Array.of(1, -2, 3), absent: undefined, empty: "" });
      file.dimension("station", 3);
      file.declare("time", 5, true);
      file.doubles({ name: "time", dimensions: ["time"], attributes: { units: "seconds since 1970-01-01" } }, [4]);
      file.values({ name: "alone", dimensions: [], attributes: {} }, Int32Array.of(7));
      file.names("id", "station", ["a", "bcd", "o"], { cf_role: "timeseries_id" });
      file.names("place", "station", ["ö", "", "東京"], {});
      for (const name of VARIABLES) {
        file.doubles({ name, dimensions: ["station", "time"], attributes: { _FillValue: 1e30, ...texts } }, [3, 5]);
      }
      file.write("time", [0], Float64Array.of(0, 1, 2, 3));
      file.write("time", [4], Float64Array.of(4));
      for (const [i, name] of VARIABLES.entries()) {
        file.write(
          name,
          [0, 0],
          Float64Array.from({ length: 15 }, (_, k) => 100 * i + k),
        );
        await file.drained();
      }
    });
  }

  it("holds any number of variables and attributes, as netcdf-c reads it", async (context) => {
    const path = newPath();
    await manyThings(path);
    const header = runTool(context, "ncdump", ["-h", path]);
    expect(header).toContain("time = UNLIMITED ; // (5 currently)");
    expect(header).toContain(":number = -0.1 ;\n\t\t:whole = 1, -2, 3 ;");
    const declared = [...header.matchAll(/^\t\w+ (\w+)(\(.*\))? ;$/gm)].map(([, name, axes]) => [name, axes ?? ""]);
    expect(declared).toEqual([
      ["time", "(time)"],
      ["alone", ""],
      ["id", "(station, id_strlen)"],
      ["place", "(station)"],
      ...VARIABLES.map((name) => [name, "(station, time)"]),
    ]);
    for (const owner of ["", ...VARIABLES]) {
      for (const name of VARIABLES) expect(header).toContain(`\t\t${owner}:${name} = "text ö of ${name}" ;\n`);
    }
    const last = runTool(context, "ncdump", ["-v", "v119,id,place,alone", path]).replaceAll(/\s+/g, " ");
    expect(last).toContain("{11900, 11901, 11902, 11903, 11904}, {11905,");
    expect(last).toContain('id = "a", "bcd", "o" ;');
    expect(last).toContain('place = "ö", _, "東京" ;');
    expect(last).toContain("alone = 7 ;");
  });

  it("can be added to by others", async (context) => {
    const [path, other] = [newPath(), newPath()];
    await manyThings(path);
    await Hdf5Writer.write(other, async (file) => {
      file.dimension("more", 2);
      file.values({ name: "added", dimensions: ["more"], attributes: {} }, Float64Array.of(1.5, 2.5));
    });
    runTool(context, "ncks", ["-A", "-h", other, path]);
    runTool(context, "ncatted", ["-h", "-a", "note,v7,c,c,added", path]);
    const dump = runTool(context, "ncdump", ["-v", "added,v119", path]);
    expect(dump).toContain('v7:note = "added" ;');
    expect(dump).toContain("added = 1.5, 2.5 ;");
    expect(dump).toContain("{11910, 11911, 11912, 11913, 11914} ;");
  });
});

describe("the checksum of HDF5's metadata", () => {
  it.each([
    ["", 0xdeadbeef],
    ["Four score and seven years ago", 0x17770551],
  ])("of “%s” is that of its inventor", (text, sum) => {
    expect(lookup3(Buffer.from(text))).toBe(sum);
  });
});
