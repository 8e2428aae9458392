import { FormatFailure } from "../../error.ts";
import type { NetcdfFile, NetcdfVariable } from "../../netcdf/read.ts";
import type { ColumnCache } from "../columnCache.ts";
import { inOrder, MOST_ROWS, type Samples } from "../samples.ts";
import type { FileRows } from "../types.ts";
import { slicesOf } from "./families.ts";
import type { Place } from "./places.ts";
import { packingOf, unpack } from "./unpack.ts";

/** Scattered samples are taken from the whole variable, read once, up to this many values. */
const MOST_WHOLE = 16_000_000;

/** Kept in the place of an order that is none. */
const AS_THEY_ARE = new Uint32Array(0);

/** Rows of a series, from the cache where they were read lately. @throws FormatFailure */
export function rowsOf(
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
