import { defined } from "#shared/defined.ts";
import { count } from "#shared/text.ts";
import { FormatFailure } from "../../error.ts";
import type { AxisSlice, NetcdfFile } from "../../netcdf/read.ts";
import type { Pace } from "../../source.ts";
import { MAX_SERIES } from "../collector/index.ts";
import type { ColumnCache } from "../columnCache.ts";
import { type Notes, quotedName } from "../notes.ts";
import { inOrder, MAX_ROWS, type Samples, samplesOf, TimesSurvey } from "../samples.ts";
import type { Ragged } from "./structure.ts";
import type { TimeVariable } from "./times.ts";
import { numbersAt } from "./attributes.ts";

/**
 * Epochs of series: times of the samples of each instance, and their positions along the sample dimension. All times were
 * read once to survey them.
 */
export type SampleAxis = Awaited<ReturnType<typeof surveyed>>;

export interface AxisContext {
  readonly file: NetcdfFile;
  readonly cache: ColumnCache;
  readonly pace: Pace;
  readonly notes: Notes;
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

/** Slices of times that are read at once, in the order of the file, and the instance of each time; NaN for none. */
type TimesPart = readonly [slices: readonly AxisSlice[], instanceOf: (index: number) => number];

interface AxisLayout {
  /** null for a single time without a dimension. */
  readonly dimension: string | null;
  readonly instanceDimension: string | null;
  /** Number of surveyed instances; null if all have the same epochs. */
  readonly instances: number | null;
  span(instance: number): AxisSlice;
  readonly parts: Iterable<TimesPart>;
  slicesOf(instance: number): readonly AxisSlice[];
}

async function surveyed(time: TimeVariable, { pace }: AxisContext, { parts, slicesOf, ...axis }: AxisLayout) {
  const surveys = Array.from({ length: axis.instances ?? 1 }, () => new TimesSurvey());
  for (const [slices, instanceOf] of parts) {
    const times = time.read(slices);
    for (let i = 0; i < times.length; i++) surveys[instanceOf(i)]?.add(times[i]!);
    await pace.step();
  }
  return {
    ...axis,
    survey: (instance: number): TimesSurvey => defined(surveys[axis.instances === null ? 0 : instance]),
    samples: (instance: number): Samples => samplesOf(time.read(slicesOf(instance))),
  };
}

/** Creates an axis common to all instances (null), or for times with a row per instance: `time(station, obs)`. */
export function plainAxis(time: TimeVariable, instanceAxis: 0 | 1 | null, context: AxisContext): Promise<SampleAxis> {
  const { dimensions, shape } = time;
  const sampleAxis = instanceAxis === 0 ? 1 : 0;
  const instances = instanceAxis === null ? 1 : Math.min(defined(shape[instanceAxis]), MAX_SERIES);
  const span = limited([0, shape[sampleAxis] ?? 1], context, instances);
  const slicesOf = (of: AxisSlice, part: AxisSlice): AxisSlice[] =>
    instanceAxis === 0 ? [of, part] : [part, of].slice(0, dimensions.length);
  // Whole rows of the last axis, in the order of the file.
  function* parts(): Iterable<TimesPart> {
    for (const part of blocks(span, instanceAxis === 1 ? blockOf(instances) : BLOCK)) {
      const length = part[1] - part[0];
      for (const of of blocks([0, instances], instanceAxis === 0 ? blockOf(length) : instances)) {
        const rows = of[1] - of[0];
        const instanceOf = (i: number): number => of[0] + (instanceAxis === 0 ? Math.floor(i / length) : i % rows);
        yield [slicesOf(of, part), instanceOf];
      }
    }
  }
  return surveyed(time, context, {
    dimension: dimensions[sampleAxis] ?? null,
    instanceDimension: instanceAxis === null ? null : defined(dimensions[instanceAxis]),
    instances: instanceAxis === null ? null : instances,
    span: () => span,
    parts: parts(),
    slicesOf: (instance) => slicesOf([instance, instance + 1], bounded(span)),
  });
}

function blockOf(across: number): number {
  return Math.max(1, Math.floor(BLOCK / Math.max(1, across)));
}

/** Creates an axis for contiguous rows of instances, with row counts in a variable with `sample_dimension`. */
export function contiguousAxis(time: TimeVariable, { variable, instanceDimension }: Ragged, context: AxisContext) {
  const [, total] = limited([0, time.shape[0] ?? 0], context);
  const instances = instanceDimension === null ? 1 : Math.min(defined(variable.shape[0]), MAX_SERIES);
  const counts = numbersAt(context.file, variable, instanceDimension === null ? [] : [[0, instances]]);
  const starts = new Float64Array(instances + 1);
  let end = 0;
  for (const [i, rows] of counts.subarray(0, instances).entries()) {
    const isValid = Number.isInteger(rows) && rows >= 0 && end + rows <= total;
    // A missing count means no rows.
    if (!isValid && !Number.isNaN(rows))
      context.notes.add(
        `The numbers of rows in ${quotedName(variable.name)} do not fit the file: some series are cut short.`,
      );
    if (isValid) end += rows;
    else if (rows >= 0) end = total;
    starts[i + 1] = end;
  }
  const isWhole = instanceDimension === null || instances === variable.shape[0];
  if (isWhole && end < total)
    context.notes.add(
      `Rows at the end that belong to nothing by ${quotedName(variable.name)} are left out: ${count(total - end)}.`,
    );
  function* parts(): Iterable<TimesPart> {
    let instance = 0;
    const instanceOf = (row: number): number => {
      while (row >= starts[instance + 1]!) instance++;
      return instance;
    };
    for (const part of blocks([0, end])) yield [[part], (i) => instanceOf(part[0] + i)];
  }
  const span = (i: number): AxisSlice => [starts[i]!, starts[i + 1]!];
  const slicesOf = (i: number): AxisSlice[] => [bounded(span(i))];
  const [dimension = null] = time.dimensions;
  return surveyed(time, context, { dimension, instanceDimension, instances, span, parts: parts(), slicesOf });
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
  const instances = Math.min(size, MAX_SERIES);
  const ownersIn = (slices: AxisSlice[]) => numbersAt(file, variable, slices);
  let strays = 0;
  function* parts(): Iterable<TimesPart> {
    for (const part of blocks(span)) {
      const owners = ownersIn([part]);
      strays += owners.filter((owner) => !(owner >= 0 && owner < instances && Number.isInteger(owner))).length;
      yield [[part], (i) => owners[i]!];
    }
  }
  const [dimension = null] = time.dimensions;
  const all = (): AxisSlice[] => [bounded(span)];
  const layout = { dimension, instanceDimension, instances, span: () => span, parts: parts(), slicesOf: all };
  const axis = await surveyed(time, context, layout);
  if (strays > 0 && instances === size)
    notes.add(`Rows that belong to nothing by ${quotedName(variable.name)} are left out: ${count(strays)}.`);
  return {
    ...axis,
    samples(instance) {
      const times = cache.get(`${key}/times`, () => time.read(all()));
      const owners = cache.get(`${key}/owners`, () => ownersIn(all()));
      const indices = new Uint32Array(axis.survey(instance).rows);
      let n = 0;
      for (let row = 0; row < owners.length && n < indices.length; row++)
        if (owners[row] === instance && !Number.isNaN(times[row])) indices[n++] = row;
      const { timesMs, order } = samplesOf(inOrder(times, indices));
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
