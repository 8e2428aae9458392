import { geoAzimuthalEqualArea, geoEqualEarth, type GeoProjection } from "d3-geo";
import { count } from "#shared/text.ts";

/** The centre of a map, in degrees, and its scale. */
export interface Camera {
  readonly longitudeDeg: number;
  readonly latitudeDeg: number;
  /** Pixels per radian of the globe at the centre of the map. */
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
const EARTH_M = 6_371_000;
/** 64 m per pixel: finer than the positions given by the service. */
const MAX_SCALE = EARTH_M / 64;
/** 1,500 m per pixel: a single station is shown with its country. */
const MAX_FIT_SCALE = EARTH_M / 1_500;
/** Width and height of the whole world in the equal-area projection, in radians. */
const WORLD = { width: 5.414, height: 2.634 };
/** From this multiple of the world's scale on, the map uses the azimuthal projection. */
const LOCAL_ZOOM = 3;
const MAX_LATITUDE_DEG = 85;

/** Returns the scale at which the whole world fits. */
export function worldScale({ widthPx, heightPx }: Size): number {
  return 0.96 * Math.min(widthPx / WORLD.width, heightPx / WORLD.height);
}

export function worldCamera(size: Size): Camera {
  return { longitudeDeg: 0, latitudeDeg: 0, scale: worldScale(size) };
}

export function clampScale(scale: number, size: Size): number {
  return Math.min(MAX_SCALE, Math.max(worldScale(size), scale));
}

/** Whether the map uses the projection of the whole world. */
export function usesWorldProjection({ scale }: Camera, size: Size): boolean {
  return scale < LOCAL_ZOOM * worldScale(size);
}

/**
 * Returns an equal-area projection, so that one scale means the same everywhere: Equal Earth for the world, rotated to
 * the central longitude; when zoomed in, Lambert azimuthal around the centre, which is not distorted there.
 */
export function createProjection(camera: Camera, size: Size): GeoProjection {
  const { longitudeDeg, latitudeDeg, scale } = camera;
  const { widthPx, heightPx } = size;
  const projection = usesWorldProjection(camera, size)
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

/** Returns the part of a map on which the Earth is, with a margin of 2 % of the world: little more of it than of sky. */
export function earthBox(camera: Camera, size: Size): Size & { readonly x: number; readonly y: number } {
  const { widthPx, heightPx } = size;
  if (!usesWorldProjection(camera, size)) return { x: 0, y: 0, widthPx, heightPx };
  const projection = createProjection(camera, size).clipExtent(null);
  const [, equator = 0] = projection([camera.longitudeDeg, 0]) ?? [];
  const cut = (middle: number, length: number, end: number): readonly [number, number] => {
    const half = 0.52 * length * camera.scale;
    return [Math.max(0, Math.floor(middle - half)), Math.min(end, Math.ceil(middle + half))];
  };
  const [left, right] = cut(widthPx / 2, WORLD.width, widthPx);
  const [top, bottom] = cut(equator, WORLD.height, heightPx);
  return { x: left, y: top, widthPx: right - left, heightPx: bottom - top };
}

/** Transform of a drawn map while the user moves it: `screen = k * drawn + (x, y)`. */
export interface Shift {
  readonly k: number;
  readonly x: number;
  readonly y: number;
}

export const NO_SHIFT: Shift = { k: 1, x: 0, y: 0 };

export function zoomShift({ k, x, y }: Shift, factor: number, atX: number, atY: number): Shift {
  return { k: k * factor, x: atX - (atX - x) * factor, y: atY - (atY - y) * factor };
}

/** Returns the camera of a map that was drawn for `camera` and then moved; outside the world, the centre stays. */
export function shiftCamera(camera: Camera, size: Size, projection: GeoProjection, shift: Shift): Camera {
  const scale = clampScale(camera.scale * shift.k, size);
  const middle: [number, number] = [(size.widthPx / 2 - shift.x) / shift.k, (size.heightPx / 2 - shift.y) / shift.k];
  const [longitudeDeg, latitudeDeg] = projection.invert?.(middle) ?? [Number.NaN, Number.NaN];
  const isOnEarth = Number.isFinite(longitudeDeg) && Number.isFinite(latitudeDeg) && Math.abs(latitudeDeg) <= 90;
  if (!isOnEarth) return { ...camera, scale };
  return {
    longitudeDeg: wrapLongitude(longitudeDeg),
    latitudeDeg: Math.max(-MAX_LATITUDE_DEG, Math.min(MAX_LATITUDE_DEG, latitudeDeg)),
    scale,
  };
}

function wrapLongitude(longitudeDeg: number): number {
  return ((((longitudeDeg + 180) % 360) + 360) % 360) - 180;
}

/** Returns a camera that shows all positions, `marginPx` from the edges; the whole world if there are none. */
export function fitCamera(positions: readonly Position[], size: Size, marginPx: number): Camera {
  if (positions.length === 0) return worldCamera(size);
  const rough = extentAround(meanDirection(positions), positions);
  const centre: [number, number] = [(rough.west + rough.east) / 2, (rough.north + rough.south) / 2];
  const [longitudeDeg, latitudeDeg] = rough.projection.invert?.(centre) ?? [0, 0];
  // Projected around another centre, far positions move: the extent is computed again.
  const { west, east, north, south } = extentAround({ longitudeDeg, latitudeDeg }, positions);
  const scale = Math.min(
    MAX_FIT_SCALE,
    Math.max(1, size.widthPx / 2 - marginPx) / Math.max(1e-9, east, -west),
    Math.max(1, size.heightPx / 2 - marginPx) / Math.max(1e-9, south, -north),
  );
  const camera = { longitudeDeg, latitudeDeg, scale };
  return usesWorldProjection(camera, size) ? { longitudeDeg, latitudeDeg: 0, scale: worldScale(size) } : camera;
}

/** Returns the bounding box of the positions in an azimuthal projection around a centre, in radians. */
function extentAround({ longitudeDeg, latitudeDeg }: Position, positions: readonly Position[]) {
  const projection = geoAzimuthalEqualArea().rotate([-longitudeDeg, -latitudeDeg]).scale(1).translate([0, 0]);
  const edges = { west: Infinity, east: -Infinity, north: Infinity, south: -Infinity };
  for (const position of positions) {
    const [x, y] = projection([position.longitudeDeg, position.latitudeDeg]) ?? [0, 0];
    edges.west = Math.min(edges.west, x);
    edges.east = Math.max(edges.east, x);
    edges.north = Math.min(edges.north, y);
    edges.south = Math.max(edges.south, y);
  }
  return { projection, ...edges };
}

/** Averages unit vectors, because longitudes cannot be averaged across the date line. */
function meanDirection(positions: readonly Position[]): Position {
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

/** Returns the longest round distance that is at most `maxPx` wide at the centre of the map; as text, "200 km". */
export function scaleBar(scale: number, maxPx: number) {
  const maxM = (maxPx / scale) * EARTH_M;
  const power = 10 ** Math.floor(Math.log10(maxM));
  const lengthM = power * ([5, 2, 1].find((n) => n * power <= maxM) ?? 1);
  const text = lengthM >= 1_000 ? `${count(lengthM / 1_000)} km` : `${lengthM} m`;
  return { lengthM, widthPx: (lengthM / EARTH_M) * scale, text };
}
