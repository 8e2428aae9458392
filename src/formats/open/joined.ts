import { defined } from "#shared/defined.ts";
import type { FileSeries } from "#shared/file/opened.ts";
import { count } from "#shared/text.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { FormatFailure, unreadable } from "../error.ts";
import type { Pace } from "../source.ts";
import type { ColumnCache } from "./columnCache.ts";
import { MAX_SERIES, MAX_VALUES } from "./collector/index.ts";
import { commonBeginning, labelByFile, timelessName } from "./fileNames.ts";
import { stationNamed } from "./meaning/stations.ts";
import { openSpool, type Spool, type SpooledRange, spooledRows } from "./collector/spool.ts";
import { common, createNotes, listed, type Notes } from "./notes.ts";
import type { SeriesFile } from "./types.ts";

interface Part {
  readonly name: string;
  open(): Promise<SeriesFile>;
}

const TOO_LARGE = "These files are too large to be opened together. Open fewer of them at a time.";
const APART = "Several files hold the same stations at the same times: their series are kept apart.";
const BY_NAMES =
  "Files that do not name their station are told apart by their names: months in them, and numbers that agree with their times, do not count.";

interface SeriesPart {
  readonly part: string;
  readonly series: FileSeries;
  readonly times: SpooledRange;
  readonly values: SpooledRange;
}

/**
 * Opens the files of an archive or a folder as one: rows of the same station and quantity form one series, as in a
 * folder of daily files. If files do not name a station, those whose names differ in more than times belong to several.
 * Series are not joined if files overlap for the most part. Unreadable files are left out and noted.
 * @throws FormatFailure if a file asks, no file can be read, or the files are too large
 */
export async function describeParts(parts: readonly Part[], cache: ColumnCache, pace: Pace): Promise<SeriesFile> {
  const spool = openSpool();
  try {
    const read = await readParts(parts, spool, pace);
    const [first] = read.about;
    if (!first) throw unreadable(failureMessage(read));
    const notes = createNotes();
    for (const [note, names] of read.notes) notes.add(inParts(note, names, read.about.length));
    for (const [sentence, names] of read.unread) notes.add(`Left out: ${listed(names)}. ${sentence}`);
    const joined = joinedParts(read, notes);
    if (joined.length > MAX_SERIES)
      notes.add(`Only the first ${count(MAX_SERIES)} of ${count(joined.length)} series are shown.`);
    const isOfOne = read.about.every(({ table }) => table?.header === first.table?.header);
    const timesIds = new Map<string, string>();
    const shown = joined.slice(0, MAX_SERIES).map((own, i) => ({
      series: seriesOf(own, String(i), timesIds),
      times: own.map(({ times }) => times),
      values: own.map(({ values }) => values),
    }));
    return {
      format: first.format,
      title: common(read.about.map(({ title }) => title)),
      source: common(read.about.map(({ source }) => source)),
      notes: notes.all(),
      series: shown.map(({ series }) => series),
      ...(isOfOne && first.table ? { table: first.table } : {}),
      unreadFiles: read.damaged,
      rows: spooledRows(spool, shown, cache),
      close: () => spool.close(),
    };
  } catch (thrown) {
    spool.close();
    throw thrown;
  }
}

type Read = Awaited<ReturnType<typeof readParts>>;

async function readParts(parts: readonly Part[], spool: Spool, pace: Pace) {
  const groups = new Map<string, SeriesPart[]>();
  /** Names of the files that do not name a station, without times, by what their series are called. */
  const names = new Map<string, Set<string>>();
  const about: Pick<SeriesFile, "format" | "title" | "source" | "table">[] = [];
  const [notes, unread] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const damaged: string[] = [];
  let read = 0;
  for (const { name, open } of parts) {
    const file = await open().catch((thrown: unknown) => {
      if (!(thrown instanceof FormatFailure)) throw thrown;
      const { kind, message } = thrown.error;
      if (kind === "undecided") throw new FormatFailure(kind, `${name}: ${message}`, null, thrown.error);
      if (!UNREADABLE.has(kind)) throw thrown;
      if (kind !== "foreign") damaged.push(name);
      append(unread, message, name);
      return null;
    });
    try {
      if (file === null) continue;
      about.push(file);
      for (const note of file.notes) append(notes, note, name);
      const times = new Map<string, SpooledRange>();
      for (const [i, own] of file.series.entries()) {
        const series = withFolders(own, name);
        const rows = file.rows(i);
        read += rows.values.length + (times.has(series.timesId) ? 0 : rows.values.length);
        if (read > MAX_VALUES) throw new FormatFailure("tooLarge", TOO_LARGE);
        const ownTimes = times.get(series.timesId) ?? spool.append(rows.timesMs);
        times.set(series.timesId, ownTimes);
        const part = { part: name, series, times: ownTimes, values: spool.append(rows.values) };
        append(groups, keyOf(part, names), part);
        await pace.step();
      }
    } finally {
      file?.close();
    }
  }
  return { groups, names, about, notes, unread, damaged };
}

