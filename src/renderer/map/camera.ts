import { geoAzimuthalEqualArea, geoEqualEarth, type GeoProjection } from "d3-geo";

/** Where a map looks: what is in its middle, and how large. Degrees. */
export interface Camera {
  readonly longitudeDeg: number;
  readonly latitudeDeg: number;
  /** Pixels for a radian of the globe in the middle of the map. */
  readonly scale: number;
}

export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface Position {
  readonly longitudeDeg: number;
  readonly latitudeDeg: number;
}

/** Mean radius of the Earth in metres. */
export const EARTH_M = 6_371_000;
/** 64 m for a pixel: finer than any position that the service tells. */
const CLOSEST = EARTH_M / 64;
/** A station alone is shown with its country around it. */
const CLOSEST_FIT = EARTH_M / 1_500;
/** Width and height of the whole world in radians, drawn in equal areas. */
const WORLD = { width: 5.414, height: 2.634 };
/** From so many times the whole world on, the map is centred on what it shows. */
const LOCAL_TIMES = 3;
const MOST_LATITUDE_DEG = 85;

/** The scale at which the whole world is in sight. */
export function worldScale({ widthPx, heightPx }: Size): number {
  return 0.96 * Math.min(widthPx / WORLD.width, heightPx / WORLD.height);
}

export function wholeWorld(size: Size): Camera {
  return { longitudeDeg: 0, latitudeDeg: 0, scale: worldScale(size) };
}

export function clampScale(scale: number, size: Size): number {
  return Math.min(CLOSEST, Math.max(worldScale(size), scale));
}

/** Whether so much of the world is in sight that it is drawn as a whole. */
export function isWorldly({ scale }: Camera, size: Size): boolean {
  return scale < LOCAL_TIMES * worldScale(size);
}

/**
 * Both projections keep areas, so that one scale means the same in both: Equal Earth for the world, turned to the
 * longitude in the middle, and Lambert's azimuthal one around the middle when zoomed, which bends nothing there.
 */
export function projectionOf(camera: Camera, size: Size): GeoProjection {
  const { longitudeDeg, latitudeDeg, scale } = camera;
  const { widthPx, heightPx } = size;
  const projection = isWorldly(camera, size)
    ? geoEqualEarth().rotate([-longitudeDeg, 0])
    : geoAzimuthalEqualArea().rotate([-longitudeDeg, -latitudeDeg]).clipAngle(120);
  projection.scale(scale).translate([0, 0]);
  const [x, y] = projection([longitudeDeg, latitudeDeg]) ?? [0, 0];
  return projection
    .translate([widthPx / 2 - x, heightPx / 2 - y])
    .precision(0.4)
    .clipExtent([
      [-widthPx, -heightPx],
      [2 * widthPx, 2 * heightPx],
    ]);
}

/** How a drawn map lies on the screen while it is moved: `screen = k * drawn + (x, y)`. */
export interface Shift {
  readonly k: number;
  readonly x: number;
  readonly y: number;
}

export const UNMOVED: Shift = { k: 1, x: 0, y: 0 };

export function zoomedAround({ k, x, y }: Shift, factor: number, atX: number, atY: number): Shift {
  return { k: k * factor, x: atX - (atX - x) * factor, y: atY - (atY - y) * factor };
}

/** Where a map looks that was drawn for a camera and then moved; at the edge of the world it stays where it was. */
export function movedCamera(camera: Camera, size: Size, projection: GeoProjection, shift: Shift): Camera {
  const scale = clampScale(camera.scale * shift.k, size);
  const middle: [number, number] = [(size.widthPx / 2 - shift.x) / shift.k, (size.heightPx / 2 - shift.y) / shift.k];
  const [longitudeDeg, latitudeDeg] = projection.invert?.(middle) ?? [Number.NaN, Number.NaN];
  const isThere = Number.isFinite(longitudeDeg) && Number.isFinite(latitudeDeg) && Math.abs(latitudeDeg) <= 90;
  if (!isThere) return { ...camera, scale };
  return {
    longitudeDeg: wrapped(longitudeDeg),
    latitudeDeg: Math.max(-MOST_LATITUDE_DEG, Math.min(MOST_LATITUDE_DEG, latitudeDeg)),
    scale,
  };
}

function wrapped(longitudeDeg: number): number {
  return ((((longitudeDeg + 180) % 360) + 360) % 360) - 180;
}

/** A camera that has all of the positions in sight, `marginPx` from the edges; the whole world where there are none. */
export function fitted(positions: readonly Position[], size: Size, marginPx: number): Camera {
  if (positions.length === 0) return wholeWorld(size);
  const rough = extentAround(middleOf(positions), positions);
  const corner: [number, number] = [(rough.west + rough.east) / 2, (rough.north + rough.south) / 2];
  const [longitudeDeg, latitudeDeg] = rough.flat.invert?.(corner) ?? [0, 0];
  // Seen from another middle, far places lie elsewhere: what counts is how far from this one they reach.
  const { west, east, north, south } = extentAround({ longitudeDeg, latitudeDeg }, positions);
  const scale = Math.min(
    CLOSEST_FIT,
    Math.max(1, size.widthPx / 2 - marginPx) / Math.max(1e-9, east, -west),
    Math.max(1, size.heightPx / 2 - marginPx) / Math.max(1e-9, south, -north),
  );
  const camera = { longitudeDeg, latitudeDeg, scale };
  return isWorldly(camera, size) ? { longitudeDeg, latitudeDeg: 0, scale: worldScale(size) } : camera;
}

/** The edges of the positions on a flat map around one of them, in radians. */
function extentAround({ longitudeDeg, latitudeDeg }: Position, positions: readonly Position[]) {
  const flat = geoAzimuthalEqualArea().rotate([-longitudeDeg, -latitudeDeg]).scale(1).translate([0, 0]);
  const places = positions.map((p): [number, number] => flat([p.longitudeDeg, p.latitudeDeg]) ?? [0, 0]);
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  return { flat, west: least(xs), east: most(xs), north: least(ys), south: most(ys) };
}

/** The direction in which they lie together: longitudes cannot be averaged across the date line. */
function middleOf(positions: readonly Position[]): Position {
  let [x, y, z] = [0, 0, 0];
  for (const { longitudeDeg, latitudeDeg } of positions) {
    const [l, p] = [(longitudeDeg * Math.PI) / 180, (latitudeDeg * Math.PI) / 180];
    x += Math.cos(p) * Math.cos(l);
    y += Math.cos(p) * Math.sin(l);
    z += Math.sin(p);
  }
  return {
    longitudeDeg: (Math.atan2(y, x) * 180) / Math.PI,
    latitudeDeg: (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI,
  };
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}
