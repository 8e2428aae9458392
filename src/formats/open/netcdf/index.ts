import { defined } from "#shared/defined.ts";
import { VARIABLE_NAMES } from "#shared/service/variables.ts";
import { count } from "#shared/text.ts";
import { FormatFailure } from "../../error.ts";
import type { NetcdfFile, NetcdfVariable } from "../../netcdf/read.ts";
import type { Pace } from "../../pace.ts";
import type { ColumnCache } from "../columnCache.ts";
import { createNotes, listed } from "../notes.ts";
import type { SeriesFile, FileRows } from "../types.ts";
import { numbersOf, textOf } from "./attributes.ts";
import { mostTimesIn } from "./axes.ts";
import { type Family, familiesOf, slicesOf } from "./families.ts";
import { gridsOf } from "./grids.ts";
import { type Place, placesOf, seriesOf } from "./places.ts";
import { ownName, type Structure, structureOf } from "./structure.ts";
import { inOrder, MOST_ROWS, type Samples } from "../samples.ts";
import { packingOf, unpack } from "./unpack.ts";

/** Scattered samples are taken from the whole variable, read once, up to this many values. */
const MOST_WHOLE = 16_000_000;

/** Kept in the place of an order that is none. */
const AS_THEY_ARE = new Uint32Array(0);

/** Rows of a series, from the cache where they were read lately. @throws FormatFailure */
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
  // A row of a matrix lies together, and a column in blocks of its own; what is mixed with others is spread over all of it.
  const isAlone = variable.chunk?.every((n, k) => k === axis || n === 1) ?? false;
  const isTogether = (step === 1 || isAlone) && length < size;
  if (isTogether || size > MOST_WHOLE) return unpack(file.read(name, slices), packing);
  const whole = cache.get(`whole/${name}`, () => unpack(file.read(name), packing));
  if (length === size) return whole;
  const first = slices.reduce((sum, [start], k) => sum + start * strides[k]!, 0);
  return Float64Array.from({ length }, (_, i) => whole[first + i * step]!);
}

/** More than these are no help to anybody, in a list or in a plot. */
const MOST_SERIES = 20_000;

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
  const grids = families.flatMap((family) => gridsOf(structure, family));
  if (total > found.length)
    notes.add(
      `This file has ${count(total)} series: the first ${count(found.length)} are shown.${grids.length > 0 ? " Comparisons use all points of its grid." : ""}`,
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
    grids: grids.map(({ about, place }) => ({ about, rows: (point) => rowsOf(file, cache, place(point)) })),
    close: () => file.close(),
  };
}

/** All series of a station together, whatever axis they have: first what is known here, then in the order of the file. */
function inStationOrder({ file }: Structure, places: readonly Place[]): Place[] {
  const order = new Map(file.variables.map((v, i) => [v.name, i]));
  const dimensions = [...new Set(places.map((p) => p.family.instanceDimension))];
  return places.toSorted(
    (a, b) =>
      dimensions.indexOf(a.family.instanceDimension) - dimensions.indexOf(b.family.instanceDimension) ||
      a.instance - b.instance ||
      rank(a) - rank(b) ||
      defined(order.get(a.variable.name)) - defined(order.get(b.variable.name)),
  );
}

function rank({ series }: Place): number {
  const { variable } = series.quantity;
  return variable === null ? VARIABLE_NAMES.length : VARIABLE_NAMES.indexOf(variable);
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
  if (unsorted > 0) add(`Epochs out of order in ${axes(unsorted)}: all rows are kept, sorted by time.`);
  if (repeated > 0) add(`Duplicate epochs in ${axes(repeated)}: all rows are kept.`);
}

function axes(n: number): string {
  return n === 1 ? "one time axis" : `${count(n)} time axes`;
}

function nothing(notes: readonly string[]): FormatFailure {
  const why = notes.length > 0 ? ` ${notes.slice(0, 3).join(" ")}` : "";
  return new FormatFailure("unreadable", `There is nothing over time in this file that could be shown.${why}`);
}
