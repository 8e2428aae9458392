import { describe, expect, it } from "vitest";

const numbers = (at?: number, value?: unknown): unknown[] =>
  Array.from({ length: 1_000 }, (_, i) => (i === at ? value : i));
const floats = (at: number, value: number): Float64Array =>
  Float64Array.from({ length: 1_000 }, (_, i) => (i === at ? value : i));

describe("long arrays", () => {
  it("are equal if their elements are equal or match", () => {
    expect(numbers()).toEqual(numbers());
    expect({ rows: [floats(7, Number.NaN)] }).toEqual({ rows: [floats(7, Number.NaN)] });
    expect(numbers(7, expect.any(String))).not.toEqual(numbers());
    expect(numbers(7, "seven")).toEqual(numbers(7, expect.any(String)));
  });

  it("differ if an element, the length, the type or the sign of a zero differs", () => {
    expect(numbers()).not.toEqual(numbers(999, 998));
    expect(numbers()).not.toEqual([...numbers(), 1_000]);
    expect(numbers(0, -0)).not.toEqual(numbers());
    expect({ rows: [floats(0, -0)] }).not.toEqual({ rows: [floats(0, 0)] });
    expect(floats(0, 0)).not.toEqual(numbers());
  });
});
