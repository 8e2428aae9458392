import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  clampScale,
  createProjection,
  earthBox,
  fitCamera,
  type Position,
  scaleBar,
  shiftCamera,
  type Size,
  usesWorldProjection,
  worldCamera,
  worldScale,
  zoomShift,
} from "#renderer/map/camera.ts";
import { clusterPoints, projectOntoWorld, projectPoints } from "#renderer/map/points.ts";

const SIZE: Size = { widthPx: 900, heightPx: 600 };
const coordinate = fc.integer({ min: -2_000, max: 6_000 }).map((n) => n / 4);
const positions: fc.Arbitrary<Position[]> = fc.array(
  fc.record({
    longitudeDeg: fc.double({ min: -180, max: 180, noNaN: true }),
    latitudeDeg: fc.double({ min: -80, max: 80, noNaN: true }),
  }),
  { minLength: 1, maxLength: 300, size: "max" },
);

describe("clusters", () => {
  test("contain every station with a position exactly once, and never group the excluded ones", () => {
    let clusters = 0;
    const gathered = fc
      .tuple(positions, fc.integer({ min: 1, max: 40 }))
      .map(([all, times]) =>
        all.map((p) => ({ longitudeDeg: p.longitudeDeg / times, latitudeDeg: p.latitudeDeg / times })),
      );
    const scale = fc.integer({ min: 50, max: 2_000 });
    fc.assert(
      fc.property(gathered, scale, fc.integer({ min: 2, max: 9 }), (all, pixels, every) => {
        const withHoles = all.map((p, i) => (i % 7 === 3 ? null : p));
        const found = clusterPoints(projectOntoWorld(withHoles), pixels, (i) => i % every === 0);
        const members = [...found.groups.flat(), ...found.singles].toSorted((a, b) => a - b);
        expect(members).toEqual([...withHoles.keys()].filter((i) => withHoles[i] !== null));
        for (const group of found.groups) {
          expect(group.length).toBeGreaterThan(6);
          expect(group.every((i) => i % every !== 0)).toBe(true);
        }
        clusters += found.groups.length;
      }),
    );
    expect(clusters).toBeGreaterThan(0);
  });

  test("split when the map is zoomed in", () => {
    const near = Array.from({ length: 20 }, (_, i) => ({ longitudeDeg: 10 + i / 10, latitudeDeg: 50 }));
    expect(clusterPoints(projectOntoWorld(near), 200, () => false).groups).toHaveLength(1);
    expect(clusterPoints(projectOntoWorld(near), 20_000, () => false).groups).toHaveLength(0);
  });
});

describe("a camera", () => {
  const camera = fc
    .record({
      longitudeDeg: fc.double({ min: -180, max: 179.9, noNaN: true }),
      latitudeDeg: fc.double({ min: -80, max: 80, noNaN: true }),
      scale: fc.double({ min: worldScale(SIZE), max: 90_000, noNaN: true }),
    })
    .map((c) => (usesWorldProjection(c, SIZE) ? { ...c, latitudeDeg: c.latitudeDeg / 2 } : c));

  test("has its position in the centre, and an identity shift restores it", () => {
    fc.assert(
      fc.property(camera, (centred) => {
        const projection = createProjection(centred, SIZE);
        const { x, y } = projectPoints([centred], projection);
        expect([x[0], y[0]].map((v) => Math.round(v! * 100) / 100)).toEqual([450, 300]);
        const restored = shiftCamera(centred, SIZE, projection, { k: 1, x: 0, y: 0 });
        expect(restored.latitudeDeg).toBeCloseTo(centred.latitudeDeg, 3);
        const turn = Math.abs(restored.longitudeDeg - centred.longitudeDeg);
        expect(Math.min(turn, 360 - turn)).toBeCloseTo(0, 3);
      }),
    );
  });

  test("keeps the point under the pointer while zooming", () => {
    const shift = fc.record({ k: fc.double({ min: 0.3, max: 4, noNaN: true }), x: coordinate, y: coordinate });
    fc.assert(
      fc.property(
        shift,
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        coordinate,
        coordinate,
        (before, factor, x, y) => {
          const under = [(x - before.x) / before.k, (y - before.y) / before.k] as const;
          const after = zoomShift(before, factor, x, y);
          expect(under[0] * after.k + after.x).toBeCloseTo(x, 4);
          expect(under[1] * after.k + after.y).toBeCloseTo(y, 4);
        },
      ),
    );
  });

  test("fits all positions into the map", () => {
    fc.assert(
      fc.property(positions, (all) => {
        const centred = fitCamera(all, SIZE, 40);
        expect(clampScale(centred.scale, SIZE)).toBeCloseTo(centred.scale, 6);
        const { x, y } = projectPoints(all, createProjection(centred, SIZE));
        for (let i = 0; i < all.length; i++) {
          expect(x[i]! >= -1 && x[i]! <= SIZE.widthPx + 1 && y[i]! >= -1 && y[i]! <= SIZE.heightPx + 1).toBe(true);
        }
      }),
    );
  });

  test("fits positions on both sides of the date line into a small area", () => {
    const centred = fitCamera(
      [
        { longitudeDeg: 179, latitudeDeg: 0 },
        { longitudeDeg: -179, latitudeDeg: 0 },
      ],
      SIZE,
      40,
    );
    expect(Math.abs(Math.abs(centred.longitudeDeg) - 180)).toBeLessThan(0.01);
    expect(centred.scale).toBeGreaterThan(10 * worldScale(SIZE));
  });
});

test("the scale bar has a round length that fits", () => {
  fc.assert(
    fc.property(fc.double({ min: 50, max: 100_000, noNaN: true }), (scale) => {
      const bar = scaleBar(scale, 120);
      expect(bar.widthPx).toBeLessThanOrEqual(120.001);
      expect(bar.widthPx).toBeGreaterThan(40);
      expect(String(bar.lengthM)).toMatch(/^[125]0*$/);
    }),
  );
});

describe("a picture of the map", () => {
  const sizes = fc.record({
    widthPx: fc.integer({ min: 200, max: 1_600 }),
    heightPx: fc.integer({ min: 200, max: 1_600 }),
  });
  test("has all of the Earth that the map shows", () => {
    fc.assert(
      fc.property(
        sizes,
        fc.record({
          longitudeDeg: fc.integer({ min: -180, max: 180 }),
          latitudeDeg: fc.integer({ min: -80, max: 80 }),
        }),
        fc.double({ min: 1, max: 10, noNaN: true }),
        fc.array(fc.tuple(fc.integer({ min: -179, max: 179 }), fc.integer({ min: -89, max: 89 })), { minLength: 50 }),
        (size, centre, zoom, positions) => {
          const camera = { ...centre, scale: clampScale(worldScale(size) * zoom, size) };
          const box = earthBox(camera, size);
          const projection = createProjection(camera, size);
          for (const position of positions) {
            const [x, y] = projection(position) ?? [-1, -1];
            if (x < 0 || y < 0 || x > size.widthPx || y > size.heightPx) continue;
            expect(x >= box.x && x <= box.x + box.widthPx && y >= box.y && y <= box.y + box.heightPx).toBe(true);
          }
        },
      ),
    );
  });

  test("has no sky above and below the world", () => {
    const size = { widthPx: 700, heightPx: 900 };
    const { widthPx, heightPx } = earthBox(worldCamera(size), size);
    expect(widthPx).toBe(700);
    expect(heightPx).toBeLessThan(360);
  });
});
