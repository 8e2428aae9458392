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

/** The map under the stations, in pixels of a projection. */
export interface BaseMap {
  readonly globe: Path2D;
  readonly graticule: Path2D;
  readonly land: Path2D;
  readonly coasts: Path2D;
  readonly borders: Path2D;
}

/** Level of detail of coasts and borders. */
type WorldDetail = "coarse" | "fine";

/** Scale, in pixels per radian, from which fine coasts are visible. */
const FINE_SCALE = 700;

const worlds = new Map<WorldDetail, Promise<World>>();

/** Loads the world from the application's own files, once for each level of detail. */
export function loadWorld(detail: WorldDetail): Promise<World> {
  const known = worlds.get(detail);
  if (known) return known;
  const file = detail === "fine" ? import("world-atlas/countries-50m.json") : import("world-atlas/countries-110m.json");
  const world = file.then((module) => readAtlas(module.default as Atlas));
  worlds.set(detail, world);
  return world;
}

export function worldDetail(scale: number): WorldDetail {
  return scale >= FINE_SCALE ? "fine" : "coarse";
}

function readAtlas(atlas: Atlas): World {
  const { countries, land } = atlas.objects;
  return {
    land: feature(atlas, land),
    coasts: mesh(atlas, countries, (a, b) => a === b),
    borders: mesh(atlas, countries, (a, b) => a !== b),
  };
}

/** Projects the base map. @param world null until it is loaded: then only the graticule is drawn */
export function projectBaseMap(world: World | null, projection: GeoProjection, scale: number): BaseMap {
  const step = graticuleStep(scale);
  const pathOf = (shape: GeoPermissibleObjects | undefined): Path2D => {
    const path = new Path2D();
    // Path2D has all methods that d3 calls on a context.
    if (shape) geoPath(projection, path as unknown as CanvasRenderingContext2D)(shape);
    return path;
  };
  return {
    globe: pathOf({ type: "Sphere" }),
    graticule: pathOf(geoGraticule().step([step, step])()),
    land: pathOf(world?.land),
    coasts: pathOf(world?.coasts),
    borders: pathOf(world?.borders),
  };
}

/** Returns the degrees between grid lines, about 150 pixels. */
function graticuleStep(scale: number): number {
  const wanted = (150 / scale) * (180 / Math.PI);
  return [1, 2, 5, 10, 15, 30].find((step) => step >= wanted) ?? 30;
}
