import { describe, expect, test } from "vitest";
import { hydrostaticDelayMm, meanTemperatureK, pressureShare, waterPerDelay } from "#service/world/physics.ts";

describe("physics", () => {
  test("Saastamoinen: 1013.25 hPa at 45° and sea level is 2.3070 m", () => {
    expect(hydrostaticDelayMm(1013.25, 45, 0) / 1000).toBeCloseTo(2.307, 4);
  });

  test("gravity is stronger at the pole and weaker above, so the delay is smaller and greater", () => {
    expect(hydrostaticDelayMm(1000, 90, 0)).toBeLessThan(hydrostaticDelayMm(1000, 45, 0));
    expect(hydrostaticDelayMm(1000, 45, 3000)).toBeGreaterThan(hydrostaticDelayMm(1000, 45, 0));
  });

  test("Π is 0.1568 for vapour of 275 K", () => {
    expect(waterPerDelay(275)).toBeCloseTo(0.1568, 4);
  });

  test("mean temperature after Bevis 1992", () => {
    expect(meanTemperatureK(288.15)).toBeCloseTo(277.668, 3);
  });

  test("half of the atmosphere lies below 5.5 km", () => {
    expect(pressureShare(0)).toBe(1);
    expect(pressureShare(5500)).toBeCloseTo(0.5, 1);
  });
});
