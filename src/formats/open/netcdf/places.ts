import type { FilePosition, FileSeries } from "#shared/file/opened.ts";
import type { NetcdfVariable } from "../../netcdf/read.ts";
import { type Recognized, recognize } from "../quantity.ts";
import { textOf } from "./attributes.ts";
import type { Family } from "./families.ts";
import { type Instance, instancesOf, placeOf, sizeOf } from "./instances.ts";
import { ownName, type Structure } from "./structure.ts";

/** A series, and where its values stand in the file. */
export interface Place {
  readonly family: Family;
  readonly variable: NetcdfVariable;
  readonly instance: number;
  readonly extra: ReadonlyMap<string, number>;
  readonly factor: number;
  readonly series: FileSeries;
}

/** How many series a family has, without making them. */
export function seriesOf(
  structure: Structure,
  { axis, instanceDimension, extraDimensions, variables }: Family,
): number {
  const instances = instanceDimension === null ? 1 : sizeOf(structure, instanceDimension);
  return extraDimensions.reduce(
    (n, d) => n * sizeOf(structure, d),
    variables.length * (axis.instances === 0 ? 0 : instances),
  );
}

/** The first series of a family; their ids are given later. */
export function placesOf(structure: Structure, family: Family, most: number): Place[] {
  const { axis, axisKey, instanceDimension, extraDimensions, variables } = family;
  const steps = extraDimensions.map((d) => ({ dimension: d, names: instancesOf(structure, d, most) }));
  const quantities = variables.map((variable) => ({ variable, ...quantityOf(variable) }));
  const places: Place[] = [];
  for (const [i, about] of instancesOf(structure, instanceDimension, most).entries()) {
    if (axis.instances !== null && i >= axis.instances) break;
    const { rows, firstMs, lastMs } = axis.survey(i);
    for (const extra of combinations(steps.map(({ names }) => names.length))) {
      for (const { variable, quantity, factor } of quantities) {
        if (places.length >= most) return places;
        const words = steps.map(({ dimension, names }, k) => names[extra[k]!]?.label ?? stepOf(dimension, extra[k]!));
        const label = labelOf(about, instanceDimension, i, variable);
        const series: FileSeries = {
          id: "",
          label: [label, ...words].join(", "),
          stationId: about.stationId,
          satellite: about.satellite,
          position: about.position ?? gridPoint([about, ...steps.flatMap(({ names }, k) => names[extra[k]!] ?? [])]),
          quantity,
          rows,
          range: rows > 0 ? { startMs: firstMs, endMs: lastMs + 1 } : null,
          timesId: axis.instances === null ? axisKey : `${axisKey}#${i}`,
        };
        const at = new Map(steps.map(({ dimension }, k): [string, number] => [dimension, extra[k]!]));
        places.push({ family, variable, instance: i, extra: at, factor, series });
      }
    }
  }
  return places;
}

/** Where the latitude is a step of one dimension, and the longitude of another. */
function gridPoint(along: readonly Instance[]): FilePosition | null {
  const latitudeDeg = along.find(({ angles }) => angles.latitudeDeg !== null)?.angles.latitudeDeg ?? null;
  const longitudeDeg = along.find(({ angles }) => angles.longitudeDeg !== null)?.angles.longitudeDeg ?? null;
  const place = placeOf({ latitudeDeg, longitudeDeg });
  return place && { ...place, height: null, heightReference: null };
}

function labelOf({ label }: Instance, dimension: string | null, index: number, variable: NetcdfVariable): string {
  if (label !== null) return label;
  return dimension === null ? ownName(variable) : stepOf(dimension, index);
}

function stepOf(dimension: string, index: number): string {
  return `${ownName({ name: dimension })} ${index + 1}`;
}

export function quantityOf(variable: NetcdfVariable): Recognized {
  return recognize({
    name: ownName(variable),
    longName: textOf(variable, "long_name"),
    standardName: textOf(variable, "standard_name"),
    unit: textOf(variable, "units"),
  });
}

/** All ways to take one step of each dimension, the last one fastest; one way where there is no dimension. */
function* combinations(sizes: readonly number[]): Iterable<readonly number[]> {
  const [size, ...more] = sizes;
  if (size === undefined) yield [];
  else for (let i = 0; i < size; i++) for (const rest of combinations(more)) yield [i, ...rest];
}
