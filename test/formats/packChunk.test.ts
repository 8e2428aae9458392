import { inflateSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packChunk, type PackedChunk } from "#formats/netcdf/hdf5/kernel/kernel.ts";
import { FILL_DOUBLE } from "#formats/netcdf/sink.ts";

/** Undoes the filters by the book: zlib looks at the checksum too. */
function restored({ bytes, isShuffled }: PackedChunk, elements: number): Uint8Array {
  const plain = inflateSync(bytes);
  expect(plain.length).toBe(8 * elements);
  const values = new Uint8Array(plain.length);
  for (let i = 0; i < plain.length; i++) values[i] = isShuffled ? plain[(i % 8) * elements + (i >> 3)]! : plain[i]!;
  return values;
}

/** Bit for bit what was given, the fill value for NaN, and zeros behind. */
function expected(values: Float64Array, elements: number): Uint8Array {
  const all = new Float64Array(elements);
  all.set(values.map((value) => (Number.isNaN(value) ? FILL_DOUBLE : value)));
  return new Uint8Array(all.buffer);
}

/** Seeded, so that a failure comes again. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Maker = (next: () => number, i: number) => number;

/** What chunks hold, from nothing but noise to nothing at all. */
const MAKERS: readonly Maker[] = [
  (next) => 2_400 + next() + next() / 2 ** 32,
  (next) => Math.floor(next() * 90) / 10,
  (next) => Math.floor(next() * 3_000) / 100,
  (_next, i) => 1.7e9 + 30 * i,
  (next) => (next() < 0.9 ? Number.NaN : next()),
  (next) => (next() < 0.04 ? Number.NaN : 2_400 + next()),
  (_next, i) => (i % 7_000) * 1.1,
  (next) => (next() < 0.99 ? 0 : -0),
  () => Number.NaN,
  (next) => Math.sign(next() - 0.5) * 2 ** Math.floor(next() * 2_000 - 1_000),
];

function made(maker: number, seed: number, length: number): Float64Array {
  const next = random(seed);
  return Float64Array.from({ length }, (_, i) => MAKERS[maker]!(next, i));
}

describe("chunks, shuffled and deflated", () => {
  it("come back to the bit, whatever they hold and whatever came before", () => {
    const makers = fc.nat(MAKERS.length - 1);
    const values = fc.oneof(
      fc.array(fc.double(), { maxLength: 300 }).map((list) => Float64Array.from(list)),
      fc.tuple(makers, fc.nat(), fc.nat(20_000)).map(([maker, seed, length]) => made(maker, seed, length)),
      fc.tuple(makers, makers, fc.nat(), fc.nat(5_000)).map(([a, b, seed, length]) => {
        return Float64Array.from([...made(a, seed, length), ...made(b, seed, length), ...made(a, seed, length)]);
      }),
    );
    fc.assert(
      fc.property(values, fc.nat(5_000), (given, room) => {
        const elements = Math.max(1, given.length + room);
        const found = restored(packChunk(given, elements), elements);
        expect(Buffer.compare(found, expected(given, elements))).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it.each(MAKERS.map((_, maker) => maker))("come back from whole chunks, and from larger ones: %i", (maker) => {
    for (const length of [65_536, 131_072]) {
      const values = made(maker, maker, length);
      expect(Buffer.compare(restored(packChunk(values, length), length), expected(values, length))).toBe(0);
    }
  });

  it("are the same bytes for the same values, whatever came before", () => {
    const values = made(2, 1, 9_000);
    const first = Buffer.from(packChunk(values, 9_000).bytes);
    packChunk(made(0, 2, 30_000), 30_000);
    expect(Buffer.compare(packChunk(values, 9_000).bytes, first)).toBe(0);
    expect(Buffer.compare(packChunk(values, 9_000).bytes, first)).toBe(0);
  });

  it("keep noise nearly as it is, and compress the rest", () => {
    const noise = packChunk(made(0, 7, 65_536), 65_536);
    expect(noise.isShuffled).toBe(true);
    expect(noise.bytes.length).toBeLessThan(0.85 * 8 * 65_536);
    const decimals = packChunk(made(1, 7, 65_536), 65_536);
    expect(decimals.isShuffled).toBe(false);
    expect(decimals.bytes.length).toBeLessThan(0.25 * 8 * 65_536);
    expect(packChunk(made(3, 7, 65_536), 65_536).bytes.length).toBeLessThan(0.3 * 8 * 65_536);
    expect(packChunk(made(8, 7, 65_536), 65_536).bytes.length).toBeLessThan(5_000);
  });
});
