import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Variable } from "#shared/service/variables.ts";
import { regularBody, unusualBody } from "./bodies.ts";
import { createRowScanner } from "#main/client/scanner/scanner.ts";
import { collector, readWhole, scan } from "./oracle.ts";
import { gateCases, tries } from "../support/endurance.ts";

const VARIABLES: readonly Variable[] = ["ztd", "ztd_sigma", "pwv", "el"];
const body = fc.oneof(regularBody, unusualBody).map((text) => Buffer.from(text));
/** Damaged bodies to read. */
const RUNS = tries(gateCases(400), 5_000);
const bufferBytes = fc.constantFrom(64, 300, 1_000, 3_000);
const cuts = fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 12 });

function within(bytes: Buffer, places: readonly number[]): number[] {
  return places.map((place) => place % (bytes.length + 1));
}

describe("the row scanner", () => {
  test("reads the same as JSON.parse, cut anywhere, to the bit and character", () => {
    fc.assert(
      fc.property(body, cuts, bufferBytes, (bytes, places, capacity) => {
        const { fault, ...scanned } = scan(bytes, VARIABLES, within(bytes, places), capacity);
        const whole = readWhole(bytes, VARIABLES);
        // JSON without a readable time, or with a count but no rows, is no response.
        expect(fault?.why ?? null).toBe(whole === null ? "unusable" : null);
        expect(fault === null ? scanned : null).toStrictEqual(whole);
      }),
      { numRuns: tries(gateCases(250), 3_000) },
    );
  });

  test("reads the same if every byte arrives separately", () => {
    fc.assert(
      fc.property(body, (bytes) => {
        const each = Array.from({ length: bytes.length }, (_, k) => k);
        const { fault, ...scanned } = scan(bytes, VARIABLES, each);
        expect(fault === null ? scanned : null).toStrictEqual(readWhole(bytes, VARIABLES));
      }),
      { numRuns: gateCases(300) },
    );
  });

  test("reads a damaged body like JSON.parse or rejects it", () => {
    const damage = fc.record({
      kind: fc.nat(4),
      at: fc.nat({ max: 1_000_000 }),
      length: fc.integer({ min: 1, max: 40 }),
      byte: fc.nat(255),
    });
    let refused = 0;
    fc.assert(
      fc.property(
        fc.oneof(regularBody, unusualBody),
        fc.array(damage, { minLength: 1, maxLength: 2 }),
        cuts,
        bufferBytes,
        (text, damages, places, capacity) => {
          let bytes = Buffer.from(text);
          for (const damage of damages) bytes = damaged(bytes, damage);
          const { fault, ...scanned } = scan(bytes, VARIABLES, within(bytes, places), capacity);
          const whole = readWhole(bytes, VARIABLES);
          if (whole === null) refused++;
          // JSON.parse accepts two fields of the same name and silently uses the last.
          const isTwice = fault?.detail === "two fields named data";
          expect(fault === null ? scanned : null).toStrictEqual(isTwice ? null : whole);
        },
      ),
      { numRuns: RUNS },
    );
    // Most damage must make a body invalid; otherwise the test proves little.
    expect(refused).toBeGreaterThan(0.4 * RUNS);
  });

  test("recognizes a truncated body at any length", () => {
    fc.assert(
      fc.property(regularBody, fc.nat({ max: 1_000_000 }), cuts, bufferBytes, (text, end, places, capacity) => {
        const whole = Buffer.from(text.trimEnd());
        // At least the first brace: an empty body counts as empty, not as truncated.
        const first = whole.indexOf("{") + 1;
        const bytes = whole.subarray(0, first + (end % (whole.length - first)));
        expect(scan(bytes, VARIABLES, within(bytes, places), capacity).fault?.why).toBe("cutShort");
      }),
      { numRuns: tries(gateCases(100), 1_000) },
    );
  });

  test.each([
    ["an HTML page", "<!doctype html><html></html>", "otherShape"],
    ["data twice", '{"data":[],"data":[]}', "damaged"],
    ["data of two kinds", '{"data":{},"data":[]}', "damaged"],
    ["an additional comma", '{"data":[{},]}', "damaged"],
    ["garbage after the end", '{"data":[]}x', "damaged"],
    ["garbage after a bare list", "[]x", "damaged"],
    ["a second response", '{"data":[]}{"data":[]}', "damaged"],
    ["a leading zero", '{"data":[{"ztd":01}]}', "damaged"],
    ["a number without decimals", '{"data":[{"ztd":1.}]}', "damaged"],
    ["two byte order marks", '\xef\xbb\xbf\xef\xbb\xbf{"data":[]}', "otherShape"],
    ["a space before the byte order mark", ' \xef\xbb\xbf{"data":[]}', "otherShape"],
    ["a byte order mark inside", '{"data":[\xef\xbb\xbf{}]}', "damaged"],
    ["half a body", '{"data":[]', "cutShort"],
    ["half a bare list", "[", "cutShort"],
  ])("rejects %s", (_, text, why) => {
    const bytes = Buffer.from(text, "latin1");
    for (const places of [[], Array.from({ length: bytes.length }, (_, k) => k)]) {
      expect(scan(bytes, VARIABLES, places).fault?.why).toBe(why);
    }
  });

  test("reads rows with a name that is not UTF-8, but no such value", () => {
    const start = '{"timestamp":"2026-01-01T00:00:00.000Z","station_id":"a","display_name"';
    const text = `{"data":[${start}:"Hein\xe4niemi","prn":"G01"},${start}:"A","prn":"G\xff1"}]}`;
    const { fault, table, irregularities } = scan(Buffer.from(text, "latin1"), ["prn"]);
    expect({ fault, values: table["a"]?.map((r) => r[1]), irregularities }).toStrictEqual({
      fault: null,
      values: ["G01", null],
      irregularities: { unreadableValue: 1 },
    });
  });

  test("reads deep nesting, and the rows beside it", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const [plain, nested] = ["", `,"x":${deep}`].map(
      (extra) => `{"timestamp":"2026-01-01T00:00:00.000Z","station_id":"a","ztd":1${extra}}`,
    );
    const bytes = Buffer.from(`{"meta":${deep},"data":[${plain},${nested},${plain}]}`);
    const { fault, rows, table } = scan(bytes, ["ztd"]);
    expect({ fault, rows, values: table["a"]?.map((r) => r[1]) }).toStrictEqual({
      fault: null,
      rows: 3,
      values: [1, 1, 1],
    });
  });

  test("rejects a row of more than 16 MB", () => {
    const bytes = Buffer.from(`{"data":[{"x":"${"y".repeat(17_000_000)}"}]}`);
    expect(scan(bytes, VARIABLES).fault?.why).toBe("damaged");
  });

  test("passes rows in blocks before the body ends, with at most 65,536 pending", () => {
    // So many stations that no block is full.
    const rows = Array.from({ length: 100_000 }, (_, k) => {
      return `{"timestamp":"${new Date(k * 30_000).toISOString()}","station_id":"s${k % 500}","ztd":${k}}`;
    });
    const { table, onRows } = collector(["ztd"]);
    let shared = 0;
    const scanner = createRowScanner(["ztd"], (block) => {
      shared += block.timesMs.length;
      onRows(block);
    });
    let most = 0;
    const bytes = Buffer.from(`{"data":[${rows.join(",")}]}`);
    for (let at = 0; at < bytes.length; at += 4_096) {
      scanner.push(bytes.subarray(at, at + 4_096));
      most = Math.max(most, scanner.rows() - shared);
    }
    expect(scanner.end()).toBeNull();
    expect(most).toBeLessThanOrEqual(65_536);
    const seen = Object.values(table).flat();
    expect(seen).toHaveLength(100_000);
    expect(seen.every(([timeMs, ztd]) => timeMs === Number(ztd) * 30_000)).toBe(true);
  });

  test("reads concurrent bodies, and bodies after a failed one, independently", () => {
    fc.assert(
      fc.property(fc.array(body, { minLength: 1, maxLength: 2 }), fc.nat(3_000), (bodies, step) => {
        // Each body twice, because both have the same row shapes.
        const read = [...bodies, ...bodies].map((bytes) => {
          const { table, onRows } = collector(VARIABLES);
          return { bytes, table, scanner: createRowScanner(VARIABLES, onRows), at: 0 };
        });
        // Alternately, so that each starts and ends while others are read.
        while (read.some((one) => one.at < one.bytes.length)) {
          for (const one of read) {
            const next = Math.min(one.bytes.length, one.at + 1 + step);
            if (one.at < next) one.scanner.push(one.bytes.subarray(one.at, next));
            one.at = next;
          }
        }
        for (const { bytes, table, scanner } of read) {
          const whole = readWhole(bytes, VARIABLES);
          expect(scanner.end() === null ? table : null).toStrictEqual(whole?.table ?? null);
          scanner.release();
        }
      }),
      { numRuns: gateCases(300) },
    );
  });
});

interface Damage {
  readonly kind: number;
  readonly at: number;
  readonly length: number;
  readonly byte: number;
}

function damaged(bytes: Buffer, { kind, at, length, byte }: Damage): Buffer<ArrayBuffer> {
  const start = at % bytes.length;
  const before = bytes.subarray(0, start);
  const inner = bytes.subarray(start, start + length);
  const behind = bytes.subarray(start + length);
  // Characters of the JSON syntax do more damage than others.
  const sign = '{}[]",:\\0-.eE '.charCodeAt(byte % 14);
  switch (kind) {
    case 0:
      return Buffer.concat([before, behind]);
    case 1:
      return Buffer.concat([before, inner, inner, behind]);
    case 2:
      return Buffer.concat([before, Buffer.of(sign), bytes.subarray(start + 1)]);
    case 3:
      return Buffer.concat([before, Buffer.of(byte), bytes.subarray(start + 1)]);
    default:
      return Buffer.concat([before, Buffer.of(sign), bytes.subarray(start)]);
  }
}
