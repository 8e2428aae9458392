import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pack, unpack } from "#shared/bridge/transport/pack.ts";

const bytes = fc.uint8Array({ maxLength: 64 });
const array = fc.oneof(
  fc.array(fc.double(), { maxLength: 20 }).map((list) => Float64Array.from(list)),
  fc.array(fc.float(), { maxLength: 20 }).map((list) => Float32Array.from(list)),
  fc.array(fc.nat(), { maxLength: 20 }).map((list) => Uint32Array.from(list)),
  fc.array(fc.integer(), { maxLength: 20 }).map((list) => Int32Array.from(list)),
  fc.array(fc.nat(65_535), { maxLength: 20 }).map((list) => Uint16Array.from(list)),
  bytes,
  // A part of a larger buffer that begins anywhere.
  fc
    .tuple(fc.array(fc.double(), { minLength: 3, maxLength: 9 }), fc.nat(2))
    .map(([list, from]) => Float64Array.from(list).subarray(from)),
);
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\ud800", "\udfff x", "\u0000", "\u2028", "😀"));
const key = text.filter((name) => !name.startsWith("$") && name !== "__proto__");
const { message } = fc.letrec((tie) => ({
  message: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(text, fc.double(), fc.constantFrom(-0, 0, Number.NaN, Infinity, -Infinity), fc.boolean(), array),
    fc.constant(null),
    fc.array(tie("message"), { maxLength: 5 }),
    fc.dictionary(key, tie("message"), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

/** A typed array by its type and bits: -0 and NaN are told apart. */
function bitsOf(value: unknown): unknown {
  if (ArrayBuffer.isView(value))
    return [value.constructor.name, ...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
  if (Array.isArray(value)) return value.map(bitsOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, bitsOf(item)]));
}

/** Whether reading gives a message or an error: nothing else, and soon. */
function endsWell(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    unpack(bytes);
    return true;
  } catch (thrown) {
    return thrown instanceof Error;
  }
}

describe("packed messages", () => {
  it("come out as they went in, to the bit", () => {
    fc.assert(
      fc.property(message, (sent) => {
        expect(bitsOf(unpack(pack(sent)))).toStrictEqual(bitsOf(sent));
      }),
      { numRuns: 500 },
    );
  });

  it("are read wherever they lie in their buffer", () => {
    fc.assert(
      fc.property(message, fc.nat(9), (sent, at) => {
        const packed = pack(sent);
        const elsewhere = new Uint8Array(packed.length + at);
        elsewhere.set(packed, at);
        expect(bitsOf(unpack(elsewhere.subarray(at)))).toStrictEqual(bitsOf(sent));
      }),
    );
  });

  it("are refused where they are cut off or changed, or read as another message, and never hang", () => {
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
    ["a place before the arrays", `{"$array":"Uint8Array","at":-8,"length":8}`],
    ["a place between elements", `{"$array":"Float64Array","at":4,"length":1}`],
    ["more than there is", `{"$array":"Float64Array","at":0,"length":3}`],
    ["far more than there is", `{"$array":"Float64Array","at":0,"length":9007199254740991}`],
    ["no length", `{"$array":"Float64Array","at":0}`],
    ["half an element", `{"$array":"Float64Array","at":0,"length":0.5}`],
    ["an unknown number", `{"$number":"toString"}`],
    ["a depth beyond all messages", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    ["bytes that are no text", `"\ud800"`],
  ])("are refused with %s", (_, json) => {
    const whole = pack(null);
    const said = json.includes("\ud800") ? Uint8Array.of(34, 0xff, 34) : new TextEncoder().encode(json);
    const length = Math.ceil(said.length / 8) * 8;
    const hostile = new Uint8Array(whole.length + length + 16);
    new DataView(hostile.buffer).setUint32(0, said.length, true);
    hostile.set(said, 8);
    expect(() => unpack(hostile.subarray(0, 8 + length + 16))).toThrow(Error);
  });

  it("hold no types that the other side would not know", () => {
    expect(() => pack({ values: new BigInt64Array(1) })).toThrow(/BigInt64Array/);
  });
});
