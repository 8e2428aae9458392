import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inflateInto } from "#main/store/codec/inflate.ts";
import { DamagedData } from "#main/store/errors.ts";

/** From what compresses well to what does not, with long codes for rare bytes among them. */
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc.array(fc.constantFrom(0, 1, 2, 255), { maxLength: 4_000 }).map((list) => Uint8Array.from(list)),
  fc.tuple(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 1, max: 40 }), fc.nat()).map(([n, skew, seed]) => {
    let state = seed >>> 0;
    return Uint8Array.from({ length: n }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor(255 * (state / 2 ** 32) ** skew);
    });
  }),
);
const anyOptions = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  memLevel: fc.integer({ min: 1, max: 9 }),
  windowBits: fc.integer({ min: 9, max: 15 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FILTERED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
    constants.Z_FIXED,
  ),
});

describe("our own inflate", () => {
  test("gives what zlib deflated, however it did", () => {
    fc.assert(
      fc.property(anyBytes, anyOptions, (raw, options) => {
        const target = new Uint8Array(raw.length).fill(0x55);
        inflateInto(target, deflateRawSync(raw, options));
        expect(Buffer.compare(target, raw)).toBe(0);
      }),
      { numRuns: 1_500 },
    );
  });

  test("of bytes that were changed or cut, gives what zlib gives, or says that they are damaged", () => {
    fc.assert(
      fc.property(anyBytes, anyOptions, fc.nat(), fc.nat(255), fc.boolean(), (raw, options, place, byte, isCut) => {
        const deflated = deflateRawSync(raw, options);
        const at = place % deflated.length;
        if (!isCut) deflated[at] = byte;
        const given = isCut ? deflated.subarray(0, at) : deflated;
        const target = new Uint8Array(raw.length);
        const ours = attempt(() => inflateInto(target, given)) ? target : null;
        const theirs = attempt(() => inflateRawSync(given)) ? inflateRawSync(given) : null;
        const expected = theirs?.length === raw.length ? theirs : null;
        expect(ours && Buffer.from(ours)).toEqual(expected && Buffer.from(expected));
      }),
      { numRuns: 3_000 },
    );
  });

  test("of any bytes at all, ends", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(3_000), (given, length) => {
        const target = new Uint8Array(length);
        attempt(() => inflateInto(target, given));
        expect(target.length).toBe(length);
      }),
      { numRuns: 3_000 },
    );
  });
});

/** Whether it went well; other errors than those of damage are thrown. */
function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (thrown) {
    const isZlib = thrown instanceof Error && "code" in thrown;
    if (!(thrown instanceof DamagedData) && !isZlib) throw thrown;
    return false;
  }
}
