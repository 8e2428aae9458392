import { describe, expect, test } from "vitest";
import { acquireKernel } from "#main/client/scanner/kernel/kernel.ts";
import { parseUtc } from "#shared/time/utc.ts";
import { gateCases, tries } from "../support/endurance.ts";

const kernel = acquireKernel();
const address = kernel.allocate(256);

/** Writes the text followed by a comma, which belongs to no number or time, and returns its address. */
function place(text: string): number {
  kernel.bytes[address + 3 + kernel.bytes.write(text, address + 3, "latin1")] = 0x2c;
  return address + 3;
}

/** Reads the number at the start of the text, and its length; 0 without one. */
function readNumber(text: string): { readonly value: number; readonly length: number } {
  const at = place(text);
  const end = kernel.readNumber(at);
  return { value: kernel.value(), length: Math.max(0, end - at) };
}

function readMoment(text: string): { readonly ms: number; readonly length: number } {
  const at = place(text);
  const end = kernel.readMoment(at);
  return { ms: kernel.value(), length: Math.max(0, end - at) };
}

/** A seeded random generator (xorshift), so that failures can be reproduced. */
function randomWords(seed: number): () => number {
  let x = seed;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x >>> 0;
  };
}

const ROUNDS = tries(gateCases(40_000), 2_000_000);
const bits = new DataView(new ArrayBuffer(8));

/** Kinds of numbers; each draws one from random words. */
const KINDS: Readonly<Record<string, (word: () => number) => string>> = {
  "short decimals": (word) => {
    const digits = word() % 7;
    const decimals = digits === 0 ? "" : `.${String(word()).slice(0, digits)}`;
    return `${word() % 3 === 0 ? "-" : ""}${word() % 10 ** (word() % 8)}${decimals}`;
  },
  "doubles of full precision in the range of measurements": (word) =>
    `${((word() + word() / 2 ** 32) / 2 ** 32) * 10 ** (word() % 7)}`,
  "any finite doubles": (word) => {
    bits.setUint32(0, word());
    bits.setUint32(4, word());
    const value = bits.getFloat64(0);
    return Number.isFinite(value) ? `${value}` : "0";
  },
  "up to twenty digits with a point anywhere": (word) => {
    const digits = `${1 + (word() % 9)}${word()}${word()}`.slice(0, 14 + (word() % 7));
    const point = word() % digits.length;
    return point === 0 ? `0.${digits}` : `${digits.slice(0, point)}.${digits.slice(point)}`;
  },
  // 53.5 bits, as an exact decimal of at most 18 digits.
  "ties between two doubles, which are rounded to even, and their neighbours": (word) => {
    const odd = (2n ** 53n + 2n * BigInt(word()) + 1n) * (1n + BigInt(word() % 60));
    const text = `${odd + BigInt(word() % 3) - 1n}`;
    return word() % 2 === 0 ? text : `${text.slice(0, 4)}.${text.slice(4)}`;
  },
};
const EDGES = "-0 0 0.0 -0.0 1E5 1e-5 1.5e+300 5e-324 9007199254740993 0.1 123456789012345678901234567890".split(" ");
const NO_NUMBERS = ["", ..."- .5 +1 01 -01 1. 1.e5 1e 1e+ 1e400 -1e400 NaN x --1 0e".split(" ")];

/** Whether a text is read as another number than JavaScript reads. */
function isWrong(text: string): boolean {
  const { value, length } = readNumber(text);
  return !Object.is(value, Number(text)) || length !== text.length;
}

describe("numbers from bytes", () => {
  test.each(Object.entries(KINDS))("equal those of Number: %s", (_, draw) => {
    const word = randomWords(1);
    const wrong: string[] = [];
    for (let k = 0; k < ROUNDS; k++) {
      const text = draw(word);
      if (isWrong(text)) wrong.push(text);
    }
    expect(wrong).toStrictEqual([]);
  });

  test("equal those of Number at the edges, and are none where JSON has none", () => {
    expect(EDGES.filter(isWrong)).toStrictEqual([]);
    expect(NO_NUMBERS.filter((text) => readNumber(text).length > 0)).toStrictEqual([]);
  });
});

describe("moments from bytes", () => {
  test("the service's form gives the same as parseUtc on any day", () => {
    const wrong: string[] = [];
    const word = randomWords(6);
    for (let k = 0; k < ROUNDS / 10; k++) {
      const iso = new Date(Math.floor((word() / 2 ** 32) * 4e12) - 5e11).toISOString();
      for (const text of [iso, `${iso.slice(0, 19)}Z`]) {
        const { ms, length } = readMoment(text);
        if (ms !== parseUtc(text) || length !== text.length) wrong.push(text);
      }
    }
    expect(wrong).toStrictEqual([]);
  });

  test("a wrong character anywhere never gives another moment", () => {
    const wrong: string[] = [];
    const right = "2026-03-29T23:59:59.999Z";
    for (let at = 0; at < right.length; at++) {
      for (let byte = 1; byte < 128; byte++) {
        const text = right.slice(0, at) + String.fromCharCode(byte) + right.slice(at + 1);
        const { ms, length } = readMoment(text);
        if (length > 0 && ms !== parseUtc(text.slice(0, length))) wrong.push(text);
      }
    }
    expect(wrong).toStrictEqual([]);
  });
});
