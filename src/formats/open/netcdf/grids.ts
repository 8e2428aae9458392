import { defined } from "#shared/defined.ts";
import type { FileGrid, GridPoint } from "#shared/file/opened.ts";
import type { Family } from "./families.ts";
import { type Instance, instancesOf, sizeOf } from "./instances.ts";
import { type SeriesLocation, quantityOf } from "./locations.ts";
import type { Structure } from "./structure.ts";

/** A quantity on a grid, and the location of its points in the file. */
interface GridLocation {
  readonly about: FileGrid;
  locate(point: GridPoint): SeriesLocation;
}

/** Axes with more steps are not supported: a grid of 0.05° has 7,200 longitudes. */
const MAX_STEPS = 10_000;

/** Returns the quantities of a family on a grid: over time, latitude and longitude; other dimensions must have one step. */
export function gridsOf(structure: Structure, family: Family): GridLocation[] {
  const { axis, axisKey, instanceDimension, extraDimensions, variables } = family;
  if (axis.instances !== null) return [];
  const all = [...(instanceDimension === null ? [] : [instanceDimension]), ...extraDimensions];
  const wide = all.filter((dimension) => sizeOf(structure, dimension) > 1);
  if (wide.length !== 2 || wide.some((dimension) => sizeOf(structure, dimension) > MAX_STEPS)) return [];
  const steps = wide.map((dimension) => ({ dimension, angles: instancesOf(structure, dimension, MAX_STEPS) }));
  const latitude = steps.find(({ angles }) => angles[0]?.angles.latitudeDeg !== null);
  const longitude = steps.find(({ angles }) => angles[0]?.angles.longitudeDeg !== null);
  if (!latitude || !longitude || latitude === longitude) return [];
  const latitudesDeg = axisOf(latitude.angles, "latitudeDeg");
  const longitudesDeg = axisOf(longitude.angles, "longitudeDeg");
  if (!latitudesDeg || !longitudesDeg) return [];
  const { rows, firstMs, lastMs } = axis.survey(0);
  const range = rows > 0 ? { startMs: firstMs, endMs: lastMs + 1 } : null;
  return variables.map((variable) => {
    const { quantity, factor } = quantityOf(variable);
    const id = `grid ${variable.name}`;
    return {
      about: { id, quantity, latitudesDeg, longitudesDeg, range },
      locate(point) {
        const at = new Map([
          [latitude.dimension, point.latitude],
          [longitude.dimension, point.longitude],
        ]);
        const series = {
          id: `${id} ${point.latitude} ${point.longitude}`,
          label: quantity.name,
          stationId: null,
          satellite: null,
          position: null,
          quantity,
          rows,
          range,
          timesId: axisKey,
        };
        return { family, variable, instance: at.get(instanceDimension ?? "") ?? 0, extra: at, factor, series };
      },
    };
  });
}

/** Returns strictly ascending or descending angles; null if they are not, or one is unknown. */
function axisOf(steps: readonly Instance[], angle: "latitudeDeg" | "longitudeDeg"): number[] | null {
  const values = steps.map(({ angles }) => angles[angle] ?? Number.NaN);
  const sign = Math.sign(defined(values.at(-1)) - defined(values[0]));
  const isOrdered = values.every((value, i) => i === 0 || Math.sign(value - defined(values[i - 1])) === sign);
  return sign !== 0 && isOrdered ? values : null;
}