/** What series that are joined have in common. @param names is told those of files without a station */
function keyOf(part: SeriesPart, names: Map<string, Set<string>>): string {
  const { stationId, satellite, range, quantity } = part.series;
  const own = ownLabel(part);
  // Times of GPS are some seconds earlier in UTC.
  const rangeMs = range && [range.startMs, range.startMs + HOUR_MS, range.endMs - 1];
  const name = stationId === null ? timelessName(part.part, own === "" ? rangeMs : null) : "";
  if (stationId === null) names.set(own, (names.get(own) ?? new Set()).add(name));
  return JSON.stringify([own, stationId, satellite, name, quantity.name, quantity.unit, quantity.variable]);
}

function failureMessage({ unread }: Read): string {
  const [[sentence, names] = ["", []]] = [...unread];
  return unread.size === 1 && names.length === 1
    ? sentence
    : `None of these files can be opened. ${names[0]}: ${sentence}`;
}

function joinedParts({ groups, names }: Read, notes: Notes): (readonly SeriesPart[])[] {
  const all = [...groups.values()].map((parts) => parts.toSorted((a, b) => partStart(a) - partStart(b)));
  if (all.some(overlapMostly)) {
    notes.add(APART);
    return all.flatMap((parts) => parts.map((part) => [withLabel(part, `${part.series.label} (${part.part})`)]));
  }
  if ([...names.values()].some(({ size }) => size > 1)) notes.add(BY_NAMES);
  return all.map((parts) => parts.map((part) => withLabel(part, labelOf(parts, names))));
}

function labelOf(parts: readonly SeriesPart[], names: Read["names"]): string {
  const first = defined(parts[0]);
  const own = ownLabel(first);
  const isOneOfMany = (names.get(own)?.size ?? 0) > 1;
  if (first.series.stationId !== null || (!isOneOfMany && (own !== "" || parts.length === 1)))
    return first.series.label;
  const byFiles = commonBeginning(parts.map(({ part }) => part));
  return own === "" ? byFiles || first.series.label : `${own} (${byFiles})`;
}

const UNREADABLE: ReadonlySet<string> = new Set(["unreadable", "notNetcdf", "truncated", "foreign"]);

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function partStart({ series }: SeriesPart): number {
  return series.range?.startMs ?? Number.POSITIVE_INFINITY;
}

function inParts(note: string, names: readonly string[], parts: number): string {
  if (names.length === parts) return note;
  return names.length === 1 ? `${names[0]}: ${note}` : `${note} (${count(names.length)} of ${count(parts)} files)`;
}

/** Whether more than half of the shorter of two parts, in the order of time, is at the times of the other one. */
function overlapMostly(parts: readonly SeriesPart[]): boolean {
  let [start, end] = [Number.NaN, Number.NEGATIVE_INFINITY];
  return parts.some(({ series: { range } }) => {
    if (range === null) return false;
    const { startMs, endMs } = range;
    const shared = Math.min(end, endMs) - startMs;
    const isMost = 2 * shared > Math.min(end - start, endMs - startMs);
    if (endMs > end) [start, end] = [startMs, endMs];
    return isMost;
  });
}

function withLabel(part: SeriesPart, label: string): SeriesPart {
  return { ...part, series: { ...part.series, label } };
}

/** The series of a station that a folder names, as in datasets of Hive: `station=KALL/data_0.parquet`. */
function withFolders(series: FileSeries, path: string): FileSeries {
  if (series.stationId !== null) return series;
  for (const folder of path.split(/[\\/]/).slice(0, -1)) {
    const [, name = "", value = ""] = /^([^=]+)=(.+)$/.exec(folder) ?? [];
    if (stationNamed(name) === null || value === "") continue;
    const stationId = decoded(value);
    return {
      ...series,
      stationId,
      label: series.label === labelByFile(path) ? stationId : `${stationId} ${series.label}`,
    };
  }
  return series;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign of its own.
    return text;
  }
}

/** What a file calls a series; empty if only the name of the file does. */
function ownLabel({ part, series: { label, stationId } }: SeriesPart): string {
  return stationId === null && label === labelByFile(part) ? "" : label;
}

function seriesOf(parts: readonly SeriesPart[], id: string, timesIds: Map<string, string>): FileSeries {
  const all = parts.map(({ series }) => series);
  const ranges = all.flatMap(({ range }) => range ?? []);
  const timesKey = parts.map(({ times: { atBytes, length } }) => `${atBytes}+${length}`).join();
  const timesId = timesIds.get(timesKey) ?? String(timesIds.size);
  timesIds.set(timesKey, timesId);
  return {
    ...defined(all[0]),
    id,
    position: all.find(({ position }) => position !== null)?.position ?? null,
    cell: new Set(all.map(({ cell }) => JSON.stringify(cell))).size === 1 ? (all[0]?.cell ?? null) : null,
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    range:
      ranges.length === 0
        ? null
        : { startMs: Math.min(...ranges.map((r) => r.startMs)), endMs: Math.max(...ranges.map((r) => r.endMs)) },
    timesId,
  };
}
