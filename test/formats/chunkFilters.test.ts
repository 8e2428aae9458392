import { randomBytes } from "node:crypto";
import { inflateSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { Deflater, fillChunk } from "#formats/netcdf/hdf5/chunkStream.ts";

const deflater = new Deflater();
afterAll(() => deflater.close());

/** Reverses the filters as the HDF5 specification defines them. */
function restored(deflated: readonly Uint8Array[], filterMask: number, elements: number): Float64Array {
  const bytes = inflateSync(Buffer.concat(deflated));
  expect(bytes.length).toBe(8 * elements);
  const values = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    values[i] = filterMask === 0 ? bytes[(i % 8) * elements + (i >> 3)]! : bytes[i]!;
  }
  return new Float64Array(values.buffer);
}

/** A chunk through the filters, in memory that held something else. */
async function filtered(
  values: Float64Array,
  elements: number,
): Promise<{ readonly deflated: readonly Uint8Array[]; readonly filterMask: number }> {
  const bytes = new Uint8Array(8 * elements).fill(0xaa);
  const filterMask = fillChunk(values, bytes);
  return { deflated: await deflater.deflate(bytes, filterMask === 0), filterMask };
}

/** Values without repetition, the same for each seed. */
function noise(n: number, seed: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => {
    const far = Math.sin(i * 12.9898 + (seed % 1_000)) * 43_758.5453;
    const farther = Math.cos(i * 78.233 + (seed % 1_000)) * 43_758.5453;
    return 2_400 + (far - Math.floor(far)) + (farther - Math.floor(farther)) / 2 ** 20;
  });
}

describe("HDF5 chunks", () => {
  it("are restored exactly, whatever their values and the chunks before them", async () => {
    const values = fc.oneof(
      fc.array(fc.double(), { maxLength: 300 }).map((list) => Float64Array.from(list)),
      fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.nat()).map(([n, seed]) => noise(n, seed)),
      fc.integer({ min: 1_000, max: 3_000 }).map((n) => new Float64Array(randomBytes(8 * n).buffer.slice(0, 8 * n))),
      fc.integer({ min: 1, max: 5_000 }).map((n) => Float64Array.from({ length: n }, (_, i) => Math.round(i / 9) / 10)),
    );
    await fc.assert(
      fc.asyncProperty(values, fc.nat(5_000), async (given, padding) => {
        const elements = Math.max(1, given.length + padding);
        const { deflated, filterMask } = await filtered(given, elements);
        const found = restored(deflated, filterMask, elements);
        expect(found.length).toBe(elements);
        expect(found.findIndex((value, i) => !Object.is(value, given[i] ?? 0) && value === value)).toBe(-1);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ["shuffled, if values do not repeat", noise(65_536, 7), 0, 0.95],
    ["unshuffled, if they do", Float64Array.from({ length: 65_536 }, (_, i) => Math.round(i / 9) / 10), 1, 0.2],
  ])("are %s, and become smaller", async (_, values, mask, share) => {
    const { deflated, filterMask } = await filtered(values, values.length);
    expect(filterMask).toBe(mask);
    expect(restored(deflated, filterMask, values.length)).toEqual(values);
    expect(Buffer.concat(deflated).length).toBeLessThan(share * values.byteLength);
  });
});
