import type { NetcdfFile, NetcdfVariable } from "../../netcdf/read.ts";
import { isNumeric, ownName, textAttribute } from "./attributes.ts";
import { partTimesOf } from "./partTimes.ts";
import { placeNamed, signOfDegrees } from "../meaning/stations.ts";
import { isTimeUnits } from "../time/cf.ts";
import { unitOfTimeMs } from "../time/units.ts";

/** Relations between the variables of a file, by their attributes. */
export type Structure = ReturnType<typeof structureOf>;

export interface Ragged {
  readonly kind: "contiguous" | "indexed";
  /** Row counts of the instances (contiguous), or the instance of each row (indexed). */
  readonly variable: NetcdfVariable;
  /** null: a single instance without a dimension. */
  readonly instanceDimension: string | null;
}

export function structureOf(file: NetcdfFile) {
  const names = new Set(file.dimensions.map((d) => d.name));
  for (const variable of file.variables) for (const name of variable.dimensions) names.add(name);
  /** Finds a variable by its name as used by another one: in its group first, then in the enclosing groups. */
  const resolve = (name: string, from: NetcdfVariable): NetcdfVariable | null =>
    around(name, from, (path) => file.variable(path) ?? null);
  const resolveDimension = (name: string, from: NetcdfVariable): string | null =>
    around(name, from, (path) => (names.has(path) ? path : null));

  const ragged = new Map<string, Ragged>();
  const helpers = new Set<string>();
  for (const variable of file.variables) {
    for (const attribute of ["bounds", "climatology", "grid_mapping", "coordinates", "cell_measures"])
      for (const name of textAttribute(variable, attribute)?.split(/\s+/) ?? []) {
        const found = resolve(name.replace(/:$/, ""), variable);
        if (found && found !== variable) helpers.add(found.name);
      }
    const sample = textAttribute(variable, "sample_dimension");
    const instance = textAttribute(variable, "instance_dimension");
    if (sample !== null || instance !== null) helpers.add(variable.name);
    const sampleDimension = sample === null ? null : resolveDimension(sample, variable);
    if (sampleDimension !== null && variable.dimensions.length <= 1)
      ragged.set(sampleDimension, {
        kind: "contiguous",
        variable,
        instanceDimension: variable.dimensions[0] ?? null,
      });
    const instanceDimension = instance === null ? null : resolveDimension(instance, variable);
    const [own] = variable.dimensions;
    if (instanceDimension !== null && own !== undefined && variable.dimensions.length === 1)
      ragged.set(own, { kind: "indexed", variable, instanceDimension });
  }
  const bounds = new Set(
    file.variables.flatMap((v) => ["bounds", "climatology"].map((name) => textAttribute(v, name))),
  );
  const times = file.variables.filter((v) => isTime(v) && !bounds.has(v.name));
  const partTimes = partTimesOf(file, times);
  const parts = new Set(partTimes.flatMap(({ variables }) => variables));
  const free = file.variables.filter(
    (v) =>
      !helpers.has(v.name) &&
      !times.includes(v) &&
      !parts.has(v) &&
      v.dimensions.length > 0 &&
      !(v.dimensions.length === 1 && v.dimensions[0] === v.name) &&
      textAttribute(v, "cf_role") === null &&
      !isPosition(v),
  );
  // What has no other role.
  const [data, texts] = [free.filter(isNumeric), free.filter((v) => !isNumeric(v))];
  return { file, resolve, times, partTimes, data, texts, ragged };
}

function around<T>(name: string, from: NetcdfVariable, find: (path: string) => T | null): T | null {
  if (name.startsWith("/")) return find(name.slice(1));
  const groups = from.name.split("/").slice(0, -1);
  for (let depth = groups.length; depth >= 0; depth--) {
    const found = find([...groups.slice(0, depth), name].join("/"));
    if (found !== null) return found;
  }
  return null;
}

function isTime(variable: NetcdfVariable): boolean {
  if (isNumeric(variable)) return isTimeUnits(textAttribute(variable, "units")) || countedFrom(variable) !== null;
  if (variable.type === "other") return false;
  return textAttribute(variable, "standard_name") === "time" || /^(date_?)?times?$|^epochs?$/i.test(ownName(variable));
}

/**
 * What a time without a date in its units counts from, by its description: “time offset from base_time” (ARM), “Time delta
 * from start_time” (SuomiNet); null for other variables.
 */
export function countedFrom(variable: NetcdfVariable): "base_time" | "start_time" | null {
  if (unitOfTimeMs(textAttribute(variable, "units")?.replace(/ since .*/, "") ?? "") === null) return null;
  const [, start] = /\bfrom (base_time|start_time)\b/i.exec(textAttribute(variable, "long_name") ?? "") ?? [];
  return start === undefined ? null : start.toLowerCase() === "base_time" ? "base_time" : "start_time";
}

/** What horizontal position a variable tells, by CF units, else by its names; null for other variables. */
export function angleOf(variable: NetcdfVariable): "latitude" | "longitude" | null {
  const [, north, east] = /^degrees?_?(?:(north|n)|(east|e))$/i.exec(textAttribute(variable, "units") ?? "") ?? [];
  if (north ?? east) return north ? "latitude" : "longitude";
  if (signOfDegrees(textAttribute(variable, "units") ?? "") === null) return null;
  const names = [textAttribute(variable, "standard_name"), placeNamed(ownName(variable))];
  return names.find((name) => name === "latitude" || name === "longitude") ?? null;
}

export function isPosition(variable: NetcdfVariable): boolean {
  return angleOf(variable) !== null;
}
