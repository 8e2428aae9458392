import { describe, expect, test } from "vitest";
import { hydrostaticDelayMm, meanTemperatureK, pressureShare, waterPerDelay } from "#service/world/geometry.ts";

describe("physics", () => {
  test("Saastamoinen gives 2.3070 m for 1013.25 hPa at 45° and sea level", () => {
    expect(hydrostaticDelayMm(1013.25, 45, 0) / 1000).toBeCloseTo(2.307, 4);
  });

  test("the hydrostatic delay decreases with latitude and increases with height, like the inverse of gravity", () => {
    expect(hydrostaticDelayMm(1000, 90, 0)).toBeLessThan(hydrostaticDelayMm(1000, 45, 0));
    expect(hydrostaticDelayMm(1000, 45, 3000)).toBeGreaterThan(hydrostaticDelayMm(1000, 45, 0));
  });

  test("Π is 0.1568 for vapour at 275 K", () => {
    expect(waterPerDelay(275)).toBeCloseTo(0.1568, 4);
  });

  test("the mean temperature follows Bevis 1992", () => {
    expect(meanTemperatureK(288.15)).toBeCloseTo(277.668, 3);
  });

  test("half of the atmosphere is below 5.5 km", () => {
    expect(pressureShare(0)).toBe(1);
    expect(pressureShare(5500)).toBeCloseTo(0.5, 1);
  });
});
