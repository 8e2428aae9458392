import { defined } from "#shared/defined.ts";
import { type Cell, POINT } from "#shared/series/cell.ts";
import type { FileSeries } from "#shared/file/opened.ts";
import type { Position } from "#shared/station/position.ts";
import type { NetcdfFile, NetcdfVariable } from "../../netcdf/read.ts";
import { ownName, textAttribute } from "./attributes.ts";
import { positionOf } from "../sites.ts";
import type { ColumnMeaning } from "../meaning/columns.ts";
import { siteRolesByName } from "../meaning/stations.ts";
import type { Family } from "./families.ts";
import { type Instance, instancesOf, dimensionSize } from "./instances.ts";
import type { Structure } from "./structure.ts";

export interface SeriesLocation {
  readonly family: Family;
  readonly variable: NetcdfVariable;
  readonly instance: number;
  readonly extra: ReadonlyMap<string, number>;
  readonly meaning: ColumnMeaning;
  readonly series: FileSeries;
}

export function countSeries(structure: Structure, { axis, instanceDimension, extraDimensions, variables }: Family) {
  const instances = instanceDimension === null ? 1 : dimensionSize(structure, instanceDimension);
  return extraDimensions.reduce(
    (n, d) => n * dimensionSize(structure, d),
    variables.length * (axis.instances === 0 ? 0 : instances),
  );
}

export function seriesLocations(
  structure: Structure,
  family: Family,
  meanings: ReadonlyMap<NetcdfVariable, ColumnMeaning>,
  max: number,
): SeriesLocation[] {
  const { axis, axisKey, interval, instanceDimension, extraDimensions, variables } = family;
  const steps = extraDimensions.map((d) => ({ dimension: d, names: instancesOf(structure, d, max) }));
  const quantities = variables.map((variable) => ({ variable, meaning: defined(meanings.get(variable)) }));
  const locations: SeriesLocation[] = [];
  for (const [i, about] of instancesOf(structure, instanceDimension, max).entries()) {
    if (axis.instances !== null && i >= axis.instances) break;
    const { rows, firstMs, lastMs } = axis.survey(i);
    for (const indices of combinations(steps.map(({ names }) => names.length))) {
      const extra = steps.map(({ dimension, names }, k) => {
        const index = indices[k] ?? 0;
        return { dimension, index, instance: names[index] };
      });
      for (const { variable, meaning } of quantities) {
        if (locations.length >= max) return locations;
        const words = extra.map(({ dimension, index, instance }) => instance?.label ?? stepName(dimension, index));
        const own = meaning.series;
        const named = about.label ?? (own ? stationOf(structure.file) : null);
        const group = variable.name.slice(0, Math.max(0, variable.name.lastIndexOf("/")));
        const alone = group || stationOf(structure.file) || ownName(variable);
        const label = named ?? own?.label ?? (instanceDimension === null ? alone : stepName(instanceDimension, i));
        const further = own && named !== null ? [own.label] : [];
        const series: FileSeries = {
          id: "",
          label: [label, ...further, ...words].join(", "),
          stationId: about.stationId ?? own?.stationId ?? null,
          satellite: about.satellite,
          position: about.position ?? gridPoint([about, ...extra.flatMap(({ instance }) => instance ?? [])]),
          quantity: meaning.quantity,
          cell: valueCell(variable, interval),
          rows,
          range: rows > 0 ? { startMs: firstMs, endMs: lastMs + 1 } : null,
          timesId: axis.instances === null ? axisKey : `${axisKey}#${i}`,
        };
        const at = new Map(extra.map(({ dimension, index }) => [dimension, index] as const));
        locations.push({ family, variable, instance: i, extra: at, meaning, series });
      }
    }
  }
  return locations;
}

function gridPoint(along: readonly Instance[]): Position | null {
  const latitudeDeg = along.find(({ angles }) => angles.latitudeDeg !== null)?.angles.latitudeDeg ?? null;
  const longitudeDeg = along.find(({ angles }) => angles.longitudeDeg !== null)?.angles.longitudeDeg ?? null;
  return positionOf({ latitudeDeg, longitudeDeg, heights: {} });
}

function stationOf(file: NetcdfFile): string | null {
  const isText = (name: string): boolean => /^(station|stn|site)/i.test(name) && textAttribute(file, name) !== null;
  const names = Object.keys(file.attributes).filter(isText);
  return textAttribute(file, names[siteRolesByName(names).get("station") ?? -1] ?? "");
}

function stepName(dimension: string, index: number): string {
  return `${ownName({ name: dimension })} ${index + 1}`;
}

/** What the values of a variable stand for, by its `cell_methods` and the bounds of its time; null if unknown. */
export function valueCell(variable: NetcdfVariable, interval: Cell | null): Cell | null {
  const methods = textAttribute(variable, "cell_methods") ?? "";
  if (/\btime:\s*point\b/.test(methods)) return POINT;
  // A sum or a maximum is not compared with means of its interval.
  return methods === "" || /\btime:\s*mean\b/.test(methods) ? interval : null;
}

/** Yields all combinations of indices, the last one fastest; one empty combination without dimensions. */
function* combinations(sizes: readonly number[]): Iterable<readonly number[]> {
  const [size, ...more] = sizes;
  if (size === undefined) yield [];
  else for (let i = 0; i < size; i++) for (const rest of combinations(more)) yield [i, ...rest];
}
