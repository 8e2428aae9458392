import type { AxisSlice, NetcdfVariable } from "../../netcdf/read.ts";
import { FormatFailure } from "../../error.ts";
import { listed, quoted } from "../notes.ts";
import { type AxisContext, contiguousAxis, indexedAxis, matrixAxis, type SampleAxis, sharedAxis } from "./axes.ts";
import { sizeOf } from "./instances.ts";
import { namesOf, textOf } from "./attributes.ts";
import { isPosition, ownName, type Structure } from "./structure.ts";
import { timeOf, timesOf, type TimeVariable } from "./times.ts";

/** Variables whose series have their epochs on one axis, and stand along the same dimensions. */
export interface Family {
  /** Unique in the file, and the same for the same axis. */
  readonly axisKey: string;
  readonly axis: SampleAxis;
  /** The dimension whose instances name the series: of stations, of satellites; null where there is only one. */
  readonly instanceDimension: string | null;
  /** Other dimensions, each of whose steps is a series of its own. */
  readonly extraDimensions: readonly string[];
  readonly variables: readonly NetcdfVariable[];
}

/** All that the file has over time, by families; a sentence for what cannot be shown. */
export async function familiesOf(structure: Structure, context: AxisContext): Promise<Family[]> {
  const times = timesOf(structure, context.notes);
  const axes = new Map<string, SampleAxis | null>();
  const families = new Map<string, { family: Family; variables: NetcdfVariable[] }>();
  const timeless: NetcdfVariable[] = [];
  for (const variable of structure.data) {
    const time = timeOf(structure, times, variable);
    if (!time) {
      timeless.push(variable);
      continue;
    }
    const axisKey = axisKeyOf(structure, time);
    if (!axes.has(axisKey)) axes.set(axisKey, await axisOf(structure, time, axisKey, context));
    const axis = axes.get(axisKey);
    if (!axis) continue;
    const others = variable.dimensions.filter((d) => d !== axis.dimension && d !== axis.instanceDimension);
    const instanceDimension = axis.instanceDimension ?? nameGiving(structure, others);
    const extraDimensions = others.filter((d) => d !== instanceDimension);
    if (new Set(variable.dimensions).size < variable.dimensions.length) {
      context.notes.add(`${quoted(variable.name)} has one dimension twice: it is not shown.`);
      continue;
    }
    const key = JSON.stringify([axisKey, instanceDimension, extraDimensions]);
    const found = families.get(key);
    if (found) found.variables.push(variable);
    else {
      const variables = [variable];
      families.set(key, { variables, family: { axisKey, axis, instanceDimension, extraDimensions, variables } });
    }
  }
  tellTheRest(structure, timeless, axes, context);
  return [...families.values()].map(({ family }) => family);
}

function axisKeyOf({ ragged }: Structure, { variable, dimensions }: TimeVariable): string {
  const [dimension] = dimensions;
  const kind = dimensions.length === 1 && dimension !== undefined && ragged.has(dimension) ? "ragged" : "plain";
  return `${kind}:${variable.name}`;
}

async function axisOf(
  structure: Structure,
  time: TimeVariable,
  key: string,
  context: AxisContext,
): Promise<SampleAxis | null> {
  const { dimensions, variable } = time;
  const ragged = dimensions.length === 1 ? structure.ragged.get(dimensions[0]!) : undefined;
  try {
    if (ragged?.kind === "contiguous") return await contiguousAxis(time, ragged, context);
    if (ragged) {
      const size = ragged.instanceDimension === null ? 1 : sizeOf(structure, ragged.instanceDimension);
      return await indexedAxis(time, ragged, size, key, context);
    }
    if (dimensions.length < 2) return await sharedAxis(time, context);
    if (dimensions.length === 2) {
      const instance = nameGiving(structure, dimensions);
      return await matrixAxis(time, dimensions.indexOf(instance ?? dimensions[0]!) === 1 ? 1 : 0, context);
    }
    context.notes.add(
      `The time ${quoted(variable.name)} has more than two dimensions: what depends on it is not shown.`,
    );
  } catch (thrown) {
    if (!(thrown instanceof FormatFailure) || thrown.error.kind === "cancelled") throw thrown;
    context.notes.add(`The time ${quoted(variable.name)} cannot be read, nor what depends on it. ${thrown.message}`);
  }
  return null;
}

/** The one of several dimensions whose steps have names or places, else the first. */
function nameGiving({ file }: Structure, dimensions: readonly string[]): string | null {
  const alone = (dimension: string) =>
    file.variables.filter(
      ({ dimensions: [first, ...more], type }) => first === dimension && more.length <= (type === "char" ? 1 : 0),
    );
  const byRole = dimensions.find((d) => alone(d).some((v) => textOf(v, "cf_role") !== null));
  const byPlace = dimensions.find((d) => alone(d).some(isPosition));
  const byText = dimensions.find((d) => alone(d).some((v) => v.type === "char" || v.type === "string"));
  return byRole ?? byPlace ?? byText ?? dimensions[0] ?? null;
}

/** What is in the file and not shown. */
function tellTheRest(
  { texts, file, resolve, ragged }: Structure,
  timeless: readonly NetcdfVariable[],
  axes: ReadonlyMap<string, SampleAxis | null>,
  { notes }: AxisContext,
): void {
  const shown = [...axes.values()].filter((axis) => axis !== null);
  const samples = new Set(shown.map((axis) => axis.dimension));
  const overTime = texts.filter((v) => v.dimensions.some((d) => samples.has(d)));
  if (overTime.length > 0) notes.add(`Texts over time are not shown: ${listed(overTime.map(ownName))}.`);
  const instances = new Set(shown.map((axis) => axis.instanceDimension));
  const lost = timeless.filter((v) => !(v.dimensions.length === 1 && instances.has(v.dimensions[0]!)));
  // Beside series with a time such a table is none of them; alone it is all there is.
  const profiles = lost.filter((v) =>
    v.dimensions.some((d) => ragged.get(d)?.instanceDimension !== undefined && !samples.has(d)),
  );
  if (profiles.length > 0) {
    notes.add(
      `Profiles are not shown: ${listed(profiles.map(ownName))}. They have a time for a whole profile, and a height for each value; choose a height first, with xarray for instance.`,
    );
    return;
  }
  const lone = lost.filter((v) => v.dimensions.length > 1 || samples.size === 0 || samples.has(v.dimensions[0]!));
  if (lone.length > 0) notes.add(`Numbers without a time are not shown: ${listed(lone.map(ownName))}.`);
  const moving = file.variables.filter((v) => isPosition(v) && v.dimensions.some((d) => samples.has(d)));
  if (moving.length > 0) notes.add("The positions change with time: they are not shown.");
  const missing = file.variables.flatMap((v) => namesOf(v, "coordinates").filter((name) => resolve(name, v) === null));
  if (missing.length > 0)
    notes.add(`Coordinates that are named and not in the file: ${listed([...new Set(missing)])}.`);
}

/** The part of a variable that holds the samples of one series. */
export function slicesOf(
  { axis, instanceDimension }: Family,
  variable: NetcdfVariable,
  instance: number,
  extra: ReadonlyMap<string, number>,
): AxisSlice[] {
  return variable.dimensions.map((dimension): AxisSlice => {
    if (dimension === axis.dimension) return axis.span(instance);
    const at = dimension === instanceDimension ? instance : (extra.get(dimension) ?? 0);
    return [at, at + 1];
  });
}
