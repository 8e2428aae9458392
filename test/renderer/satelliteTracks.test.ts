import * as fc from "fast-check";
import { expect, it } from "vitest";
import { sections, sceneTexts } from "#shared/plot/figure/scene.ts";
import { createSky } from "#renderer/features/satellites/draw/sky.ts";
import type { Disc } from "#renderer/features/satellites/draw/polar.ts";
import { tracksOf } from "#renderer/features/satellites/draw/tracks.ts";
import { CONSTELLATIONS } from "#renderer/features/satellites/constellations.ts";
import type { Sky } from "#renderer/features/satellites/data/sky.ts";
import { tries } from "../support/endurance.ts";
import { SkyBuilder } from "#renderer/features/satellites/data/skyBuilder.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

const DISC: Disc = { x: 300, y: 300, radius: 280 };
const ALL = { cutOffDeg: 0, shown: new Uint8Array(CONSTELLATIONS.length).fill(1) };
const STEP_MS = 30_000;

function isMissing(satellite: number, epoch: number): boolean {
  return satellite === 0 && epoch > 100 && epoch < 110;
}

/**
 * Satellites on arcs over the sky, with an entry for each satellite and epoch; the first one is missing for a while.
 */
function skyOf(
  arcs: readonly { readonly from: number; readonly turn: number; readonly top: number }[],
  epochs: number,
): Sky {
  const entries: { prn: number; el: number; az: number }[][] = Array.from({ length: epochs }, (_, epoch) =>
    arcs.flatMap(({ from, turn, top }, prn) => {
      const share = epoch / epochs;
      const el = top * Math.sin(Math.PI * share);
      return isMissing(prn, epoch) ? [] : [{ prn, el, az: (((from + turn * share) % 360) + 360) % 360 }];
    }),
  );
  const flat = entries.flat();
  const offsets = Uint32Array.from({ length: epochs + 1 }, (_, i) => entries.slice(0, i).flat().length);
  const builder = new SkyBuilder(STEP_MS);
  builder.append({
    timesMs: Float64Array.from({ length: epochs }, (_, i) => i * STEP_MS),
    offsets,
    prns: arcs.map((_, i) => `G${String(i + 1).padStart(2, "0")}`),
    prn: Uint16Array.from(flat, (e) => e.prn),
    elevationDeg: Float64Array.from(flat, (e) => e.el),
    azimuthDeg: Float64Array.from(flat, (e) => e.az),
    bands: [],
    problems: [],
  });
  return builder.sky();
}

/** The drawn lines of a section of the tracks. */
function linesOf(sky: Sky, section: Parameters<typeof tracksOf>[3]): [Point, Point][] {
  return [...tracksOf(sky, ALL, DISC, section).values()].flatMap((points) =>
    sections(points).flatMap((track) =>
      track.slice(1).map(([x, y], i): [Point, Point] => [
        { x: track[i]![0], y: track[i]![1] },
        { x, y },
      ]),
    ),
  );
}

function distance({ x, y }: Point, [a, b]: [Point, Point]): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const share = Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(a.x + share * dx - x, a.y + share * dy - y);
}

const pointOf = (sky: Sky, entry: number): Point => ({
  x: DISC.x + sky.x[entry]! * DISC.radius,
  y: DISC.y + sky.y[entry]! * DISC.radius,
});
const arc = fc.record({
  from: fc.integer({ min: 0, max: 359 }),
  turn: fc.integer({ min: -200, max: 200 }),
  top: fc.integer({ min: 5, max: 90 }),
});

it("satellite tracks pass each position within a pixel, with few lines, drawn whole or in sections", () => {
  fc.assert(
    fc.property(fc.array(arc, { minLength: 1, maxLength: 4 }), fc.nat(700), (arcs, cut) => {
      const sky = skyOf(arcs, 720);
      const to = sky.prn.length;
      const at = sky.offsets[cut]!;
      const whole = linesOf(sky, { from: 0, to, reach: 0 });
      const parts = [...linesOf(sky, { from: 0, to: at, reach: 0 }), ...linesOf(sky, { from: at, to, reach: 0 })];
      for (const lines of [whole, parts]) {
        expect(lines.length).toBeLessThan(120 * arcs.length);
        for (let entry = 0; entry < to; entry += 7) {
          const point = pointOf(sky, entry);
          expect(Math.min(...lines.map((line) => distance(point, line)))).toBeLessThan(0.8);
        }
        // The lines touch nothing else, such as the time when a satellite was missing.
        for (const [a, b] of lines)
          for (const share of [0, 0.5, 1]) {
            const middle = { x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) };
            const off = sky.prn.reduce(
              (least, _, i) => Math.min(least, Math.hypot(pointOf(sky, i).x - middle.x, pointOf(sky, i).y - middle.y)),
              99,
            );
            expect(off).toBeLessThan(2);
          }
      }
    }),
    { numRuns: tries(6, 25) },
  );
});

it("a sky plot names each satellite at its moment, marks each position, and is the same however its moment was reached", () => {
  const theme = { colour: () => "#123456", fontFamily: "" };
  const size = { width: 700, height: 600 };
  fc.assert(
    fc.property(
      fc.array(arc, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(719), { minLength: 1, maxLength: 6 }),
      (arcs, epochs) => {
        const sky = skyOf(arcs, 720);
        const scene = { sky, filter: ALL, band: 0, scaleTitle: "", windowMs: 7_200_000 };
        const played = createSky(scene);
        for (const epoch of epochs) {
          const moment = { momentMs: epoch * STEP_MS, highlighted: -1 };
          const shapes = played(size, theme, moment);
          expect(shapes).toEqual(createSky(scene)(size, theme, moment));
          const inView = sky.prns.filter((_, satellite) => !isMissing(satellite, epoch));
          expect(sceneTexts(shapes).filter((words) => sky.prns.includes(words))).toEqual(inView);
        }
      },
    ),
    { numRuns: tries(5, 15) },
  );
});
