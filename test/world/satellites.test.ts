import { describe, expect, test } from "vitest";
import { horizonOf, RADIANS } from "#service/world/geometry.ts";
import { createWorld } from "#service/world/index.ts";
import { emptySky, SATELLITES, skyAt } from "#service/world/orbits.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { mean, named, rowsOf } from "./support.ts";

const world = createWorld({ seed: 1 });
const SIDEREAL_DAY_MS = 86_164_091;
const start = Date.UTC(2025, 2, 1);

interface Satellite {
  readonly id: string;
  readonly el: number;
  readonly az: number;
}

const SATELLITE_IDS = SATELLITES.map((satellite) => satellite.id);

function skyOf(latitudeDeg: number, longitudeDeg: number, timeMs: number, maskDeg = 10): Satellite[] {
  const sky = emptySky();
  skyAt(horizonOf({ latitudeDeg, longitudeDeg }, 100), timeMs, maskDeg, sky);
  return Array.from({ length: sky.count }, (_, i) => ({
    id: SATELLITES[sky.satellite[i]!]!.id,
    el: sky.elevationDeg[i]!,
    az: sky.azimuthDeg[i]!,
  }));
}

/** GPS in the middle of the northern sky, where no orbit of 55° leads at 45° north. */
function isPolar({ id, el, az }: Satellite): boolean {
  return id.startsWith("G") && el > 30 && el < 50 && (az < 20 || az > 340);
}

describe("geometry", () => {
  test("has 96 satellites of four constellations with unique ids", () => {
    expect(SATELLITE_IDS).toHaveLength(96);
    expect(new Set(SATELLITE_IDS).size).toBe(96);
    for (const letter of "GREC") expect(SATELLITE_IDS.filter((id) => id.startsWith(letter))).toHaveLength(24);
  });

  test.each([60, 47, -35])("has 20 to 36 satellites above 10° at latitude %d, about 29 on average", (latitude) => {
    const counts = Array.from({ length: 288 }, (_, i) => skyOf(latitude, 20, start + i * 5 * MINUTE_MS).length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(20);
    expect(Math.max(...counts)).toBeLessThanOrEqual(36);
    expect(mean(counts)).toBeGreaterThan(26.5);
    expect(mean(counts)).toBeLessThan(32);
  });

  test("has elevations above the mask and azimuths in range", () => {
    for (let i = 0; i < 100; i++) {
      for (const { el, az } of skyOf(-80 + i * 1.6, i * 3.6 - 180, start + i * HOUR_MS)) {
        expect(el).toBeGreaterThanOrEqual(10);
        expect(el).toBeLessThanOrEqual(90);
        expect(az).toBeGreaterThanOrEqual(0);
        expect(az).toBeLessThan(360);
      }
    }
  });

  test("has the polar hole of inclined orbits", () => {
    const north = Array.from({ length: 288 }, (_, i) => skyOf(45, 10, start + i * 5 * MINUTE_MS)).flat();
    expect(north.filter(isPolar)).toEqual([]);
    const south = Array.from({ length: 288 }, (_, i) => skyOf(-45, 10, start + i * 5 * MINUTE_MS)).flat();
    expect(south.some(isPolar)).toBe(true);
  });

  test("repeats for GPS after a sidereal day, and not for GLONASS", () => {
    const today = skyOf(60, 25, start, 15);
    const tomorrow = new Map(skyOf(60, 25, start + SIDEREAL_DAY_MS, 5).map((s) => [s.id, s]));
    for (const { id, el } of today.filter((s) => s.id.startsWith("G"))) {
      expect(Math.abs(tomorrow.get(id)!.el - el)).toBeLessThan(0.2);
    }
    const moved = today.filter((s) => s.id.startsWith("R") && Math.abs((tomorrow.get(s.id)?.el ?? 0) - s.el) > 5);
    expect(moved.length).toBeGreaterThan(2);
  });

  test("changes by less than half a degree of elevation in 30 s", () => {
    const before = new Map(skyOf(47, 11, start, 5).map((s) => [s.id, s]));
    for (const { id, el } of skyOf(47, 11, start + 30_000, 10))
      expect(Math.abs(before.get(id)!.el - el)).toBeLessThan(0.5);
  });
});

describe("texts", () => {
  const station = named(world, "KIRK00FIN");
  const rows = [0, 5, 11, 17, 23].flatMap((hour) =>
    rowsOf(world, station, {
      startMs: start + hour * HOUR_MS,
      endMs: start + hour * HOUR_MS + 10 * MINUTE_MS,
      satellites: true,
    }),
  );
  const parts = rows.map((r) => r.texts.map((t) => t!.split(",")));

  test("are four lists of the same length and order, with 400 to 1300 characters in total", () => {
    for (const [i, [prn, el, az, snr]] of parts.entries()) {
      expect(new Set([prn!.length, el!.length, az!.length, snr!.length]).size).toBe(1);
      expect(prn).toEqual(prn!.toSorted((a, b) => SATELLITE_IDS.indexOf(a) - SATELLITE_IDS.indexOf(b)));
      for (const id of prn!) expect(id).toMatch(/^[GREC]\d\d$/);
      for (const text of [...el!, ...az!]) expect(text).toMatch(/^\d{1,3}\.\d$/);
      for (const text of snr!) expect(text).toMatch(/^\d\d\.\d\/\d\d\.\d$/);
      const characters = rows[i]!.texts.join("").length;
      expect(characters).toBeGreaterThan(400);
      expect(characters).toBeLessThan(1300);
      const sky = new Map(skyOf(station.latitudeDeg, station.longitudeDeg, rows[i]!.timeMs).map((s) => [s.id, s]));
      for (const [k, id] of prn!.entries()) expect(Math.abs(Number(el![k]) - sky.get(id)!.el)).toBeLessThan(0.052);
    }
  });

  test("have C/N0 of 34 + 15 sin(elevation) with about 1 to 1.5 dB of noise", () => {
    const off = parts.flatMap(([, el, , snr]) =>
      snr!.map((text, k) => Number.parseFloat(text) - (34 + 15 * Math.sin(Number(el![k]) * RADIANS))),
    );
    const bias = mean(off);
    expect(Math.abs(bias)).toBeLessThan(1);
    const deviation = Math.sqrt(mean(off.map((v) => (v - bias) ** 2)));
    expect(deviation).toBeGreaterThan(0.9);
    expect(deviation).toBeLessThan(1.6);
  });

  test("are null if satellites were not requested", () => {
    const [row] = rowsOf(world, station, { startMs: start, endMs: start + DAY_MS });
    expect(row!.texts).toEqual([null, null, null, null]);
  });
});
