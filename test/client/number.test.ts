import { describe, expect, test } from "vitest";
import { cursorOf } from "#main/client/scanner/bytes.ts";
import { createMomentReader } from "#main/client/scanner/moment.ts";
import { readNumber } from "#main/client/scanner/number.ts";
import { parseUtc } from "#shared/time/utc.ts";

const buffer = Buffer.alloc(256);
const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
const cursor = cursorOf();

function read(text: string): number {
  buffer[buffer.write(text, 3, "latin1") + 3] = 0x2c;
  cursor.at = 3;
  readNumber(buffer, view, cursor);
  return cursor.value;
}

/** A seeded source of random words (xorshift), so that a failure can be repeated. */
function randomWords(seed: number): () => number {
  let x = seed;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x >>> 0;
  };
}

function mismatches(texts: Iterable<string>): string[] {
  const wrong: string[] = [];
  for (const text of texts) {
    const value = read(text);
    if (!Object.is(value, Number(text)) || cursor.at !== 3 + text.length) wrong.push(text);
  }
  return wrong;
}

const ROUNDS = 1_000_000;

describe("numbers from bytes", () => {
  test("short decimals are what Number makes of them", () => {
    const word = randomWords(1);
    expect(
      mismatches(
        (function* () {
          for (let k = 0; k < ROUNDS; k++) {
            const digits = word() % 7;
            yield `${word() % 3 === 0 ? "-" : ""}${word() % 10 ** (word() % 8)}${digits === 0 ? "" : `.${String(word()).slice(0, digits)}`}`;
          }
        })(),
      ),
    ).toStrictEqual([]);
  });

  test("doubles of full precision in the range of measurements are what Number makes of them", () => {
    const word = randomWords(2);
    expect(
      mismatches(
        (function* () {
          for (let k = 0; k < ROUNDS; k++) yield `${((word() + word() / 2 ** 32) / 2 ** 32) * 10 ** (word() % 7)}`;
        })(),
      ),
    ).toStrictEqual([]);
  });

  test("any finite double is what Number makes of it", () => {
    const word = randomWords(3);
    const bits = new DataView(new ArrayBuffer(8));
    expect(
      mismatches(
        (function* () {
          for (let k = 0; k < ROUNDS; k++) {
            bits.setUint32(0, word());
            bits.setUint32(4, word());
            const value = bits.getFloat64(0);
            if (Number.isFinite(value)) yield `${value}`;
          }
        })(),
      ),
    ).toStrictEqual([]);
  });

  test("up to twenty digits, with the point anywhere, are what Number makes of them", () => {
    const word = randomWords(4);
    expect(
      mismatches(
        (function* () {
          for (let k = 0; k < ROUNDS; k++) {
            const digits = `${1 + (word() % 9)}${word()}${word()}`.slice(0, 14 + (word() % 7));
            const point = word() % digits.length;
            yield point === 0 ? `0.${digits}` : `${digits.slice(0, point)}.${digits.slice(point)}`;
          }
        })(),
      ),
    ).toStrictEqual([]);
  });

  test("exactly between two doubles, and one digit beside, the even one is taken", () => {
    const word = randomWords(5);
    expect(
      mismatches(
        (function* () {
          for (let k = 0; k < 100_000; k++) {
            // 53 bits and a half, as an exact decimal of at most 18 digits.
            const odd = (2n ** 53n + 2n * BigInt(word()) + 1n) * (1n + BigInt(word() % 60));
            for (const near of [odd - 1n, odd, odd + 1n]) {
              const text = `${near}`;
              yield text;
              yield `${text.slice(0, 4)}.${text.slice(4)}`;
            }
          }
        })(),
      ),
    ).toStrictEqual([]);
  });

  test.each([
    "-0",
    "0",
    "0.0",
    "-0.0",
    "1E5",
    "1e-5",
    "1.5e+300",
    "5e-324",
    "9007199254740993",
    "0.1",
    "123456789012345678901234567890",
  ])("%s", (text) => {
    expect(mismatches([text])).toStrictEqual([]);
  });

  test.each([
    "",
    "-",
    ".5",
    "+1",
    "01",
    "-01",
    "1.",
    "1.e5",
    "1e",
    "1e+",
    "1e400",
    "-1e400",
    "NaN",
    "x",

    "--1",

    "0e",
  ])("%j is no finite number of JSON", (text) => {
    read(text);
    expect(cursor.at).toBe(-1);
  });
});

describe("moments from bytes", () => {
  test("the service's form, on any day, is what parseUtc makes of it", () => {
    const moments = createMomentReader();
    const wrong: string[] = [];
    const word = randomWords(6);
    for (let k = 0; k < 100_000; k++) {
      const ms = Math.floor((word() / 2 ** 32) * 4e12) - 5e11;
      const iso = new Date(ms).toISOString();
      for (const text of [iso, `${iso.slice(0, 19)}Z`]) {
        buffer[buffer.write(text, 5, "latin1") + 5] = 0x22;
        cursor.at = 5;
        moments.read(buffer, view, cursor);
        if (cursor.value !== parseUtc(text) || cursor.at !== 5 + text.length) wrong.push(text);
      }
    }
    expect(wrong).toStrictEqual([]);
  });

  test("a wrong digit or sign anywhere is never read as another moment", () => {
    const moments = createMomentReader();
    const wrong: string[] = [];
    const right = "2026-03-29T23:59:59.999Z";
    for (let at = 0; at < right.length; at++) {
      for (let byte = 1; byte < 128; byte++) {
        const text = right.slice(0, at) + String.fromCharCode(byte) + right.slice(at + 1);
        buffer[buffer.write(text, 0, "latin1")] = 0x22;
        cursor.at = 0;
        moments.read(buffer, view, cursor);
        if (cursor.at >= 0 && cursor.value !== parseUtc(text.slice(0, cursor.at))) wrong.push(text);
      }
    }
    expect(wrong).toStrictEqual([]);
  });
});
