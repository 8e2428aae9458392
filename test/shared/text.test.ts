import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { count, decimal, many, shortCount } from "#shared/text.ts";

const SOURCES = join(import.meta.dirname, "..", "..", "src");

test("numbers are written with thousands separators, a true minus sign and no negative zero", () => {
  expect(count(1_204_300)).toBe("1,204,300");
  expect([many(1, "station"), many(2_000, "oddity", "oddities")]).toEqual(["1 station", "2,000 oddities"]);
  expect(decimal(2411.34, 1)).toBe("2,411.3");
  expect(decimal(2411.3456, 1, 3)).toBe("2,411.346");
  expect([decimal(-0.01, 1), decimal(-1_234, 0), decimal(Number.NaN, 1)]).toEqual(["0.0", "−1,234", "–"]);
});

function sizeOf(text: string): number {
  return Number(text.replace("k", "")) * (text.endsWith("k") ? 1_000 : 1);
}

test("a short count has at most four characters below a million, and never decreases", () => {
  expect([812, 1_234, 9_949, 9_950, 98_000].map(shortCount)).toEqual(["812", "1.2k", "9.9k", "10k", "98k"]);
  fc.assert(
    fc.property(fc.nat({ max: 999_499 }), fc.nat({ max: 999_499 }), (a, b) => {
      expect(shortCount(a).length).toBeLessThanOrEqual(4);
      expect(sizeOf(shortCount(Math.min(a, b)))).toBeLessThanOrEqual(sizeOf(shortCount(Math.max(a, b))));
    }),
  );
});

test("numbers are formatted in one module", () => {
  // The simulated service formats the numbers of its messages independently.
  const allowed = new Set(["shared/text.ts", "service/measurements/size.ts"]);
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const others = files.filter(
    (name) =>
      !allowed.has(name) && /\.toLocaleString\(|Intl\.NumberFormat/.test(readFileSync(join(SOURCES, name), "utf8")),
  );
  expect(others).toEqual([]);
});
