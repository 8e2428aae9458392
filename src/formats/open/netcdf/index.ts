import type { FileSeries } from "#shared/file/opened.ts";
import { VARIABLE_NAMES } from "#shared/service/variables.ts";
import { FormatFailure } from "../../error.ts";
import type { NetcdfFile, NetcdfVariable } from "../../netcdf/read.ts";
import type { Pace } from "../../pace.ts";
import type { ColumnCache } from "../columnCache.ts";
import { createNotes, listed } from "../notes.ts";
import { type Recognized, recognize } from "../quantity.ts";
import { inOrder, MOST_ROWS, type Samples } from "../samples.ts";
import type { FileRows, SeriesFile } from "../types.ts";
import { mostTimesIn } from "./axes.ts";
import { numbersOf, textOf } from "./attributes.ts";
import { type Family, familiesOf, slicesOf } from "./families.ts";
import { type Instance, instancesOf, sizeOf } from "./instances.ts";
import { ownName, type Structure, structureOf } from "./structure.ts";
import { packingOf, unpack } from "./unpack.ts";

/** More than these are no help to anybody, in a list or in a plot. */
const MOST_SERIES = 20_000;
/** Scattered samples are taken from the whole variable, read once, up to this many values. */
const MOST_WHOLE = 16_000_000;

/** Kept in the place of an order that is none. */
const AS_THEY_ARE = new Uint32Array(0);

interface Place {
  readonly family: Family;
  readonly variable: NetcdfVariable;
  readonly instance: number;
  readonly extra: ReadonlyMap<string, number>;
  readonly factor: number;
  readonly series: FileSeries;
}

/** What there is over time in a NetCDF file. @throws FormatFailure where there is nothing, or the file is damaged */
export async function describeNetcdf(
  file: NetcdfFile,
  fileBytes: number,
  cache: ColumnCache,
  pace: Pace,
): Promise<SeriesFile> {
  const structure = structureOf(file);
  const notes = createNotes();
  const context = { file, cache, pace, notes, mostInstances: MOST_SERIES, mostTimes: mostTimesIn(fileBytes) };
  const families = await familiesOf(structure, context);
  const found: Place[] = [];
  let total = 0;
  for (const family of families) {
    total += seriesOf(structure, family);
    found.push(...placesOf(structure, family, MOST_SERIES - found.length));
  }
  if (total > found.length)
    notes.add(
      `This file has ${total.toLocaleString("en")} series: the first ${found.length.toLocaleString("en")} are shown.`,
    );
  const ordered = inStationOrder(structure, found).map((place, i) => ({
    ...place,
    series: { ...place.series, id: String(i) },
  }));
  tellOfValues(families, notes.add);
  if (ordered.length === 0) throw nothing(notes.all());
  const owner = { attributes: file.attributes };
  return {
    format: file.format,
    title: textOf(owner, "title"),
    source: textOf(owner, "source") ?? textOf(owner, "institution") ?? textOf(owner, "references"),
    notes: notes.all(),
    series: ordered.map(({ series }) => series),
    rows: (index) => rowsOf(file, cache, ordered[index]!),
    close: () => file.close(),
  };
}

function seriesOf(structure: Structure, { axis, instanceDimension, extraDimensions, variables }: Family): number {
  const instances = instanceDimension === null ? 1 : sizeOf(structure, instanceDimension);
  return extraDimensions.reduce(
    (n, d) => n * sizeOf(structure, d),
    variables.length * (axis.instances === 0 ? 0 : instances),
  );
}

