import { setImmediate } from "node:timers/promises";
import type { FileLayout } from "#shared/file/export.ts";
import type { SatelliteProblemCounts } from "#shared/satellites/problems.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import { blockOfTexts, type SatelliteBlock } from "#shared/series/satelliteBlock.ts";
import type { Variable } from "#shared/service/variables.ts";
import { meanIntervals } from "#shared/time/intervals.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { appendMoments, emptyRuns, type Runs } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { FormatFailure } from "./error.ts";
import type { TargetOptions } from "./fileGroup.ts";

/** A station in a file. Heights in metres, angles in degrees; null if unknown. */
export interface FileStation {
  readonly id: string;
  readonly displayName: string;
  readonly networkCode: string;
  readonly countryCode: string;
  readonly locationAlias: string;
  readonly sourceType: string;
  readonly latitudeDeg: number | null;
  readonly longitudeDeg: number | null;
  readonly height: number | null;
  readonly heightReference: "WGS84_ELLIPSOID" | "EGM2008";
  /** Code of four characters that is unique among the stations of the connection, for formats without identifiers. */
  readonly siteCode?: string | undefined;
  /** Heights above both references, for formats that store both; if absent, only `height` is known. */
  readonly heights?: { readonly ellipsoidal: number | null; readonly orthometric: number | null };
}

/** Where the rows of a file come from. */
export interface DataSource {
  /** Origin of the service, without key, user and path; or the name of one without an address. */
  readonly service: string;
  /** Whether the values are simulated, and must not pass for observations. */
  readonly isSimulated: boolean;
}

/** Source and processing of the rows of a file, for its global attributes and its sidecar. */
export interface FileProvenance extends DataSource {
  readonly title: string;
  readonly summary: string;
  readonly institution: string;
  readonly program: string;
  readonly createdAtMs: UtcMs;
  /** The query as JSON text. */
  readonly query: string;
  /** A sentence on how complete the rows are. */
  readonly coverage: string;
}

/**
 * The content of a file of series, from the cache or the reference service. `blocks` yields the rows of one station in
 * time order; it may be called several times with the same result. A block is valid until the next one is requested.
 */
export interface SeriesFileSource {
  readonly stations: readonly FileStation[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  /** null: every observation. */
  readonly intervalSeconds: number | null;
  /** The time zone whose days the rows are means of; undefined for intervals of one length in UTC. */
  readonly zone?: string | undefined;
  readonly raw: boolean;
  /** Whether this program made the means from observations; false or absent for those of the service. */
  readonly resampled?: boolean | undefined;
  readonly provenance: FileProvenance;
  blocks(stationIndex: number): Iterable<SeriesRows>;
  /**
   * Yields only the times of the rows, for sources that can read them faster than whole rows. Used by writers that need
   * the time axis in advance.
   */
  times?(stationIndex: number): Iterable<Runs>;
  /** Yields a superset of the times, if that is cheaper, to check properties of all times. */
  timesAround?(stationIndex: number): Iterable<Runs>;
  /** Yields the satellite variables of the rows as numbers, if the source has them: see `satelliteBlocks`. */
  satellites?(stationIndex: number): Iterable<SatelliteBlock>;
}

type SourceIntervals = Pick<SeriesFileSource, "intervalSeconds" | "zone">;

/** The seconds of the interval that begins at each time; null for observations. */
export function intervalLengths(source: SourceIntervals, timesMs: Float64Array): Float64Array | null {
  const { intervalSeconds, zone } = source;
  if (intervalSeconds === null) return null;
  if (zone === undefined) return new Float64Array(timesMs.length).fill(intervalSeconds);
  const { endOf } = meanIntervals(intervalSeconds, zone);
  return timesMs.map((timeMs) => (endOf(timeMs) - timeMs) / 1_000);
}

/** What a time in a file stands for. */
export function timeMeaning({ intervalSeconds, zone }: SourceIntervals): string {
  if (intervalSeconds === null) return "time of the observation, UTC";
  return zone === undefined ? "start of the interval, UTC" : `start of the day in the time zone ${zone}, UTC`;
}

/** Layout of a file of arrays, and its overhead. */
export interface LayoutReport {
  readonly layout: FileLayout;
  readonly stations: number;
  /** Moments of the time axis of a grid; null for a ragged file. */
  readonly moments: number | null;
  /** Share of empty cells of a grid; 0 for a ragged file. */
  readonly emptyShare: number;
}

export interface WriteOptions extends TargetOptions {
  /** Receives the number of rows written so far. */
  readonly onProgress?: (rows: number) => void;
  /** Receives the numbers of values of satellites that cannot be read and are left out, before the file is written. */
  readonly onSatelliteProblems?: (counts: SatelliteProblemCounts) => void;
  /** Receives the layout of a file of arrays before it is written. */
  readonly onLayout?: (report: LayoutReport) => void;
}

export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
  readonly rows: number;
}

/** Maximum time between two turns of the event loop. */
const SLICE_MS = 12;

/** Cooperative scheduling of long work: cancellation, progress, and yielding to the event loop. */
export class Pace {
  readonly #options: WriteOptions;
  #sliceStart = performance.now();
  #rows = 0;

  constructor(options: WriteOptions) {
    this.#options = options;
  }

  /** Rows counted so far. */
  get rows(): number {
    return this.#rows;
  }

  /** To be called between blocks: counts rows, reports progress and yields. @throws FormatFailure (cancelled) after an abort */
  async step(newRows = 0): Promise<void> {
    this.#rows += newRows;
    this.#throwIfAborted();
    if (performance.now() - this.#sliceStart < SLICE_MS) return;
    if (this.#rows > 0) this.#options.onProgress?.(this.#rows);
    await setImmediate();
    this.#sliceStart = performance.now();
    this.#throwIfAborted();
  }

  #throwIfAborted(): void {
    if (this.#options.signal?.aborted) throw new FormatFailure("cancelled", "Cancelled; no file was written.");
  }
}

/** Yields satellite variables of one station, as numbers if the source has them. */
export function* satelliteBlocks(source: SeriesFileSource, station: number): IterableIterator<SatelliteBlock> {
  const satellites = source.satellites?.bind(source);
  if (satellites) yield* guarded(() => satellites(station));
  else for (const rows of guarded(() => source.blocks(station))) yield blockOfTexts(rows);
}

/** Yields the times of one station, block by block, each in ascending order. */
export function* timesOf(source: SeriesFileSource, station: number): IterableIterator<Runs> {
  if (source.times) yield* source.times(station);
  else {
    for (const { timesMs } of source.blocks(station)) {
      const runs = emptyRuns();
      if (!appendMoments(runs, timesMs)) throw outOfOrder();
      yield runs;
    }
  }
}

/** Iterates over a source and converts its errors to a `FormatFailure` of kind `source`. */
export function* guarded<T>(make: () => Iterable<T>): IterableIterator<T> {
  const iterator = withSourceError(() => make()[Symbol.iterator]());
  let running = false;
  try {
    while (true) {
      const step = withSourceError(() => iterator.next());
      running = !step.done;
      if (step.done) return;
      yield step.value;
    }
  } finally {
    if (running) iterator.return?.();
  }
}

function withSourceError<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof FormatFailure) throw thrown;
    throw new FormatFailure("source", "The rows for the file could not be read.", thrown);
  }
}

export function outOfOrder(): FormatFailure {
  return new FormatFailure("source", "The rows for the file are not in time order, so it was not written.");
}

/** The rows differ from those of the first pass, so that sizes and axis no longer match. */
export function sourceChanged(): FormatFailure {
  return new FormatFailure("source", "The rows changed while the file was written. Please export again.");
}
