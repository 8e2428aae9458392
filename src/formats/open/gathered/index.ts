import type { FileQuantity, FileSeries } from "#shared/file/opened.ts";
import { FormatFailure } from "../../error.ts";
import type { Pace } from "../../pace.ts";
import type { ColumnCache } from "../columnCache.ts";
import type { Notes } from "../notes.ts";
import { inOrder, samplesOf, TimesSurveyor } from "../samples.ts";
import type { SeriesFile } from "../types.ts";
import { openSpool, type Spool, type Spooled } from "./spool.ts";

/** A text has no places to jump to, so that all of it is read at once, and kept: eight bytes for each of these. */
const MOST_VALUES = 60_000_000;
/** So many of them are in memory while it is read. */
const MOST_IN_MEMORY = 4_000_000;
/** Series beyond these are no help in a list or a plot. */
const MOST_SERIES = 20_000;

const TOO_LARGE =
  "This table is too large to be opened as a whole. Export fewer stations or a shorter time, or as NetCDF, which is read in parts.";

/** Rows of one station, or of one satellite seen from it. */
interface Group {
  readonly times: GrowingNumbers;
  readonly columns: readonly GrowingNumbers[];
}

/** What stands in all series of a group. */
export type GroupOf = Pick<FileSeries, "label" | "stationId" | "satellite" | "position" | "domes">;

/** A column of numbers, and what its fields are multiplied with. */
export interface GatheredColumn {
  readonly quantity: FileQuantity;
  readonly factor: number;
}

/** Rows of a text as they come, sorted into groups; memory stays bounded, the rest waits in a temporary file. */
export class Gathering {
  readonly #spool: Spool = openSpool();
  readonly #groups = new Map<string, Group>();
  #values = 0;
  #spooled = 0;
  #left = 0;

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  /** Rows of further series, of which there were too many. */
  get left(): number {
    return this.#left;
  }

  /** Adds a row; whether it had a place. @throws FormatFailure where all of it is too large */
  add(key: string, timeMs: number, values: readonly number[]): boolean {
    let group = this.#groups.get(key);
    if (!group) {
      if ((this.#groups.size + 1) * values.length > MOST_SERIES) {
        this.#left++;
        return false;
      }
      const columns = values.map(() => new GrowingNumbers(this.#spool));
      group = { times: new GrowingNumbers(this.#spool), columns };
      this.#groups.set(key, group);
    }
    group.times.push(timeMs);
    for (const [n, column] of group.columns.entries()) column.push(values[n] ?? Number.NaN);
    this.#values += 1 + values.length;
    if (this.#values > MOST_VALUES) throw new FormatFailure("tooLarge", TOO_LARGE);
    return true;
  }

  /** To be called between batches of rows. */
  async settle(pace: Pace): Promise<void> {
    if (this.#values - this.#spooled > MOST_IN_MEMORY) {
      for (const { times, columns } of this.#groups.values()) for (const column of [times, ...columns]) column.spool();
      this.#spooled = this.#values;
    }
    await pace.breathe();
  }

  /** The file that the rows make; it owns the temporary file from here on. */
  async done(
    about: Pick<SeriesFile, "format" | "title" | "source">,
    columns: readonly GatheredColumn[],
    groupOf: (key: string) => GroupOf,
    { notes, cache, pace }: { readonly notes: Notes; readonly cache: ColumnCache; readonly pace: Pace },
  ): Promise<SeriesFile> {
    const spool = this.#spool;
    const times: Spooled[] = [];
    const values: Spooled[] = [];
    const series: FileSeries[] = [];
    for (const [key, group] of this.#groups) {
      const timesMs = group.times.done();
      const samples = samplesOf(timesMs);
      times.push(spool.keep(samples.timesMs));
      const surveyor = new TimesSurveyor(1);
      for (const ms of timesMs) surveyor.add(0, ms);
      const { rows, firstMs, lastMs, isSorted, hasRepeats } = surveyor.result(0);
      if (!isSorted) notes.add("Epochs out of order: all rows are kept, sorted by time.");
      if (hasRepeats) notes.add("Duplicate epochs: all rows are kept.");
      const own = groupOf(key);
      for (const [n, { quantity, factor }] of columns.entries()) {
        const ordered = inOrder(group.columns[n]?.done() ?? new Float64Array(0), samples.order);
        values.push(spool.keep(factor === 1 ? ordered : ordered.map((v) => scaled(v, factor))));
        const range = { startMs: firstMs, endMs: lastMs + 1 };
        series.push({ id: String(series.length), ...own, quantity, rows, range, timesId: String(times.length - 1) });
      }
      await pace.breathe();
    }
    return {
      ...about,
      notes: notes.all(),
      series,
      rows(index) {
        const group = Number(series[index]!.timesId);
        return {
          timesMs: cache.get(`${group}/times`, () => spool.read([times[group]!])),
          values: cache.get(`${index}/values`, () => spool.read([values[index]!])),
        };
      },
      close: () => this.close(),
    };
  }

  close(): void {
    this.#spool.close();
  }
}

/** Fields are decimals: fifteen digits are the decimal that was meant, as 2263.4 for 2.2634 × 1000. */
function scaled(value: number, factor: number): number {
  return Number((value * factor).toPrecision(15));
}

/** Numbers that become more: the last of them in memory, all before in a spool. */
export class GrowingNumbers {
  readonly #spool: Spool;
  readonly #parts: Spooled[] = [];
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

  /** Gives the memory back. */
  spool(): void {
    if (this.#length === 0) return;
    this.#parts.push(this.#spool.keep(this.#values.subarray(0, this.#length)));
    this.#values = new Float64Array(16);
    this.#length = 0;
  }

  /** All of them, as an array of just that length. */
  done(): Float64Array<ArrayBuffer> {
    if (this.#parts.length === 0) return this.#values.slice(0, this.#length);
    this.spool();
    return this.#spool.read(this.#parts);
  }
}
