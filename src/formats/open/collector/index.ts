import type { FileQuantity, FileSeries } from "#shared/file/opened.ts";
import { type Cell, cellOfInterval } from "#shared/series/cell.ts";
import { FormatFailure } from "../../error.ts";
import { INTERVAL_COLUMN } from "../../stationFields.ts";
import { type ColumnFacts, type ColumnMeaning, meaningsOf, surveyed, type SurveyedColumn } from "../meaning/columns.ts";
import { Finisher, noteValues } from "../meaning/values.ts";
import type { Notes } from "../notes.ts";
import { inOrder, samplesOf, TimesSurvey } from "../samples.ts";
import type { Reading, SeriesFile } from "../types.ts";
import { openSpool, type Spool, type SpooledRange, spooledRows, type SpooledSeries } from "./spool.ts";

/** Text formats have no random access, so that the whole file is read and kept: eight bytes per value. */
export const MAX_VALUES = 60_000_000;
const MAX_IN_MEMORY = 4_000_000;
/** More series are of no use in a list or a plot. */
export const MAX_SERIES = 20_000;

const TOO_LARGE =
  "This table is too large to be opened as a whole. Export fewer stations or a shorter time, or as NetCDF, which is read in parts.";

interface Group {
  readonly times: GrowingNumbers;
  /** null: not one of this group. */
  readonly columns: readonly (GrowingNumbers | null)[];
}

export type SeriesGroup = Pick<FileSeries, "label" | "stationId" | "satellite" | "position" | "domes" | "cell">;

/** Collects the rows of a text by group, in limited memory and a temporary file. */
export class RowCollector {
  readonly #spool: Spool = openSpool();
  readonly #groups = new Map<string, Group>();
  readonly #columns: readonly SurveyedColumn[];
  readonly #reading: Reading;
  #series = 0;
  #values = 0;
  #spooled = 0;
  #skippedRows = 0;

