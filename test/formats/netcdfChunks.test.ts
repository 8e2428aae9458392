import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FormatFailure } from "#formats/error.ts";
import { chunkIndex } from "#formats/netcdf/hdf5/chunkIndex.ts";
import { Hdf5Writer } from "#formats/netcdf/hdf5/writer.ts";
import type { NetcdfSink } from "#formats/netcdf/sink.ts";
import { gateCases, tries } from "../support/endurance.ts";
import { opened } from "./readBack.ts";
import { runTool, scratchFolder } from "./tools.ts";

const folder = scratchFolder();
let files = 0;
const newPath = (): string => join(folder, `${files++}.nc`);

/** Values that repeat, that do not, and both in turns. */
const KINDS = {
  decimals: (i: number) => Math.round(2_400 + 50 * Math.sin(i / 900)) / 10,
  noise: (i: number) => 2_400 + ((i * 2_654_435_761) % 1_000_003) / 7,
  mixed: (i: number) => (i % 5_000 < 2_500 ? 9.969209968386869e36 : KINDS.noise(i)),
};
type Kind = keyof typeof KINDS;

/** Writes one variable; the value at each position, counted in row-major order, is that of the kind. */
async function write(path: string, shape: readonly number[], chunk: readonly number[], kind: Kind): Promise<void> {
  const names = shape.map((_, axis) => `d${axis}`);
  await Hdf5Writer.write(path, async (file) => {
    shape.forEach((size, axis) => file.dimension(names[axis]!, size));
    file.doubles({ name: "v", dimensions: names, attributes: { units: "mm" } }, chunk);
    const [rows, columns] = shape.length === 1 ? [1, shape[0]!] : (shape as [number, number]);
    const [chunkRows, chunkColumns] = chunk.length === 1 ? [1, chunk[0]!] : (chunk as [number, number]);
    // One array for all calls, because the writer has to copy it.
    const values = new Float64Array(chunkRows * chunkColumns);
    for (let row = 0; row < rows; row += chunkRows) {
      for (let column = 0; column < columns; column += chunkColumns) {
        let length = 0;
        for (let r = row; r < Math.min(row + chunkRows, rows); r++) {
          for (let c = column; c < Math.min(column + chunkColumns, columns); c++) {
            values[length++] = KINDS[kind](r * columns + c);
          }
        }
        file.write("v", shape.length === 1 ? [column] : [row, column], values.subarray(0, length));
        await file.drained();
      }
    }
  });
}

/** The first position with a wrong value, or -1. */
async function wrongAt(path: string, shape: readonly number[], kind: Kind): Promise<number> {
  const file = await opened(path);
  const values = file.read("v") as Float64Array;
  const found = file.variable("v")!.shape;
  file.close();
  expect(found).toEqual(shape);
  expect(values.length).toBe(shape.reduce((a, b) => a * b));
  return values.findIndex((value, i) => value !== KINDS[kind](i));
}

describe("chunks of a variable", () => {
  it.each([0, 1, 64, 65, 64 * 64 + 1])("are found through the index: %i chunks", async (count) => {
    const divisions = [
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
    for (const [shape, chunk] of count > 1_000 ? divisions.slice(0, 2) : divisions) {
      const path = newPath();
      await write(path, shape, chunk, "noise");
      expect(await wrongAt(path, shape, "noise")).toBe(-1);
    }
  });

  it("are found through the index, however a variable is divided", async () => {
    const size = fc.integer({ min: 1, max: 90 });
    // A chunk may be clipped along the first axis only.
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
      { numRuns: tries(gateCases(20), 60) },
    );
  });

  it.for(["decimals", "noise", "mixed"] as const)("are read by netcdf-c: %s", async (kind, context) => {
    const [path, copy] = [newPath(), newPath()];
    await write(path, [3, 20_000], [1, 1_024], kind);
    // Values of one decimal that repeat become small.
    expect(statSync(path).size / (8 * 60_000)).toBeLessThan(kind === "decimals" ? 0.3 : 1);
    // netcdf-c copies it to a file without chunks and filters.
    runTool(context, "nccopy", ["-k", "64-bit-offset", path, copy]);
    expect(await wrongAt(copy, [3, 20_000], kind)).toBe(-1);
  });

  it.each([
    ["decimals", 8_000],
    ["noise", 1_000],
  ] as const)("hold zeros behind their values, not what was in memory: %s", async (kind, lineBytes) => {
    const path = newPath();
    // So many chunks that their buffers are used again.
    await write(path, [600_700], [1_000], kind);
    const bytes = readFileSync(path);
    let at = bytes.length;
    let last: Buffer | null = null;
    while (last?.length !== 8_000 && (at = bytes.lastIndexOf(0x78, at - 1)) > 0) last = inflated(bytes.subarray(at));
    // Shuffled, the bytes of each position are a line of their own.
    const behind = last!.filter((_, i) => i % lineBytes >= 0.7 * lineBytes);
    expect(behind).toEqual(Buffer.alloc(2_400));
  });

  it("are stored in the order in which they were written", async () => {
    const contents = [newPath(), newPath()].map(async (path) => {
      await write(path, [60_000], [4_096], "mixed");
      return readFileSync(path);
    });
    const [one, other] = await Promise.all(contents);
    expect(one!.equals(other!)).toBe(true);
  });
});

