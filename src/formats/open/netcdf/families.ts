import type { AxisSlice, NetcdfVariable } from "../../netcdf/read.ts";
import type { Cell } from "#shared/series/cell.ts";
import { FormatFailure } from "../../error.ts";
import { listed, quotedName } from "../notes.ts";
import { type AxisContext, contiguousAxis, indexedAxis, plainAxis, type SampleAxis } from "./axes.ts";
import { dimensionSize } from "./instances.ts";
import { ownName, textAttribute } from "./attributes.ts";
import { isPosition, type Structure } from "./structure.ts";
import { timeOfVariable, type TimeVariable } from "./times.ts";

/** Variables with the same axis of epochs and the same dimensions. */
export interface Family {
  readonly axisKey: string;
  readonly axis: SampleAxis;
  readonly interval: Cell | null;
  /** The dimension of stations, satellites or other instances; null if there is only one. */
  readonly instanceDimension: string | null;
  /** Other dimensions; each of their steps is a separate series. */
  readonly extraDimensions: readonly string[];
  readonly variables: NetcdfVariable[];
}

export async function familiesOf(structure: Structure, times: readonly TimeVariable[], context: AxisContext) {
  const axes = new Map<string, SampleAxis | null>();
  const families = new Map<string, Family>();
  const timeless: NetcdfVariable[] = [];
  for (const variable of structure.data) {
    const time = timeOfVariable(structure, times, variable);
    if (!time) {
      timeless.push(variable);
      continue;
    }
    const [only = "", other] = time.dimensions;
    const ragged = other === undefined ? structure.ragged.get(only) : undefined;
    const axisKey = `${ragged ? "ragged" : "plain"}:${time.variable.name}`;
    if (!axes.has(axisKey)) axes.set(axisKey, await axisOf(structure, time, axisKey, context));
    const axis = axes.get(axisKey);
    if (!axis) continue;
    const others = variable.dimensions.filter((d) => d !== axis.dimension && d !== axis.instanceDimension);
    const instanceDimension = axis.instanceDimension ?? instanceDimensionOf(structure, others);
    const extraDimensions = others.filter((d) => d !== instanceDimension);
    if (new Set(variable.dimensions).size < variable.dimensions.length) {
      context.notes.add(`${quotedName(variable.name)} has one dimension twice: it is not shown.`);
      continue;
    }
    const key = JSON.stringify([axisKey, instanceDimension, extraDimensions]);
    const { interval } = time;
    const family = families.get(key) ?? { axisKey, axis, interval, instanceDimension, extraDimensions, variables: [] };
    family.variables.push(variable);
    families.set(key, family);
  }
  noteOmissions(structure, timeless, axes, context);
  return [...families.values()];
}

async function axisOf(structure: Structure, time: TimeVariable, key: string, context: AxisContext) {
  const { dimensions, variable } = time;
  const [first = ""] = dimensions;
  const ragged = dimensions.length === 1 ? structure.ragged.get(first) : undefined;
  try {
    if (ragged?.kind === "contiguous") return await contiguousAxis(time, ragged, context);
    if (ragged) {
      const size = ragged.instanceDimension === null ? 1 : dimensionSize(structure, ragged.instanceDimension);
      return await indexedAxis(time, { ...ragged, size }, key, context);
    }
    if (dimensions.length < 2) return await plainAxis(time, null, context);
    if (dimensions.length === 2) {
      const instance = instanceDimensionOf(structure, dimensions);
      return await plainAxis(time, dimensions.indexOf(instance ?? first) === 1 ? 1 : 0, context);
    }
    context.notes.add(
      `The time ${quotedName(variable.name)} has more than two dimensions: what depends on it is not shown.`,
    );
  } catch (thrown) {
    if (!(thrown instanceof FormatFailure) || thrown.error.kind === "cancelled") throw thrown;
    context.notes.add(
      `The time ${quotedName(variable.name)} cannot be read, nor what depends on it. ${thrown.message}`,
    );
  }
  return null;
}

/** Returns the dimension whose steps have names or positions, else the first. */
function instanceDimensionOf({ file }: Structure, dimensions: readonly string[]): string | null {
  const variablesAlong = (dimension: string) =>
    file.variables.filter(
      ({ dimensions: [first, ...more], type }) => first === dimension && more.length <= (type === "char" ? 1 : 0),
    );
  const byRole = dimensions.find((d) => variablesAlong(d).some((v) => textAttribute(v, "cf_role") !== null));
  const byPosition = dimensions.find((d) => variablesAlong(d).some(isPosition));
  const byText = dimensions.find((d) => variablesAlong(d).some((v) => v.type === "char" || v.type === "string"));
  return byRole ?? byPosition ?? byText ?? dimensions[0] ?? null;
}

function noteOmissions(
  { texts, file, ragged }: Structure,
  timeless: readonly NetcdfVariable[],
  axes: ReadonlyMap<string, SampleAxis | null>,
  { notes }: AxisContext,
): void {
  const shown = [...axes.values()].filter((axis) => axis !== null);
  const samples = new Set(shown.map((axis) => axis.dimension));
  const overTime = texts.filter((v) => v.dimensions.some((d) => samples.has(d)));
  if (overTime.length > 0) notes.add(`Texts over time are not shown: ${listed(overTime.map(ownName))}.`);
  const instances = new Set(shown.map((axis) => axis.instanceDimension));
  const lost = timeless.filter(({ dimensions: [first = "", ...more] }) => more.length > 0 || !instances.has(first));
  const profiles = lost.filter((v) =>
    v.dimensions.some((d) => ragged.get(d)?.instanceDimension !== undefined && !samples.has(d)),
  );
  if (profiles.length > 0) {
    notes.add(
      `Profiles are not shown: ${listed(profiles.map(ownName))}. They have a time for a whole profile, and a height for each value; choose a height first, with xarray for instance.`,
    );
    return;
  }
  // One-dimensional tables are only noted if there is nothing over time, or they are along its dimension.
  const lone = lost.filter(
    ({ dimensions: [first = "", ...more] }) => more.length > 0 || samples.size === 0 || samples.has(first),
  );
  if (lone.length > 0) notes.add(`Numbers without a time are not shown: ${listed(lone.map(ownName))}.`);
  const moving = file.variables.filter((v) => isPosition(v) && v.dimensions.some((d) => samples.has(d)));
  if (moving.length > 0) notes.add("The positions change with time: they are not shown.");
}

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
