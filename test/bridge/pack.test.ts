import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pack, unpack } from "#shared/bridge/transport/pack.ts";
import { anyCharacter } from "../support/characters.ts";

const bytes = fc.uint8Array({ maxLength: 64 });
const array = fc.oneof(
  fc.array(fc.double(), { maxLength: 20 }).map((list) => Float64Array.from(list)),
  fc.array(fc.float(), { maxLength: 20 }).map((list) => Float32Array.from(list)),
  fc.array(fc.nat(), { maxLength: 20 }).map((list) => Uint32Array.from(list)),
  fc.array(fc.integer(), { maxLength: 20 }).map((list) => Int32Array.from(list)),
  fc.array(fc.nat(65_535), { maxLength: 20 }).map((list) => Uint16Array.from(list)),
  bytes,
  // A part of a larger buffer at any offset.
  fc
    .tuple(fc.array(fc.double(), { minLength: 3, maxLength: 9 }), fc.nat(2))
    .map(([list, from]) => Float64Array.from(list).subarray(from)),
);
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom("\ud800", "\udfff x", "\u0000", "\u2028", "😀"),
);
// JSON.parse of V8 takes a key that begins with an escape for "\\" if an object before had that key in its place.
const key = text.filter((name) => !name.startsWith("$") && name !== "__proto__" && name !== "\\");
const { message } = fc.letrec((tie) => ({
  message: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(text, fc.double(), fc.constantFrom(-0, 0, Number.NaN, Infinity, -Infinity), fc.boolean(), array),
    fc.constant(null),
    fc.array(tie("message"), { maxLength: 5 }),
    fc.dictionary(key, tie("message"), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

/** A typed array by its type and bits, to distinguish -0 and NaN. */
function bitsOf(value: unknown): unknown {
  if (ArrayBuffer.isView(value))
    return [value.constructor.name, ...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
  if (Array.isArray(value)) return value.map(bitsOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, bitsOf(item)]));
}

/** Whether reading gives a message or an `Error`. */
function endsWell(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    unpack(bytes);
    return true;
  } catch (thrown) {
    return thrown instanceof Error;
  }
}

describe("packed messages", () => {
  it("round-trip to the bit", () => {
    fc.assert(
      fc.property(message, (sent) => {
        expect(bitsOf(unpack(pack(sent)))).toStrictEqual(bitsOf(sent));
      }),
      { numRuns: 500 },
    );
  });

  it("are read at any offset of a buffer", () => {
    fc.assert(
      fc.property(message, fc.nat(9), (sent, at) => {
        const packed = pack(sent);
        const elsewhere = new Uint8Array(packed.length + at);
        elsewhere.set(packed, at);
        expect(bitsOf(unpack(elsewhere.subarray(at)))).toStrictEqual(bitsOf(sent));
      }),
    );
  });

  it("are rejected or read as another message if they are truncated or changed, without hanging", () => {
    fc.assert(
      fc.property(
        message,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 }),
        fc.nat(),
        (sent, edits, cut) => {
          const packed = pack(sent);
          for (const [at, byte] of edits) packed[at % packed.length] = byte;
          expect([endsWell(packed), endsWell(packed.slice(0, cut % packed.length))]).toEqual([true, true]);
        },
      ),
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (junk) => endsWell(new Uint8Array(junk))));
  });

  it.each([
    ["an unknown type", `{"$array":"constructor","at":0,"length":1}`],
    ["an offset before the arrays", `{"$array":"Uint8Array","at":-8,"length":8}`],
    ["an offset between elements", `{"$array":"Float64Array","at":4,"length":1}`],
    ["too large a length", `{"$array":"Float64Array","at":0,"length":3}`],
    ["a far too large length", `{"$array":"Float64Array","at":0,"length":9007199254740991}`],
    ["a missing length", `{"$array":"Float64Array","at":0}`],
    ["half an element", `{"$array":"Float64Array","at":0,"length":0.5}`],
    ["an unknown number", `{"$number":"toString"}`],
    ["too deep nesting", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    ["invalid UTF-8", `"\ud800"`],
  ])("are rejected with %s", (_, json) => {
    const whole = pack(null);
    const bytesOfJson = json.includes("\ud800") ? Uint8Array.of(34, 0xff, 34) : new TextEncoder().encode(json);
    const length = Math.ceil(bytesOfJson.length / 8) * 8;
    const hostile = new Uint8Array(whole.length + length + 16);
    new DataView(hostile.buffer).setUint32(0, bytesOfJson.length, true);
    hostile.set(bytesOfJson, 8);
    expect(() => unpack(hostile.subarray(0, 8 + length + 16))).toThrow(Error);
  });

  it("reject types that the other side does not support", () => {
    expect(() => pack({ values: new BigInt64Array(1) })).toThrow(/BigInt64Array/);
  });
});