/** What begins as zlib's data, decompressed; null if nothing does. */
function inflated(bytes: Uint8Array): Buffer | null {
  try {
    return inflateSync(bytes);
  } catch {
    return null;
  }
}

async function fillOne(file: NetcdfSink): Promise<void> {
  file.dimension("obs", 20);
  file.doubles({ name: "v", dimensions: ["obs"], attributes: {} }, [10]);
  file.write("v", [0], new Float64Array(10));
}

describe("the chunk index", () => {
  it("links the nodes of each level to their neighbours, for programs that add to the file", () => {
    const count = 64 * 64 + 65;
    const chunks = {
      addresses: new Float64Array(count),
      bytes: new Uint32Array(count).fill(1),
      filterMasks: new Uint8Array(count),
    };
    const { bytes, root } = chunkIndex({ axes: [{ length: 1, chunks: count }], elementBytes: 8 }, chunks, 1_000);
    const starts = [...bytes.toString("latin1").matchAll(/TREE/g)].map((found) => found.index);
    const found = starts.map((at) => ({
      address: BigInt(1_000 + at),
      level: bytes[at + 5],
      left: bytes.readBigUInt64LE(at + 8),
      right: bytes.readBigUInt64LE(at + 16),
    }));
    const none = 2n ** 64n - 1n;
    const expected = found.map(({ address, level }, i) => {
      const neighbours = [found[i - 1], found[i + 1]].map((n) => (n?.level === level ? n!.address : none));
      return { address, level, left: neighbours[0], right: neighbours[1] };
    });
    expect(found.map((node) => node.level)).toEqual([...Array.from({ length: 66 }, () => 0), 1, 1, 2]);
    expect(found).toEqual(expected);
    expect(root).toBe(found.at(-1)!.address);
  });
});

describe("an unfinished file", () => {
  it("is an error if a chunk is missing at the end", async () => {
    await expect(Hdf5Writer.write(newPath(), fillOne)).rejects.toMatchObject({ error: { kind: "source" } });
  });

  it("rethrows an error of its caller, before the first chunk and after", async () => {
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
  /** The variable with as many attributes. */
  const FULL = "v50";

  /** Writes more links, attributes and attached axes than HDF5 keeps in one header or heap of the default size. */
  async function writeMany(path: string): Promise<void> {
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
        file.doubles(
          { name, dimensions: ["station", "time"], attributes: { _FillValue: 1e30, ...(name === FULL && texts) } },
          [3, 5],
        );
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

  it("has any number of variables and attributes that netcdf-c reads", async (context) => {
    const path = newPath();
    await writeMany(path);
    const header = runTool(context, "ncdump", ["-h", path]);
    expect(header).toContain("time = UNLIMITED ; // (5 currently)");
    expect(header).toContain(":number = -0.1 ;\n\t\t:whole = 1, -2, 3 ;");
    const declared = [...header.matchAll(/^\t\w+ (\w+)(\(.*\))? ;$/gm)].map(([, name, axes]) => [name, axes ?? ""]);
    expect(declared).toEqual([
      ["time", "(time)"],
      ["alone", ""],
      ["id", "(station, id_strlen)"],
      ["place", "(station, place_strlen)"],
      ...VARIABLES.map((name) => [name, "(station, time)"]),
    ]);
    for (const owner of ["", FULL]) {
      for (const name of VARIABLES) expect(header).toContain(`\t\t${owner}:${name} = "text ö of ${name}" ;\n`);
    }
    const last = runTool(context, "ncdump", ["-v", "v119,id,place,alone", path]).replaceAll(/\s+/g, " ");
    expect(last).toContain("{11900, 11901, 11902, 11903, 11904}, {11905,");
    expect(last).toContain('id = "a", "bcd", "o" ;');
    // ncdump prints bytes beyond ASCII in octal.
    expect(last).toContain('place = "\\303\\266", "", "\\346\\235\\261\\344\\272\\254" ;');
    expect(last).toContain("alone = 7 ;");
  });

  it("has the values of 40,000 stations in chunks with checksums, which netcdf-c and h5wasm read", async (context) => {
    const path = newPath();
    const ids = Array.from({ length: 40_000 }, (_, i) => (i === 39_999 ? "東京" : `station ${i}`));
    const heights = Float64Array.from(ids, (_, i) => i / 8);
    await Hdf5Writer.write(path, async (file) => {
      file.dimension("station", ids.length);
      file.values({ name: "height", dimensions: ["station"], attributes: { units: "m" } }, heights);
      file.names("id", "station", ids, {});
    });
    const file = await opened(path);
    expect([file.read("id"), file.read("height")]).toEqual([ids, heights]);
    file.close();
    const last = runTool(context, "ncks", ["-H", "-d", "station,39998,39999", "-v", "id,height", path]);
    expect(last).toContain("4999.75, 4999.875");
    expect(last).toContain("station 39998");
    const bytes = readFileSync(path);
    // Bits of the compressed values, in the first part of the file.
    for (const at of [100, 20_000, 60_000]) {
      const copy = Buffer.from(bytes);
      copy[at]! ^= 4;
      writeFileSync(path, copy);
      const changed = await opened(path);
      expect(() => [changed.read("id"), changed.read("height")]).toThrow("may be damaged");
      changed.close();
    }
  });

  it("can be extended by NCO", async (context) => {
    const [path, other] = [newPath(), newPath()];
    await writeMany(path);
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
