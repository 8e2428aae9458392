import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hexToLab, ramp } from "#renderer/map/oklab.ts";
import { scaleDomain, commonGroup, paintScale } from "#renderer/map/painting.ts";

const TOKENS = readFileSync(join(import.meta.dirname, "../../src/renderer/ui/tokens.css"), "utf8");
const THEMES = {
  light: TOKENS.split(':root[data-theme="dark"]')[0]!,
  dark: TOKENS.split(':root[data-theme="dark"]')[1]!,
};

function token(theme: keyof typeof THEMES, name: string): string {
  const value = new RegExp(`${name}: (#[0-9a-f]{6});`).exec(THEMES[theme])?.[1];
  if (value === undefined) throw new Error(`no ${name} in the ${theme} theme`);
  return value;
}

type Rgb = readonly [number, number, number];

/** Simulation of colour vision deficiencies in linear light: Machado, Oliveira and Fernandes 2009, severity 1. */
const VISION: Readonly<Record<string, readonly Rgb[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function seenWith(vision: string, hex: string): string {
  const rgb = linear(hex);
  const seen = VISION[vision]!.map((row) => row.reduce((sum, weight, i) => sum + weight * rgb[i]!, 0));
  return `#${seen.map(byte).join("")}`;
}

/** Two hex digits of a linear component. */
function byte(c: number): string {
  const clear = Math.min(1, Math.max(0, c));
  const encoded = clear <= 0.0031308 ? 12.92 * clear : 1.055 * clear ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, "0");
}

function linear(hex: string): number[] {
  return [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
}

function contrast(a: string, b: string): number {
  const [high, low] = [a, b]
    .map((hex) => linear(hex).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i]!, 0.05))
    .toSorted((x, y) => y - x) as [number, number];
  return high / low;
}

describe.each(["light", "dark"] as const)("the colour scale of the %s theme", (theme) => {
  const stops = ["--ramp-low", "--ramp-middle", "--ramp-high"].map((name) => token(theme, name));
  const steps = ramp(stops, 32);

  test("starts and ends with the colours of its tokens", () => {
    expect([steps[0], steps.at(-1)]).toEqual([stops[0], stops[2]]);
  });

  test.each(Object.keys(VISION))("has monotonic, nearly even lightness for %s vision", (vision) => {
    const lightness = steps.map((hex) => hexToLab(seenWith(vision, hex))[0]);
    const changes = lightness.slice(1).map((l, i) => (theme === "light" ? lightness[i]! - l : l - lightness[i]!));
    expect(Math.min(...changes)).toBeGreaterThan(0.004);
    expect(Math.max(...changes) / Math.min(...changes)).toBeLessThan(3);
    expect(Math.abs(lightness.at(-1)! - lightness[0]!)).toBeGreaterThan(0.35);
  });

  test("has enough contrast to land and water, by its colour or edge", () => {
    for (const ground of ["--map-land", "--map-water"].map((name) => token(theme, name))) {
      for (const hex of steps) {
        const seen = Math.max(
          contrast(hex, ground),
          theme === "light" ? contrast(token(theme, "--map-edge"), ground) : 0,
        );
        expect(seen).toBeGreaterThan(2.4);
      }
      expect(contrast(token(theme, "--map-nothing"), ground)).toBeGreaterThan(2.4);
    }
  });
});

test("a ramp has the colours of its stops", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (n) => {
      const hex = `#${n.toString(16).padStart(6, "0")}`;
      expect(ramp([hex, hex], 1)).toEqual([hex]);
    }),
  );
});

describe("colour scales of the map", () => {
  const value = fc.oneof(
    fc.integer({ min: -1e7, max: 1e7 }).map((n) => n / 1_000),
    fc.constant(Number.NaN),
  );

  test("keep the order of values, and have no colour for missing ones", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 50 }), (all) => {
        const { groups } = paintScale(Float64Array.from(all), [-100, 100], ramp(["#000000", "#ffffff"], 32), "#888888");
        all.forEach((v, i) => {
          expect(groups[i] === 0).toBe(Number.isNaN(v));
          expect(all.every((w, k) => !(v < w) || groups[i]! <= groups[k]!)).toBe(true);
        });
      }),
    );
  });

  test("have round bounds that include at least 95 % of values and never shrink", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 300 }), fc.array(value, { maxLength: 300 }), (first, second) => {
        const before = scaleDomain(Float64Array.from(first), 5, null);
        const after = scaleDomain(Float64Array.from(second), 5, before);
        expect(after === null).toBe([...first, ...second].every(Number.isNaN));
        const [low, high] = after ?? [0, 5];
        expect([low % 5 === 0, high % 5 === 0, high > low]).toEqual([true, true, true]);
        expect(before === null || (low <= before[0] && high >= before[1])).toBe(true);
        const own = second.filter((v) => !Number.isNaN(v));
        expect(own.filter((v) => v < low || v > high).length).toBeLessThanOrEqual(Math.ceil(0.05 * own.length));
      }),
    );
  });

  test("give clusters the mean of a scale, or the class common to all their stations", () => {
    const scale = { groups: Uint8Array.of(2, 4, 0), colours: [], isScale: true };
    expect(commonGroup(scale, [0, 1, 2])).toBe(3);
    const classes = { groups: Uint8Array.of(2, 2, 3, 0), colours: [], isScale: false };
    expect([commonGroup(classes, [0, 1]), commonGroup(classes, [0, 2]), commonGroup(classes, [3])]).toEqual([2, 0, 0]);
  });
});
