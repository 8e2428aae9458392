import type { FileGrid, GridPoint } from "#shared/file/opened.ts";
import type { GridMethod } from "#shared/comparison.ts";
import { distanceKm } from "#shared/station/position.ts";

type Axes = Pick<FileGrid, "latitudesDeg" | "longitudesDeg">;

export interface Place {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
}

/** A point of a grid, and its part in the value at a place. The weights of a place add up to 1. */
export interface WeightedPoint extends GridPoint {
  readonly weight: number;
}

/**
 * Returns the points of a grid for the value at a place: the nearest of the four around it, or all of them, weighted
 * linearly in latitude and in longitude (bilinear interpolation).
 *
 * @returns null if the place is outside the grid; a grid around the globe has no eastern boundary
 */
export function pointsAt(axes: Axes, place: Place, method: GridMethod): WeightedPoint[] | null {
  const latitudes = stepAround(axes.latitudesDeg, place.latitudeDeg);
  const longitudes = stepAroundGlobe(axes.longitudesDeg, place.longitudeDeg);
  if (!latitudes || !longitudes) return null;
  const corners = latitudes.flatMap((latitude) =>
    longitudes.map((longitude) => ({
      latitude: latitude.at,
      longitude: longitude.at,
      weight: latitude.weight * longitude.weight,
    })),
  );
  if (method === "bilinear") return corners.filter(({ weight }) => weight > 0);
  const kmTo = (point: GridPoint): number => distanceKm(place, gridPlace(axes, point));
  const nearest = corners.reduce((best, point) => (kmTo(point) < kmTo(best) ? point : best));
  return [{ ...nearest, weight: 1 }];
}

/** Returns the position of a grid point, longitudes from −180° to 180°. */
export function gridPlace({ latitudesDeg, longitudesDeg }: Axes, { latitude, longitude }: GridPoint): Place {
  const east = (longitudesDeg[longitude] ?? Number.NaN) % 360;
  return {
    latitudeDeg: latitudesDeg[latitude] ?? Number.NaN,
    longitudeDeg: east > 180 ? east - 360 : east < -180 ? east + 360 : east,
  };
}

type Step = readonly { readonly at: number; readonly weight: number }[];

/** The two neighbours on an axis with a value between them, and their weights. */
function stepAround(axis: readonly number[], value: number): Step | null {
  const isRising = (axis[0] ?? 0) < (axis.at(-1) ?? 0);
  const next = axis.findIndex((step, i) => i > 0 && (isRising ? step >= value : step <= value));
  const [before = Number.NaN, after = Number.NaN] = [axis[next - 1], axis[next]];
  const weight = (value - before) / (after - before);
  if (!(weight >= 0 && weight <= 1)) return null;
  return [
    { at: next - 1, weight: 1 - weight },
    { at: next, weight },
  ];
}

function stepAroundGlobe(axis: readonly number[], longitudeDeg: number): Step | null {
  const first = Math.min(axis[0] ?? 0, axis.at(-1) ?? 0);
  const value = longitudeDeg - 360 * Math.floor((longitudeDeg - first) / 360);
  const inside = stepAround(axis, value);
  if (inside) return inside;
  // From the last longitude to the first one, if no more than the usual step is between them.
  const size = Math.abs((axis[1] ?? Number.NaN) - (axis[0] ?? Number.NaN));
  const [west, east] = (axis[0] ?? 0) < (axis.at(-1) ?? 0) ? [axis.length - 1, 0] : [0, axis.length - 1];
  const [from = Number.NaN, to = Number.NaN] = [axis[west], axis[east]];
  if (!(to + 360 - from <= 1.5 * size)) return null;
  const weight = (value - from) / (to + 360 - from);
  return [
    { at: west, weight: 1 - weight },
    { at: east, weight },
  ];
}
