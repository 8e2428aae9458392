import type { SeriesRows } from "#shared/series/rows.ts";
import { uncertaintyOf, type Variable, variableInfo, variableKind } from "#shared/service/variables.ts";
import { FormatFailure } from "../error.ts";
import { intervalLengths, type Pace, type SeriesFileSource, timeMeaning } from "../source.ts";
import { type Attributes, chunkOf, FILL_DOUBLE, type NetcdfSink } from "./sink.ts";

/** Returns the attributes of `time` for both layouts. */
export function timeAttributes(source: SeriesFileSource): Attributes {
  return {
    standard_name: "time",
    long_name: timeMeaning(source),
    units: "seconds since 1970-01-01T00:00:00Z",
    calendar: "standard",
    axis: "T",
    comment: "UTC, not GPS time: leap seconds are not counted.",
    bounds: source.intervalSeconds === null ? undefined : "time_bnds",
  };
}

/** Returns the attributes of a variable of the service. */
function dataAttributes(source: SeriesFileSource, variable: Variable, coordinates: readonly string[]): Attributes {
  const info = variableInfo(variable);
  const { unit, label, meaning } = info;
  const averaged = source.intervalSeconds !== null;
  if (info.kind === "satellite") {
    return {
      long_name: `${label}, one value per satellite, separated by commas${unit ? `; ${unit}` : ""}`,
      coordinates: coordinates.join(" "),
      grid_mapping: "crs",
      comment: averaged ? `${meaning} Of the first observation in the interval.` : meaning,
    };
  }
  const uncertainty = uncertaintyOf(variable);
  const days = source.zone === undefined ? "" : ` (days of the time zone ${source.zone})`;
  return {
    standard_name: info.standardName,
    long_name: info.longName,
    units: unit,
    _FillValue: FILL_DOUBLE,
    coordinates: coordinates.join(" "),
    grid_mapping: "crs",
    ancillary_variables: uncertainty !== null && source.variables.includes(uncertainty) ? uncertainty : undefined,
    cell_methods: averaged ? `time: mean${days}` : "time: point",
    comment:
      averaged && info.uncertaintyOf !== undefined
        ? `${meaning} Mean over the interval, not that of its mean.`
        : meaning,
  };
}

/** What both layouts need to write the rows of a source. */
export interface RowsTask {
  readonly file: NetcdfSink;
  readonly source: SeriesFileSource;
  /** Rows of each station, in the order of the source. */
  readonly rowCounts: readonly number[];
  /** Names for the attribute `coordinates` of the variables. */
  readonly coordinates: readonly string[];
  readonly maxTextCharacters: number;
  readonly pace: Pace;
}

/** The values of a variable in one chunk along the first dimension. */
export interface ChunkBuffer {
  readonly name: Variable;
  readonly buffer: Float64Array;
}

/**
 * Declares the times along the first dimension, of size `total`, with their bounds, and the scalar variables.
 *
 * @returns a buffer for a chunk of each scalar variable
 */
export function declareRows(
  { file, source, coordinates }: RowsTask,
  dimensions: readonly [string, ...string[]],
  total: number,
  chunk: readonly [number, ...number[]],
): readonly ChunkBuffer[] {
  const [dimension] = dimensions;
  file.doubles({ name: "time", dimensions: [dimension], attributes: timeAttributes(source), holdsTimes: true }, [
    chunkOf(total),
  ]);
  declareBounds(file, source, dimension, total);
  const scalars = source.variables.filter((v) => variableKind(v) === "scalar");
  for (const name of scalars)
    file.doubles({ name, dimensions, attributes: dataAttributes(source, name, coordinates) }, chunk);
  return scalars.map((name) => ({ name, buffer: new Float64Array(chunk[0]) }));
}

/** Writes the texts of a file, of variables with these dimensions. */
export function writeTexts(
  { file, source, coordinates }: RowsTask,
  dimensions: readonly string[],
  { cells }: TextCells,
): void {
  for (const [name, texts] of cells)
    file.strings({ name, dimensions, attributes: dataAttributes(source, name, coordinates) }, texts);
}

