import { type GeoPermissibleObjects, type GeoProjection, geoGraticule, geoPath } from "d3-geo";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";

type Atlas = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;

/** Land, coasts and borders of Natural Earth, which is in the public domain. */
export interface World {
  readonly land: GeoPermissibleObjects;
  readonly coasts: GeoPermissibleObjects;
  readonly borders: GeoPermissibleObjects;
}

/** What lies under the stations, as lines in the pixels of a projection. */
export interface BaseLines {
  readonly globe: Path2D;
  readonly graticule: Path2D;
  readonly land: Path2D;
  readonly coasts: Path2D;
  readonly borders: Path2D;
}

/** From this scale on the finer coasts are seen. */
const FINE_SCALE = 700;

const loading = new Map<string, Promise<World>>();

/** The world as finely as the scale shows it; brought from the program's own files, once. */
export function loadWorld(scale: number): Promise<World> {
  const name = worldKey(scale);
  const known = loading.get(name);
  if (known) return known;
  const file = name === "fine" ? import("world-atlas/countries-50m.json") : import("world-atlas/countries-110m.json");
  const world = file.then((module) => worldOf(module.default as Atlas));
  loading.set(name, world);
  return world;
}

/** Names which of the worlds a scale shows. */
export function worldKey(scale: number): "coarse" | "fine" {
  return scale >= FINE_SCALE ? "fine" : "coarse";
}

function worldOf(atlas: Atlas): World {
  const { countries, land } = atlas.objects;
  return {
    land: feature(atlas, land),
    coasts: mesh(atlas, countries, (a, b) => a === b),
    borders: mesh(atlas, countries, (a, b) => a !== b),
  };
}

/** @param world null while it is not there yet: then only the grid of degrees is drawn */
export function baseLines(world: World | null, projection: GeoProjection, scale: number): BaseLines {
  const step = graticuleStep(scale);
  const drawn = (shape: GeoPermissibleObjects | undefined): Path2D => {
    const path = new Path2D();
    // A path takes the same calls that d3 makes of a canvas.
    if (shape) geoPath(projection, path as unknown as CanvasRenderingContext2D)(shape);
    return path;
  };
  return {
    globe: drawn({ type: "Sphere" }),
    graticule: drawn(geoGraticule().step([step, step])()),
    land: drawn(world?.land),
    coasts: drawn(world?.coasts),
    borders: drawn(world?.borders),
  };
}

/** Degrees between the lines of the grid: about 150 pixels. */
function graticuleStep(scale: number): number {
  const wished = (150 / scale) * (180 / Math.PI);
  return [1, 2, 5, 10, 15, 30].find((step) => step >= wished) ?? 30;
}
