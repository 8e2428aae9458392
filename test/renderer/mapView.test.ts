import * as fc from "fast-check";
import { expect, test } from "vitest";
import { NO_SHIFT, type Size, worldScale } from "#renderer/map/camera.ts";
import { hitAt, centralStation, type DrawnStations, stationsWithin } from "#renderer/map/picking.ts";
import { currentCamera, isFarMoved, lookAt, panView, resizeView, createView, zoomView } from "#renderer/map/view.ts";

const size: fc.Arbitrary<Size> = fc.record({
  widthPx: fc.integer({ min: 200, max: 2_000 }),
  heightPx: fc.integer({ min: 200, max: 1_500 }),
});
const camera = fc.record({
  longitudeDeg: fc.double({ min: -179, max: 179, noNaN: true }),
  latitudeDeg: fc.double({ min: -60, max: 60, noNaN: true }),
  scale: fc.double({ min: 10, max: 90_000, noNaN: true }),
});
const pixels = fc.integer({ min: -150, max: 150 });

test("a map of the whole world shows the whole world at any size, and no map shows more", () => {
  fc.assert(
    fc.property(camera, size, size, (wanted, first, second) => {
      const view = lookAt(createView(wanted, first), wanted);
      expect(view.camera.scale).toBeGreaterThanOrEqual(worldScale(first));
      const after = resizeView(view, second);
      expect(after.camera.scale).toBeGreaterThanOrEqual(worldScale(second));
      const isWhole = after.camera.scale === worldScale(second) && after.camera.latitudeDeg === 0;
      expect(isWhole || view.camera.scale > worldScale(first)).toBe(true);
    }),
  );
});

test("panning back restores the view, and zooming beyond the limit has no effect", () => {
  fc.assert(
    fc.property(camera, size, pixels, pixels, (wanted, at, dx, dy) => {
      const view = lookAt(createView(wanted, at), wanted);
      const back = panView(panView(view, dx, dy), -dx, -dy);
      expect(back.shift).toEqual(NO_SHIFT);
      expect(isFarMoved(back)).toBe(false);
      expect(isFarMoved(panView(view, 2 * at.widthPx, 0))).toBe(true);
      const out = zoomView(view, 1e-9, dx, dy);
      expect(currentCamera(out).scale).toBeCloseTo(worldScale(at), 6);
      expect(zoomView(out, 0.5, dx, dy)).toBe(out);
    }),
  );
});

test("a click, a box or a lasso hits the stations drawn there, after any movement of the map", () => {
  const scene: DrawnStations = {
    points: { x: Float64Array.of(100, 300, 305, 500), y: Float64Array.of(100, 200, 200, 400) },
    singles: [0, 3],
    clusters: [{ members: [1, 2], x: 302.5, y: 200, radiusPx: 10 }],
    selected: [],
    shift: NO_SHIFT,
    size: { widthPx: 600, heightPx: 500 },
  };
  fc.assert(
    fc.property(pixels, pixels, fc.double({ min: 0.5, max: 3, noNaN: true }), (x, y, k) => {
      const moved = { ...scene, shift: { k, x, y } };
      const at = (px: number, py: number): [number, number] => [px * k + x, py * k + y];
      expect(hitAt(moved, ...at(100, 100))).toEqual({ kind: "station", index: 0 });
      expect(hitAt(moved, ...at(302.5, 200))).toEqual({ kind: "cluster", members: [1, 2] });
      expect(hitAt({ ...moved, selected: [1] }, ...at(300, 200))).toEqual({ kind: "station", index: 1 });
      expect(hitAt(moved, ...at(600, 20))).toBeNull();
      const [x0, y0] = at(90, 90);
      const [x1, y1] = at(310, 210);
      expect(stationsWithin(moved, { kind: "box", box: { x0, y0, x1, y1 } })).toEqual([0, 1, 2]);
      const line = [at(90, 90), at(110, 90), at(110, 110), at(90, 110)];
      expect(stationsWithin(moved, { kind: "lasso", line })).toEqual([0]);
    }),
  );
  expect(centralStation(scene)).toBe(1);
  expect(centralStation({ ...scene, shift: { k: 1, x: -200, y: -150 } })).toBe(3);
});