  constructor(columns: readonly ColumnFacts[], reading: Reading) {
    this.#reading = reading;
    this.#columns = surveyed(columns);
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  /**
   * Adds a row; returns false if skipped.
   * @param values null: the rows of this group have no such column
   * @throws FormatFailure if there are too many values
   */
  add(key: string, timeMs: number, values: readonly (number | null)[]): boolean {
    let group = this.#groups.get(key);
    if (!group) {
      const columns = values.map((value) => (value === null ? null : new GrowingNumbers(this.#spool)));
      const series = this.#series + columns.filter((column) => column !== null).length;
      if (series > MAX_SERIES) {
        this.#skippedRows++;
        return false;
      }
      this.#series = series;
      group = { times: new GrowingNumbers(this.#spool), columns };
      this.#groups.set(key, group);
    }
    group.times.push(timeMs);
    this.#values++;
    for (const [n, column] of group.columns.entries()) {
      if (column === null) continue;
      const value = values[n] ?? Number.NaN;
      column.push(value);
      this.#columns[n]?.survey?.add(value);
      this.#values++;
    }
    if (this.#values > MAX_VALUES) throw new FormatFailure("tooLarge", TOO_LARGE);
    return true;
  }

  /** To be called between batches of rows: moves values to the temporary file if there are many. */
  async afterBatch(): Promise<void> {
    if (this.#values - this.#spooled > MAX_IN_MEMORY) {
      for (const { times, columns } of this.#groups.values()) for (const column of [times, ...columns]) column?.spool();
      this.#spooled = this.#values;
    }
    await this.#reading.pace.step();
  }

  /** The number of rows that have the time of an earlier one of their series, and another value. */
  contradictions(): number {
    let found = 0;
    for (const { times, columns } of this.#groups.values()) {
      const { timesMs, order } = samplesOf(times.finish());
      if (order === null) continue;
      const all = columns.flatMap((column) => column?.finish() ?? []);
      for (let row = 1; row < timesMs.length; row++) {
        if (timesMs[row] !== timesMs[row - 1]) continue;
        const [one, other] = [order[row - 1]!, order[row]!];
        // No value contradicts none.
        if (all.some((values) => values[one]! < values[other]! || values[one]! > values[other]!)) found++;
      }
    }
    return found;
  }

  /** Decides what the columns mean, from all rows. @param isShown whether a column, by its index, is one of numbers */
  meanings(isShown: (n: number) => boolean): ReturnType<typeof meaningsOf> {
    return meaningsOf(this.#columns.map((column, n) => (isShown(n) ? column : null)));
  }

  /** Returns the collected rows as an open file, which owns the temporary file. @param columns null: is not a series */
  async finish(
    about: Pick<SeriesFile, "format" | "title" | "source">,
    columns: readonly (ColumnMeaning | null)[],
    groupOf: (key: string, timesMs: Float64Array) => SeriesGroup,
    notes: Notes,
  ): Promise<SeriesFile> {
    const spool = this.#spool;
    const stored: SpooledSeries[] = [];
    const finishers = columns.map((column) => column && new Finisher(column));
    let timesId = 0;
    for (const [key, group] of this.#groups) {
      const timesMs = group.times.finish();
      const samples = samplesOf(timesMs);
      const times = [spool.append(samples.timesMs)];
      const survey = new TimesSurvey();
      for (const ms of samples.timesMs) survey.add(ms);
      const { rows, firstMs, lastMs, hasRepeats } = survey;
      if (samples.order !== null) notes.add("Epochs out of order: all rows are kept, sorted by time.");
      if (hasRepeats) notes.add("Duplicate epochs: all rows are kept.");
      const own = groupOf(key, timesMs);
      const lengths = columns.findIndex((column) => column !== null && isCellLength(column.quantity));
      const cell = lengths < 0 ? (own.cell ?? null) : cellOfLengths(group.columns[lengths]?.finish() ?? []);
      for (const [n, finisher] of finishers.entries()) {
        if (finisher === null || n === lengths || !group.columns[n]) continue;
        const ordered = inOrder(group.columns[n].finish(), samples.order);
        const values = [spool.append(finisher.finished(ordered))];
        const range = { startMs: firstMs, endMs: lastMs + 1 };
        const id = String(stored.length);
        const { quantity } = finisher.column;
        const { label, stationId = null } = columns[n]?.series ?? {};
        const ofColumn = label && { label: [label, ...key.split("\n")].join(" ").trim(), stationId };
        const series = { id, ...own, ...ofColumn, cell, quantity, rows, range, timesId: String(timesId) };
        stored.push({ series, times, values });
      }
      timesId++;
      await this.#reading.pace.step();
    }
    notes.count("Rows of further series, of which there are too many, are left out", this.#skippedRows);
    const found = finishers.flatMap((finisher) => finisher ?? []);
    noteValues(found, notes);
    return {
      ...about,
      notes: notes.all(),
      series: stored.map(({ series }) => series),
      rows: spooledRows(spool, stored, this.#reading.own),
      close: () => this.close(),
    };
  }

  close(): void {
    this.#spool.close();
  }
}

/** Whether a column, with its unit in the name or apart, states the intervals of means as tables of this program do. */
function isCellLength({ name, unit }: FileQuantity): boolean {
  const whole = unit === null ? name : `${name}_${unit}`;
  return whole.toLowerCase() === INTERVAL_COLUMN;
}

/** @param seconds lengths of the intervals that begin at the times of the rows @returns null if they differ */
function cellOfLengths(seconds: Iterable<number>): Cell | null {
  const [length, ...others] = new Set(seconds);
  return length !== undefined && others.length === 0 && length > 0 ? cellOfInterval(length) : null;
}

export class GrowingNumbers {
  readonly #spool: Spool;
  readonly #parts: SpooledRange[] = [];
  #values = new Float64Array(16);
  #length = 0;

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  spool(): void {
    if (this.#length === 0) return;
    this.#parts.push(this.#spool.append(this.#values.subarray(0, this.#length)));
    this.#values = new Float64Array(16);
    this.#length = 0;
  }

  finish(): Float64Array<ArrayBuffer> {
    if (this.#parts.length === 0) return this.#values.slice(0, this.#length);
    this.spool();
    return this.#spool.read(this.#parts);
  }
}