function placesOf(structure: Structure, family: Family, most: number): Place[] {
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
          position: about.position,
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

function labelOf({ label }: Instance, dimension: string | null, index: number, variable: NetcdfVariable): string {
  if (label !== null) return label;
  return dimension === null ? ownName(variable) : stepOf(dimension, index);
}

function stepOf(dimension: string, index: number): string {
  return `${ownName({ name: dimension })} ${index + 1}`;
}

function quantityOf(variable: NetcdfVariable): Recognized {
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

/** All series of a station together, whatever axis they have: first what is known here, then in the order of the file. */
function inStationOrder({ file }: Structure, places: readonly Place[]): Place[] {
  const rank = ({ series }: Place): number => {
    const { variable } = series.quantity;
    return variable === null ? VARIABLE_NAMES.length : VARIABLE_NAMES.indexOf(variable);
  };
  const order = new Map(file.variables.map((v, i) => [v.name, i]));
  const dimensions = [...new Set(places.map((p) => p.family.instanceDimension))];
  return places.toSorted(
    (a, b) =>
      dimensions.indexOf(a.family.instanceDimension) - dimensions.indexOf(b.family.instanceDimension) ||
      a.instance - b.instance ||
      rank(a) - rank(b) ||
      order.get(a.variable.name)! - order.get(b.variable.name)!,
  );
}

function tellOfValues(families: readonly Family[], add: (sentence: string) => void): void {
  const variables = families.flatMap((family) => family.variables);
  const bounded = variables.filter((v) =>
    ["valid_min", "valid_max", "valid_range"].some((name) => numbersOf(v, name).length > 0),
  );
  if (bounded.length > 0)
    add(`Values outside the valid range that the file gives are left out: ${listed(bounded.map(ownName))}.`);
  const means = variables.filter((v) => /\b(mean|sum|maximum|minimum|median)\b/.test(textOf(v, "cell_methods") ?? ""));
  if (means.length > 0) {
    const methods = new Set(means.map((v) => textOf(v, "cell_methods") ?? ""));
    add(`Values over intervals by the file (${[...methods].slice(0, 3).join("; ")}): ${listed(means.map(ownName))}.`);
  }
  let [unsorted, repeated] = [0, 0];
  const seen = new Set<string>();
  for (const { axis, axisKey } of families) {
    if (seen.has(axisKey)) continue;
    seen.add(axisKey);
    for (let i = 0; i < (axis.instances ?? 1); i++) {
      const { isSorted, hasRepeats } = axis.survey(i);
      if (!isSorted) unsorted++;
      if (hasRepeats) repeated++;
    }
  }
  if (unsorted > 0) add(`Epochs out of order in ${axes(unsorted)}: all rows are kept, and put in order of time.`);
  if (repeated > 0) add(`Epochs that come more than once in ${axes(repeated)}: all rows are kept.`);
}

function axes(n: number): string {
  return n === 1 ? "one time axis" : `${n.toLocaleString("en")} time axes`;
}

function rowsOf(
  file: NetcdfFile,
  cache: ColumnCache,
  { family, variable, instance, extra, factor, series }: Place,
): FileRows {
  const { axis } = family;
  const { timesId } = series;
  let loaded: Samples | null = null;
  const load = (): Samples => (loaded ??= axis.samples(instance));
  const timesMs = cache.get(`${timesId}/times`, () => load().timesMs);
  const values = cache.get(`${series.id}/values`, () => {
    const order = cache.get(`${timesId}/order`, () => load().order ?? AS_THEY_ARE);
    const raw = samplesIn(file, cache, variable, slicesOf(family, variable, instance, extra), axis.dimension);
    const sorted = inOrder(raw, order.length === 0 && timesMs.length > 0 ? null : order);
    return factor === 1 ? sorted : sorted.map((value) => value * factor);
  });
  return { timesMs, values };
}

/** Values of a part of a variable that is one row; where they lie far apart, the whole variable is read once. */
function samplesIn(
  file: NetcdfFile,
  cache: ColumnCache,
  variable: NetcdfVariable,
  slices: readonly (readonly [number, number])[],
  sampleDimension: string | null,
): Float64Array<ArrayBuffer> {
  const { name, shape, dimensions } = variable;
  const packing = packingOf(variable);
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const axis = sampleDimension === null ? -1 : dimensions.indexOf(sampleDimension);
  const step = axis < 0 ? 1 : strides[axis]!;
  const size = shape.reduce((a, b) => a * b, 1);
  const length = axis < 0 ? 1 : slices[axis]![1] - slices[axis]![0];
  if (length > MOST_ROWS) throw new FormatFailure("tooLarge", `The variable ${name} is too large to be shown.`);
  if (step === 1 || size > MOST_WHOLE) return unpack(file.read(name, slices), packing);
  const whole = cache.get(`whole/${name}`, () => unpack(file.read(name), packing));
  const first = slices.reduce((sum, [start], k) => sum + start * strides[k]!, 0);
  return Float64Array.from({ length }, (_, i) => whole[first + i * step]!);
}

function nothing(notes: readonly string[]): FormatFailure {
  const why = notes.length > 0 ? ` ${notes.slice(0, 3).join(" ")}` : "";
  return new FormatFailure("unreadable", `There is nothing over time in this file that could be shown.${why}`);
}
