import { defined } from "#shared/defined.ts";
import { count } from "#shared/text.ts";
import { FormatFailure } from "../../error.ts";
import type { AxisSlice, NetcdfFile } from "../../netcdf/read.ts";
import type { Pace } from "../../source.ts";
import type { ColumnCache } from "../columnCache.ts";
import { type Notes, quoted } from "../notes.ts";
import { inOrder, MAX_ROWS, type Samples, samplesOf, type TimesSurvey, TimesSurveyor } from "../samples.ts";
import type { Ragged } from "./structure.ts";
import type { TimeVariable } from "./times.ts";
import { packingOf, unpack } from "./attributes.ts";

/**
 * Epochs of series: times of the samples of each instance, and their positions along the sample dimension. All times were
 * read once to survey them.
 */
export interface SampleAxis {
  /** null for a single time without a dimension. */
  readonly dimension: string | null;
  readonly instanceDimension: string | null;
  /** Number of surveyed instances; null if all have the same epochs. */
  readonly instances: number | null;
  survey(instance: number): TimesSurvey;
  /** Returns the part of the sample dimension that contains an instance. */
  span(instance: number): AxisSlice;
  samples(instance: number): Samples;
}

export interface AxisContext {
  readonly file: NetcdfFile;
  readonly cache: ColumnCache;
  readonly pace: Pace;
  readonly notes: Notes;
  readonly maxInstances: number;
  readonly maxTimes: number;
}

const BLOCK = 1 << 17;

/**
 * Returns the maximum number of times for a file size. Unwritten values take no space, so that a hostile file can declare
 * any size; a valid file has less than a hundred times per byte, even if compressed.
 */
export function maxTimesIn(fileBytes: number): number {
  return Math.min(200_000_000, Math.max(2_000_000, 100 * fileBytes));
}

/** Creates an axis common to all instances, along one dimension or with a single time. */
export async function sharedAxis(time: TimeVariable, context: AxisContext): Promise<SampleAxis> {
  const [dimension = null] = time.dimensions;
  const span = limited([0, time.shape[0] ?? 1], context);
  const slicesOf = ([from, to]: AxisSlice): AxisSlice[] => (dimension === null ? [] : [[from, to]]);
  const surveyor = new TimesSurveyor(1);
  for (const part of blocks(span)) {
    for (const ms of time.read(slicesOf(part))) surveyor.add(0, ms);
    await context.pace.step();
  }
  return {
    dimension,
    instanceDimension: null,
    instances: null,
    survey: () => surveyor.result(0),
    span: () => span,
    samples: () => samplesOf(time.read(slicesOf(bounded(span)))),
  };
}

/** Creates an axis for times with a row per instance: `time(station, obs)`. */
export async function matrixAxis(time: TimeVariable, instanceAxis: 0 | 1, context: AxisContext): Promise<SampleAxis> {
  const sampleAxis = instanceAxis === 0 ? 1 : 0;
  const instances = Math.min(defined(time.shape[instanceAxis]), context.maxInstances);
  const span = limited([0, defined(time.shape[sampleAxis])], context, instances);
  const slicesOf = (of: AxisSlice, part: AxisSlice): AxisSlice[] => (instanceAxis === 0 ? [of, part] : [part, of]);
  const surveyor = new TimesSurveyor(instances);
  // Reads whole rows of the last axis, in file order.
  const across = Math.max(1, Math.floor(BLOCK / Math.max(1, instances)));
  const parts = instanceAxis === 0 ? blocks(span) : blocks(span, across);
  for (const part of parts) {
    const step = instanceAxis === 0 ? Math.max(1, Math.floor(BLOCK / Math.max(1, part[1] - part[0]))) : instances;
    for (let first = 0; first < instances; first += step) {
      const of: AxisSlice = [first, Math.min(first + step, instances)];
      const read = time.read(slicesOf(of, part));
      const [rows, columns] = [of[1] - of[0], part[1] - part[0]];
      for (let i = 0; i < rows; i++)
        for (let k = 0; k < columns; k++)
          surveyor.add(first + i, read[instanceAxis === 0 ? i * columns + k : k * rows + i]!);
      await context.pace.step();
    }
  }
  return {
    dimension: defined(time.dimensions[sampleAxis]),
    instanceDimension: defined(time.dimensions[instanceAxis]),
    instances,
    survey: (instance) => surveyor.result(instance),
    span: () => span,
    samples: (instance) => samplesOf(time.read(slicesOf([instance, instance + 1], bounded(span)))),
  };
}

