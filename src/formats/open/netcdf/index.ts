import { defined } from "#shared/defined.ts";
import { VARIABLE_NAMES } from "#shared/service/variables.ts";
import { count } from "#shared/text.ts";
import { FormatFailure, unreadable } from "../../error.ts";
import type { NetcdfFile, NetcdfVariable } from "../../netcdf/read.ts";
import { MAX_SERIES } from "../collector/index.ts";
import type { ColumnCache } from "../columnCache.ts";
import type { ColumnMeaning } from "../meaning/columns.ts";
import { answered } from "../meaning/answering.ts";
import { NamedFile } from "../meaning/named.ts";
import { Finisher } from "../meaning/values.ts";
import { createNotes, listed, type Notes } from "../notes.ts";
import type { TableSource } from "../table/source.ts";
import type { FileRows, Reading, SeriesFile } from "../types.ts";
import { aboutOf, numbersOf, ownName, packingOf, unpackNumbers } from "./attributes.ts";
import { type AxisContext, maxTimesIn } from "./axes.ts";
import { familiesOf, type Family, slicesOf } from "./families.ts";
import { flatTable } from "./flat.ts";
import { variableMeanings } from "./meanings.ts";
import { valueCell, countSeries, type SeriesLocation, seriesLocations } from "./locations.ts";
import { type Structure, structureOf } from "./structure.ts";
import { timeVariables } from "./times.ts";
import { cachedRows, inOrder } from "../samples.ts";
import type { FileGrid, FileSeries, GridPoint } from "#shared/file/opened.ts";
import { type Instance, instancesOf, dimensionSize } from "./instances.ts";

const MAX_WHOLE = 16_000_000;

function locationRows(file: NetcdfFile, cache: ColumnCache, location: ReadableLocation): FileRows {
  return cachedRows(cache, {
    ...location.series,
    samples: () => location.family.axis.samples(location.instance),
    values: (order) => new Finisher(location.meaning).finished(inOrder(samplesIn(file, cache, location), order)),
  });
}

/** Reads a one-dimensional part of a variable; if its values are scattered, the whole variable is read and cached. */
function samplesIn(file: NetcdfFile, cache: ColumnCache, { family, variable, instance, extra }: ReadableLocation) {
  const { name, shape, dimensions } = variable;
  const slices = slicesOf(family, variable, instance, extra);
  const sampleDimension = family.axis.dimension;
  const packing = packingOf(variable);
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const axis = sampleDimension === null ? -1 : dimensions.indexOf(sampleDimension);
  const step = strides[axis] ?? 1;
  const size = shape.reduce((a, b) => a * b, 1);
  const [start = 0, end = 1] = slices[axis] ?? [];
  const length = end - start;
  // Contiguous: a row of a matrix, or a column in chunks of its own.
  const hasOwnChunks = variable.chunk?.every((n, k) => k === axis || n === 1) ?? false;
  const isContiguous = (step === 1 || hasOwnChunks) && length < size;
  if (isContiguous || size > MAX_WHOLE) return unpackNumbers(file.read(name, slices), packing);
  const whole = cache.get(`whole/${name}`, () => unpackNumbers(file.read(name), packing));
  if (length === size) return whole;
  const first = slices.reduce((sum, [from], k) => sum + from * (strides[k] ?? 1), 0);
  return Float64Array.from({ length }, (_, i) => whole[first + i * step]!);
}

/**
 * Describes the variables over time of a NetCDF file, or returns its records if it is a table.
 * @throws FormatFailure if there are none, something is asked, or the file is damaged
 */
export async function describeNetcdf(
  file: NetcdfFile,
  fileBytes: number,
  reading: Reading,
): Promise<SeriesFile | TableSource> {
  const maxTimes = maxTimesIn(fileBytes);
  const header = `${file.format}: ${file.variables.map(({ name }) => name).join(",")}`;
  const found = await answered(header, file.variables.map(ownName), reading.choice, async (chosen) => {
    const named = new NamedFile(header, chosen);
    const context = { file, cache: reading.own, pace: reading.pace, notes: createNotes(), maxTimes };
    try {
      const described = await describeVariables(context, named);
      return { file: { described, notes: [] as readonly string[] }, said: named.said };
    } catch (thrown) {
      if (!(thrown instanceof FormatFailure)) throw thrown;
      return { failure: thrown, said: named.said };
    }
  });
  const { described } = found;
  if ("heads" in described) return described;
  return { ...described, notes: [...described.notes, ...found.notes], close: () => file.close() };
}

type Described = Omit<SeriesFile, "close"> | TableSource;