/** Declares the bounds of intervals; none for native observations. */
function declareBounds(file: NetcdfSink, source: SeriesFileSource, dimension: string, size: number): void {
  if (source.intervalSeconds === null) return;
  file.dimension("nv", 2);
  // By CF, bounds inherit the attributes of their variable.
  file.doubles({ name: "time_bnds", dimensions: [dimension, "nv"], attributes: {}, holdsTimes: true }, [
    chunkOf(size),
    2,
  ]);
}

/** Writes a block of times in seconds from `start` on, and the bounds of their intervals. */
export function writeTimeBlock(file: NetcdfSink, source: SeriesFileSource, start: number, timesMs: Float64Array): void {
  const seconds = toSeconds(timesMs);
  file.write("time", [start], seconds);
  const lengths = intervalLengths(source, timesMs);
  if (lengths === null) return;
  const bounds = new Float64Array(2 * seconds.length);
  for (let i = 0; i < seconds.length; i++) {
    const second = seconds[i]!;
    bounds[2 * i] = second;
    bounds[2 * i + 1] = second + lengths[i]!;
  }
  file.write("time_bnds", [start, 0], bounds);
}

/** A loop instead of `map`, because millions of values are converted in code that runs once. */
function toSeconds(timesMs: Float64Array): Float64Array {
  const seconds = new Float64Array(timesMs.length);
  for (let i = 0; i < seconds.length; i++) seconds[i] = timesMs[i]! / 1000;
  return seconds;
}

/** Writes an axis of times block by block, with the bounds of intervals. */
export async function writeTimes({ file, source, pace }: RowsTask, blocks: Iterable<Float64Array>): Promise<void> {
  let start = 0;
  for (const block of blocks) {
    writeTimeBlock(file, source, start, block);
    start += block.length;
    await file.drained();
    await pace.step();
  }
}

/** Successive rows of a block. */
interface RowsPart {
  readonly rows: SeriesRows;
  readonly from: number;
  readonly length: number;
}

/** Copies the values of a variable into `target`, from `at` on, with the fill value for missing values. */
export function copyScalars(
  { rows, from, length }: RowsPart,
  variable: Variable,
  target: Float64Array,
  at: number,
): void {
  const column = rows.columns[variable];
  if (column?.kind !== "scalar") {
    target.fill(FILL_DOUBLE, at, at + length);
    return;
  }
  const { values } = column;
  const copied = target.subarray(at, at + length);
  copied.set(values.subarray(from, from + length));
  for (let i = 0; i < length; i++) if (copied[i] !== copied[i]) copied[i] = FILL_DOUBLE;
}

/**
 * Collects the texts of a file, because they can only be written all at once. Fails beyond a limit of their size, to
 * protect memory.
 */
export class TextCells {
  readonly cells = new Map<Variable, string[]>();
  readonly #columns: number;
  readonly #maxCharacters: number;
  #characters: number;

  /**
   * @param columns number of columns of each variable; cells are stored row by row
   * @param rows number of rows; absent cells are empty texts
   */
  constructor({ source, maxTextCharacters }: RowsTask, columns: number, rows: number) {
    const variables = source.variables.filter((v) => variableKind(v) === "satellite");
    const cells = columns * rows;
    this.#columns = columns;
    this.#maxCharacters = maxTextCharacters;
    this.#characters = variables.length * cells;
    this.#check();
    for (const variable of variables)
      this.cells.set(
        variable,
        Array.from({ length: cells }, () => ""),
      );
  }

  /** Copies rows into a column, starting at the row `at`. */
  copy({ rows, from, length }: RowsPart, column: number, at: number): void {
    for (const [variable, target] of this.cells) {
      const source = rows.columns[variable];
      if (source?.kind !== "text") continue;
      for (let i = 0; i < length; i++) {
        const text = source.values[from + i] ?? "";
        target[(at + i) * this.#columns + column] = text;
        this.#characters += text.length;
      }
    }
    this.#check();
  }

  #check(): void {
    if (this.#characters <= this.#maxCharacters) return;
    throw new FormatFailure(
      "tooLarge",
      "The satellite texts are too large for one NetCDF file. Choose a shorter range or fewer stations.",
    );
  }
}
