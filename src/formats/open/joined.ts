import type { FileSeries } from "#shared/file/opened.ts";
import { count } from "#shared/text.ts";
import { FormatFailure } from "../error.ts";
import type { Pace } from "../pace.ts";
import type { ColumnCache } from "./columnCache.ts";
import { openSpool, type Spool, type Spooled } from "./gathered/spool.ts";
import { createNotes, listed, type Notes } from "./notes.ts";
import { inOrder, samplesOf } from "./samples.ts";
import type { SeriesFile } from "./types.ts";

/** One of the files of an archive or a folder. */
export interface Part {
  readonly name: string;
  open(): Promise<SeriesFile>;
}

/** All parts are read at once and kept in a temporary file: eight bytes for each of these. */
const MOST_VALUES = 60_000_000;
const MOST_SERIES = 20_000;
const TOO_LARGE = "These files are too large to be opened together. Open fewer of them at a time.";
const APART = "Several files hold the same stations at the same times: their series are kept apart.";
const FORMATS = "The files are of several formats: their series are kept apart.";
const OVERLAP = "Files overlap in time at their ends: all rows are kept, sorted by time.";

/** What one part has of a series. */
interface Piece {
  readonly part: string;
  readonly series: FileSeries;
  readonly times: Spooled;
  readonly values: Spooled;
}

/**
 * Opens the files of an archive or a folder as one: rows of the same station and quantity are one series, as in a folder
 * of daily files. Series stay apart where the files repeat each other or are of several formats. Files that cannot be
 * read are left out, and noted.
 *
 * @throws FormatFailure if none can be read, or all of them together are too large
 */
export async function describeParts(parts: readonly Part[], cache: ColumnCache, pace: Pace): Promise<SeriesFile> {
  const joining = new Joining();
  try {
    for (const part of parts) await joining.add(part, pace);
    return joining.done(cache);
  } catch (thrown) {
    joining.close();
    throw thrown;
  }
}

class Joining {
  readonly #spool: Spool = openSpool();
  /** By station, then by quantity. */
  readonly #groups = new Map<string, Map<string, Piece[]>>();
  readonly #about: Pick<SeriesFile, "format" | "title" | "source">[] = [];
  readonly #notes = new Map<string, string[]>();
  readonly #unread = new Map<string, string[]>();
  #values = 0;

