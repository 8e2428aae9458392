import { randomBytes } from "node:crypto";
import { inflateSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { Deflater } from "#formats/netcdf/hdf5/deflate.ts";
import { plainChunk } from "#formats/netcdf/hdf5/pack.ts";

const deflater = new Deflater();
afterAll(() => deflater.close());

/** Undoes the filters by the book. */
function restored(pieces: readonly Uint8Array[], filterMask: number, elements: number): Float64Array {
  const bytes = inflateSync(Buffer.concat(pieces));
  expect(bytes.length).toBe(8 * elements);
  const plain = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    plain[i] = filterMask === 0 ? bytes[(i % 8) * elements + (i >> 3)]! : bytes[i]!;
  }
  return new Float64Array(plain.buffer);
}

/** Seeded, so that a failure comes again. */
function noise(n: number, seed: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => {
    const far = Math.sin(i * 12.9898 + (seed % 1_000)) * 43_758.5453;
    const farther = Math.cos(i * 78.233 + (seed % 1_000)) * 43_758.5453;
    return 2_400 + (far - Math.floor(far)) + (farther - Math.floor(farther)) / 2 ** 20;
  });
}

describe("chunks, shuffled and deflated", () => {
  it("come back to the bit, whatever they hold and whatever came before", async () => {
    const values = fc.oneof(
      fc.array(fc.double(), { maxLength: 300 }).map((list) => Float64Array.from(list)),
      fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.nat()).map(([n, seed]) => noise(n, seed)),
      fc.integer({ min: 1_000, max: 3_000 }).map((n) => new Float64Array(randomBytes(8 * n).buffer.slice(0, 8 * n))),
      fc.integer({ min: 1, max: 5_000 }).map((n) => Float64Array.from({ length: n }, (_, i) => Math.round(i / 9) / 10)),
    );
    await fc.assert(
      fc.asyncProperty(values, fc.nat(5_000), async (given, room) => {
        const elements = Math.max(1, given.length + room);
        const plain = plainChunk(given, elements, new Uint8Array(8 * elements).fill(0xaa));
        const found = restored(await deflater.deflate(plain), plain.filterMask, elements);
        expect(found.length).toBe(elements);
        expect(found.findIndex((value, i) => !Object.is(value, given[i] ?? 0) && value === value)).toBe(-1);
      }),
      { numRuns: 150 },
    );
  });

  it("keep noise as it is, several blocks of it, and compress the rest", async () => {
    const values = noise(65_536, 7);
    const plain = plainChunk(values, values.length, new Uint8Array(values.byteLength));
    const noiseBytes = plain.noise!.bytes;
    expect(noiseBytes).toBeGreaterThan(2 * 65_536);
    expect(noiseBytes).toBeLessThan(values.byteLength);
    const pieces = await deflater.deflate(plain);
    expect(restored(pieces, plain.filterMask, values.length)).toEqual(values);
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    expect(bytes).toBeGreaterThan(noiseBytes);
    expect(bytes).toBeLessThan(0.95 * values.byteLength);
  });
});