/** Creates an axis for contiguous rows of instances, with row counts in a variable with `sample_dimension`. */
export async function contiguousAxis(
  time: TimeVariable,
  { variable, instanceDimension }: Ragged,
  context: AxisContext,
): Promise<SampleAxis> {
  const [, total] = limited([0, time.shape[0] ?? 0], context);
  const instances = instanceDimension === null ? 1 : Math.min(defined(variable.shape[0]), context.maxInstances);
  const counts = unpack(
    context.file.read(variable.name, instanceDimension === null ? [] : [[0, instances]]),
    packingOf(variable),
  );
  const starts = new Float64Array(instances + 1);
  let end = 0;
  for (const [i, rows] of counts.subarray(0, instances).entries()) {
    const isValid = Number.isInteger(rows) && rows >= 0 && end + rows <= total;
    // A missing count means no rows.
    if (!isValid && !Number.isNaN(rows))
      context.notes.add(
        `The numbers of rows in ${quoted(variable.name)} do not fit the file: some series are cut short.`,
      );
    if (isValid) end += rows;
    else if (rows >= 0) end = total;
    starts[i + 1] = end;
  }
  const isWhole = instanceDimension === null || instances === variable.shape[0];
  if (isWhole && end < total)
    context.notes.add(
      `Rows at the end that belong to nothing by ${quoted(variable.name)} are left out: ${count(total - end)}.`,
    );
  const surveyor = new TimesSurveyor(instances);
  let instance = 0;
  for (const [from, to] of blocks([0, end])) {
    const read = time.read([[from, to]]);
    for (let row = from; row < to; row++) {
      while (row >= starts[instance + 1]!) instance++;
      surveyor.add(instance, read[row - from]!);
    }
    await context.pace.step();
  }
  const span = (i: number): AxisSlice => [starts[i]!, starts[i + 1]!];
  return {
    dimension: defined(time.dimensions[0]),
    instanceDimension,
    instances,
    survey: (i) => surveyor.result(i),
    span,
    samples: (i) => samplesOf(time.read([bounded(span(i))])),
  };
}

/** Creates an axis for interleaved rows, with the instance of each row in a variable with `instance_dimension`. */
export async function indexedAxis(
  time: TimeVariable,
  { variable, instanceDimension, size }: Ragged & { readonly size: number },
  key: string,
  context: AxisContext,
): Promise<SampleAxis> {
  const { file, cache, notes } = context;
  const span = limited([0, time.shape[0] ?? 0], context);
  const instances = Math.min(size, context.maxInstances);
  const packing = packingOf(variable);
  const surveyor = new TimesSurveyor(instances);
  let strays = 0;
  for (const [from, to] of blocks(span)) {
    const read = time.read([[from, to]]);
    const owners = unpack(file.read(variable.name, [[from, to]]), packing);
    for (let i = 0; i < owners.length; i++) {
      const owner = owners[i]!;
      if (owner >= 0 && owner < instances && Number.isInteger(owner)) surveyor.add(owner, read[i]!);
      else strays++;
    }
    await context.pace.step();
  }
  if (strays > 0 && instances === size)
    notes.add(`Rows that belong to nothing by ${quoted(variable.name)} are left out: ${count(strays)}.`);
  const times = () => cache.get(`${key}/times`, () => time.read([bounded(span)]));
  const owners = () => cache.get(`${key}/owners`, () => unpack(file.read(variable.name, [bounded(span)]), packing));
  return {
    dimension: defined(time.dimensions[0]),
    instanceDimension,
    instances,
    survey: (i) => surveyor.result(i),
    span: () => span,
    samples(instance) {
      const [allTimes, allOwners] = [times(), owners()];
      const indices = new Uint32Array(surveyor.result(instance).rows);
      let n = 0;
      for (let row = 0; row < allOwners.length && n < indices.length; row++)
        if (allOwners[row] === instance && !Number.isNaN(allTimes[row])) indices[n++] = row;
      const { timesMs, order } = samplesOf(inOrder(allTimes, indices));
      return { timesMs, order: order === null ? indices : Uint32Array.from(order, (i) => indices[i]!) };
    },
  };
}

function limited([from, to]: AxisSlice, { notes, maxTimes }: AxisContext, instances = 1): AxisSlice {
  const end = Math.min(to, from + Math.max(1, Math.floor(maxTimes / Math.max(1, instances))));
  if (end < to) notes.add("This file has more rows than can be looked at here: the last ones are left out.");
  return [from, end];
}

function* blocks([from, to]: AxisSlice, length = BLOCK): Iterable<AxisSlice> {
  for (let at = from; at < to; at += length) yield [at, Math.min(at + length, to)];
}

function bounded(span: AxisSlice): AxisSlice {
  const rows = span[1] - span[0];
  if (rows <= MAX_ROWS) return span;
  throw new FormatFailure(
    "tooLarge",
    `This series has ${count(rows)} rows; ${count(MAX_ROWS)} can be shown. Cut the file in time, with “ncks -d” for instance.`,
  );
}