  async add({ name, open }: Part, pace: Pace): Promise<void> {
    let file: SeriesFile;
    try {
      file = await open();
    } catch (thrown) {
      if (!(thrown instanceof FormatFailure) || !UNREADABLE.has(thrown.error.kind)) throw thrown;
      return append(this.#unread, thrown.error.message, name);
    }
    try {
      this.#about.push(file);
      for (const note of file.notes) append(this.#notes, note, name);
      const times = new Map<string, Spooled>();
      for (const [i, series] of file.series.entries()) {
        const rows = file.rows(i);
        this.#values += rows.values.length + (times.has(series.timesId) ? 0 : rows.values.length);
        if (this.#values > MOST_VALUES) throw new FormatFailure("tooLarge", TOO_LARGE);
        const own = times.get(series.timesId) ?? this.#spool.keep(rows.timesMs);
        times.set(series.timesId, own);
        const piece = { part: name, series, times: own, values: this.#spool.keep(rows.values) };
        append(this.#group(series), quantityKey(series), piece);
        await pace.breathe();
      }
    } finally {
      file.close();
    }
  }

  done(cache: ColumnCache): SeriesFile {
    const [first] = this.#about;
    if (!first) throw new FormatFailure("unreadable", this.#nothing());
    const notes = createNotes();
    for (const [note, names] of this.#notes) notes.add(inParts(note, names, this.#about.length));
    for (const [sentence, names] of this.#unread) notes.add(`Left out: ${listed(names)}. ${sentence}`);
    const joined = this.#joined(notes);
    if (joined.length > MOST_SERIES)
      notes.add(`Only the first ${count(MOST_SERIES)} of ${count(joined.length)} series are shown.`);
    const timesIds = new Map<string, string>();
    const shown = joined.slice(0, MOST_SERIES);
    const series = shown.map((pieces, i) => seriesOf(pieces, String(i), timesIds));
    const spool = this.#spool;
    return {
      format: first.format,
      title: same(this.#about.map(({ title }) => title)),
      source: same(this.#about.map(({ source }) => source)),
      notes: notes.all(),
      series,
      rows(index) {
        const pieces = shown[index]!;
        const { timesId } = series[index]!;
        const samples = () => samplesOf(spool.read(pieces.map(({ times }) => times)));
        // Empty where the rows are in order as they are.
        const order = cache.get(`${timesId}/order`, () => samples().order ?? new Uint32Array(0));
        return {
          timesMs: cache.get(`${timesId}/times`, () => samples().timesMs),
          values: cache.get(`${index}/values`, () =>
            inOrder(spool.read(pieces.map(({ values }) => values)), order.length === 0 ? null : order),
          ),
        };
      },
      close: () => this.close(),
    };
  }

  close(): void {
    this.#spool.close();
  }

  #group({ label, stationId, satellite }: FileSeries): Map<string, Piece[]> {
    const key = JSON.stringify([label, stationId, satellite]);
    const group = this.#groups.get(key) ?? new Map<string, Piece[]>();
    this.#groups.set(key, group);
    return group;
  }

  #nothing(): string {
    const [[sentence, names] = ["", []]] = [...this.#unread];
    return this.#unread.size === 1 && names.length === 1
      ? sentence
      : `None of these files can be opened. ${names[0]}: ${sentence}`;
  }

  /** The pieces of each series, in order of time. */
  #joined(notes: Notes): (readonly Piece[])[] {
    const all = [...this.#groups.values()].flatMap((group) =>
      [...group.values()].map((pieces) => pieces.toSorted((a, b) => startOf(a) - startOf(b))),
    );
    const isMixed = new Set(this.#about.map(({ format }) => (format === "netcdf3" ? "netcdf4" : format))).size > 1;
    const overlaps = all.map((pieces) => overlapOf(pieces));
    if (isMixed) notes.add(FORMATS);
    else if (overlaps.includes("most")) notes.add(APART);
    else if (overlaps.includes("ends")) notes.add(OVERLAP);
    if (!isMixed && !overlaps.includes("most")) return all;
    return all.flatMap((pieces) => pieces.map((piece) => [apart(piece)]));
  }
}

/** Content that is at fault, and not the disk or the user. */
const UNREADABLE: ReadonlySet<string> = new Set(["unreadable", "notNetcdf", "truncated"]);

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function quantityKey({ quantity: { name, unit, variable } }: FileSeries): string {
  return JSON.stringify([name, unit, variable]);
}

function startOf({ series }: Piece): number {
  return series.range?.startMs ?? Number.POSITIVE_INFINITY;
}

function inParts(note: string, names: readonly string[], parts: number): string {
  if (names.length === parts) return note;
  return names.length === 1 ? `${names[0]}: ${note}` : `${note} (${count(names.length)} of ${count(parts)} files)`;
}

/** How far pieces in order of time repeat each other: more than half of the shorter of two, less, or not at all. */
function overlapOf(pieces: readonly Piece[]): "most" | "ends" | "none" {
  let found: "ends" | "none" = "none";
  let [start, end] = [Number.NaN, Number.NEGATIVE_INFINITY];
  for (const { series } of pieces) {
    if (series.range === null) continue;
    const { startMs, endMs } = series.range;
    const shared = Math.min(end, endMs) - startMs;
    if (2 * shared > Math.min(end - start, endMs - startMs)) return "most";
    if (shared > 0) found = "ends";
    if (endMs > end) [start, end] = [startMs, endMs];
  }
  return found;
}

function apart(piece: Piece): Piece {
  return { ...piece, series: { ...piece.series, label: `${piece.series.label} (${piece.part})` } };
}

function seriesOf(pieces: readonly Piece[], id: string, timesIds: Map<string, string>): FileSeries {
  const all = pieces.map(({ series }) => series);
  const ranges = all.flatMap(({ range }) => range ?? []);
  const timesKey = pieces.map(({ times: { atBytes, length } }) => `${atBytes}+${length}`).join();
  const timesId = timesIds.get(timesKey) ?? String(timesIds.size);
  timesIds.set(timesKey, timesId);
  return {
    ...all[0]!,
    id,
    position: all.find(({ position }) => position !== null)?.position ?? null,
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    range:
      ranges.length === 0
        ? null
        : { startMs: Math.min(...ranges.map((r) => r.startMs)), endMs: Math.max(...ranges.map((r) => r.endMs)) },
    timesId,
  };
}

function same(texts: readonly (string | null)[]): string | null {
  const [first = null] = texts;
  return texts.every((text) => text === first) ? first : null;
}
