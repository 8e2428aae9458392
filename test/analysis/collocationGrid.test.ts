import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gridPlace, pointsAt } from "#main/analysis/collocation/grid.ts";

/** An axis with unequal steps, rising or falling. */
const axis = (least: number, most: number) =>
  fc
    .tuple(fc.uniqueArray(fc.integer({ min: least * 4, max: most * 4 }), { minLength: 2, maxLength: 40 }), fc.boolean())
    .map(([quarters, falls]) => {
      const rising = quarters.toSorted((a, b) => a - b).map((quarter) => quarter / 4);
      return falls ? rising.toReversed() : rising;
    });

function plane(latitude: number, longitude: number): number {
  return 3 * latitude - 2 * longitude + 7;
}

const ends = (values: readonly number[]): readonly [number, number] => [Math.min(...values), Math.max(...values)];

describe("interpolation of a grid", () => {
  it("reproduces a plane, with rising or falling axes", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    // Longitudes may start at −180° or at 0°.
    const longitudes = fc.tuple(axis(0, 300), fc.constantFrom(0, -180)).map(([all, from]) => all.map((l) => l + from));
    fc.assert(
      fc.property(axis(-90, 90), longitudes, share, share, (latitudesDeg, longitudesDeg, north, east) => {
        const [south, top] = ends(latitudesDeg);
        const [west, last] = ends(longitudesDeg);
        const [latitudeDeg, gridDeg] = [south + north * (top - south), west + east * (last - west)];
        const longitudeDeg = gridDeg > 180 ? gridDeg - 360 : gridDeg;
        const points = pointsAt({ latitudesDeg, longitudesDeg }, { latitudeDeg, longitudeDeg }, "bilinear") ?? [];
        const value = points.reduce(
          (sum, { latitude, longitude, weight }) =>
            sum + weight * plane(latitudesDeg[latitude] ?? Number.NaN, longitudesDeg[longitude] ?? Number.NaN),
          0,
        );
        expect(value).toBeCloseTo(plane(latitudeDeg, gridDeg), 6);
        expect(points.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
      }),
    );
  });

  const globe = { latitudesDeg: [60, 50, 40], longitudesDeg: Array.from({ length: 360 }, (_, i) => i) };
  const europe = { latitudesDeg: [60, 50, 40], longitudesDeg: [-20, -10, 0, 10, 20] };

  it("crosses the seam of a global grid", () => {
    const points = pointsAt(globe, { latitudeDeg: 50, longitudeDeg: -0.25 }, "bilinear");
    const west = { latitude: 1, longitude: 359, weight: 0.25 };
    expect(points?.toSorted((a, b) => a.weight - b.weight)).toEqual([
      west,
      { latitude: 1, longitude: 0, weight: 0.75 },
    ]);
    expect(pointsAt(globe, { latitudeDeg: 51, longitudeDeg: -0.6 }, "nearest")).toEqual([
      { latitude: 1, longitude: 359, weight: 1 },
    ]);
    expect(gridPlace(globe, { latitude: 1, longitude: 359 })).toEqual({ latitudeDeg: 50, longitudeDeg: -1 });
  });

  it.each([
    ["north of the grid", 60.1, 0],
    ["south of the grid", 39.9, 0],
    ["east of the grid", 50, 20.1],
    ["on the other side of the Earth", 50, 170],
  ])("returns null %s", (_, latitudeDeg, longitudeDeg) => {
    expect(pointsAt(europe, { latitudeDeg, longitudeDeg }, "bilinear")).toBeNull();
    expect(pointsAt(europe, { latitudeDeg, longitudeDeg }, "nearest")).toBeNull();
  });

  it("selects the nearest point by distance, not the nearest step of each axis", () => {
    const arctic = { latitudesDeg: [84, 88], longitudesDeg: [0, 90] };
    expect(pointsAt(arctic, { latitudeDeg: 85.9, longitudeDeg: 44 }, "nearest")).toEqual([
      { latitude: 1, longitude: 0, weight: 1 },
    ]);
  });
});