async function describeVariables(context: AxisContext, named: NamedFile): Promise<Described> {
  const { file, cache, notes } = context;
  const structure = structureOf(file);
  const families = await familiesOf(structure, timeVariables(structure, notes, named), context);
  const flat = flatTable(structure, families);
  if (flat) return flat;
  const variables = [...new Set(families.flatMap((family) => family.variables))];
  const { meanings, table } = variableMeanings(file, variables, { notes, named });
  const found: SeriesLocation[] = [];
  let total = 0;
  for (const family of families) {
    total += countSeries(structure, family);
    found.push(...seriesLocations(structure, family, meanings, MAX_SERIES - found.length));
  }
  const grids = families.flatMap((family) => gridsOf(structure, family, meanings));
  if (total > found.length)
    notes.add(
      `This file has ${count(total)} series: the first ${count(found.length)} are shown.${grids.length > 0 ? " Comparisons use all points of its grid." : ""}`,
    );
  // By station, the variables of the service first.
  const sorted = found.toSorted((a, b) => a.instance - b.instance || rank(a) - rank(b));
  const ordered = sorted.map((location, i) => ({ ...location, series: { ...location.series, id: String(i) } }));
  noteValues(families, notes);
  if (ordered.length === 0)
    throw unreadable(["This file has no variable with a time axis.", ...notes.all().slice(0, 3)].join(" "));
  return {
    ...(table ? { table } : {}),
    ...aboutOf(file),
    notes: notes.all(),
    series: ordered.map(({ series }) => series),
    rows: (index) => locationRows(file, cache, defined(ordered[index])),
    grids: grids.map(({ about, locate }) => ({ about, rows: (point) => locationRows(file, cache, locate(point)) })),
  };
}

function rank({ series: { quantity } }: SeriesLocation): number {
  return quantity.variable === null ? VARIABLE_NAMES.length : VARIABLE_NAMES.indexOf(quantity.variable);
}

function noteValues(families: readonly Family[], notes: Notes): void {
  const variables = families.flatMap((family) => family.variables);
  const bounded = variables.filter((v) =>
    ["valid_min", "valid_max", "valid_range"].some((name) => numbersOf(v, name).length > 0),
  );
  if (bounded.length > 0)
    notes.add(`Values outside the valid range that the file gives are left out: ${listed(bounded.map(ownName))}.`);
  const axes = [...new Set(families.map(({ axis }) => axis))];
  const surveys = axes.flatMap((axis) => Array.from({ length: axis.instances ?? 1 }, (_, i) => axis.survey(i)));
  // Of times with a row for each instance, the ends may be fill values.
  const missing = axes.reduce((sum, axis) => sum + (axis.instances === null ? axis.survey(0).missing : 0), 0);
  notes.count("Rows without a time are left out", missing);
  if (surveys.some(({ isSorted }) => !isSorted)) notes.add("Epochs out of order: all rows are kept, sorted by time.");
  if (surveys.some(({ hasRepeats }) => hasRepeats)) notes.add("Duplicate epochs: all rows are kept.");
}

type ReadableLocation = Omit<SeriesLocation, "series"> & { readonly series: Pick<FileSeries, "id" | "timesId"> };

/** Axes with more steps are not supported: a grid of 0.05° has 7,200 longitudes. */
const MAX_STEPS = 10_000;

function gridsOf(
  structure: Structure,
  family: Family,
  meanings: ReadonlyMap<NetcdfVariable, ColumnMeaning>,
): { readonly about: FileGrid; locate(point: GridPoint): ReadableLocation }[] {
  const { axis, axisKey, interval, instanceDimension, extraDimensions, variables } = family;
  if (axis.instances !== null) return [];
  const all = [...(instanceDimension === null ? [] : [instanceDimension]), ...extraDimensions];
  const wide = all.filter((dimension) => dimensionSize(structure, dimension) > 1);
  if (wide.length !== 2 || wide.some((dimension) => dimensionSize(structure, dimension) > MAX_STEPS)) return [];
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
    const meaning = defined(meanings.get(variable));
    const { quantity } = meaning;
    const id = `grid ${variable.name}`;
    return {
      about: { id, quantity, latitudesDeg, longitudesDeg, cell: valueCell(variable, interval), range },
      locate(point) {
        const at = new Map([
          [latitude.dimension, point.latitude],
          [longitude.dimension, point.longitude],
        ]);
        const series = { id: `${id} ${point.latitude} ${point.longitude}`, timesId: axisKey };
        return { family, variable, instance: at.get(instanceDimension ?? "") ?? 0, extra: at, meaning, series };
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
