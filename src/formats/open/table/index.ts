import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { ChosenColumns, TextTable } from "#shared/file/columns.ts";
import { FormatFailure } from "../../error.ts";
import { chunksOf, type ForeignFile } from "../../foreign/file.ts";
import type { Pace } from "../../source.ts";
import type { ColumnCache } from "../columnCache.ts";
import { TextBytes } from "../text.ts";
import { collectRows, type RowCollector, type SeriesGroup } from "../collector/index.ts";
import { listed, type Notes, quoted } from "../notes.ts";
import { isElsewhere, movedSentence, type PlaceFields, positionOf } from "../sites.ts";
import { TextColumns } from "../textColumns.ts";
import type { SeriesFile } from "../types.ts";
import {
  DELIMITERS,
  fieldsOf,
  type FirstLines,
  hasFields,
  headComment,
  isComment,
  isFillValue,
  isNoValue,
  isNumeric,
  numberOf,
  type TableHead,
  tableHeads,
  withoutEmptyEnd,
} from "./lines.ts";
import { chosenLayout, guessedTable, headWith, namedLayout, type TableLayout } from "./layout.ts";
import { isTimeName, timeColumns, unreadableTime } from "./timeColumns.ts";

/** Lines per batch. */
const BATCH = 10_000;
const NO_ROWS = "This table names its columns, and has no rows with a time that can be read.";
const NO_ROLE = { role: "none", unit: null } as const;
const WORDS = { ",": "commas", ";": "semicolons", "\t": "tabs", blanks: "blanks" } as const;

/** Options for text tables with unknown column names. */
export interface TableChoice {
  /** Label of the series if no column names a station. */
  readonly label: string;
  /** The user's choice for this file. */
  readonly chosen: ChosenColumns | undefined;
  /** Returns the user's earlier choice for files with this header. */
  readonly remembered: ((header: string) => Promise<ChosenColumns | null>) | undefined;
  /** Whether to open a table without a time column without series, so that the user can choose columns. */
  readonly mayBeUndecided: boolean;
}

/**
 * Opens a text table of any origin with time, optional station and position, and numbers, by its column names or the user's
 * choice.
 *
 * @param first its first lines, as many as `HEAD_LINES` rows take
 * @throws FormatFailure
 */
export async function describePlainTable(
  file: ForeignFile,
  first: FirstLines,
  choice: TableChoice,
  cache: ColumnCache,
  pace: Pace,
): Promise<SeriesFile> {
  const heads = tableHeads(first.lines);
  const named = namedLayout(heads);
  const guess = named ? { head: named.head, roles: named.roles } : guessedTable(heads);
  const chosen = choice.chosen ?? (await rememberedChoice(guess ? [guess.head] : heads, choice));
  const fallback = chosen && headWith(heads, chosen);
  const { head, roles } = guess ?? (fallback ? { head: fallback, roles: fallback.names.map(() => NO_ROLE) } : {});
  if (!head || !roles) throw noTable(first);
  const layout = chosen ? chosenLayout(head, roles, chosen) : named;
  if (layout) return describeRows(file, layout, choice.label, cache, pace);
  if (choice.mayBeUndecided) return undecided(head, roles);
  throw new FormatFailure("unreadable", `${noTable(first).message} Or choose its columns: ${listed(head.names)}.`);
}

async function rememberedChoice(heads: readonly TableHead[], choice: TableChoice): Promise<ChosenColumns | null> {
  for (const { header } of heads) {
    const found = header === null ? null : await choice.remembered?.(header);
    if (found) return found;
  }
  return null;
}

function undecided(head: TableHead, roles: TextTable["roles"]): SeriesFile {
  return {
    format: "csv",
    title: null,
    source: null,
    series: [],
    notes: ["No column is known to tell the time: choose what the columns hold."],
    table: { header: head.header, names: head.names, rows: head.rows, roles, noValue: null },
    rows: () => ({ timesMs: new Float64Array(0), values: new Float64Array(0) }),
    close() {},
  };
}

async function describeRows(
  file: ForeignFile,
  layout: TableLayout,
  label: string,
  cache: ColumnCache,
  pace: Pace,
): Promise<SeriesFile> {
  return collectRows(async (collector, notes) => {
    const { header, names, rows, delimiter } = layout.head;
    notes.add(`A table separated by ${WORDS[delimiter]}; ${layout.timeWords}.`);
    for (const remark of layout.remarks) notes.add(remark);
    const texts = new TextColumns(layout.numbers.map(({ at }) => names[at] ?? ""));
    const stations = await readRows(file, layout, { collector, notes, pace, label, texts });
    const about = { format: "csv" as const, title: null, source: null };
    const none: SeriesGroup = { label, stationId: null, satellite: null, position: null };
    const groupOf = (key: string): SeriesGroup => stations.get(key) ?? none;
    const opened = await collector.finish(about, texts.without(layout.numbers), groupOf, { notes, cache, pace });
    return { ...opened, table: { header, names, rows, roles: layout.roles, noValue: layout.noValue } };
  });
}

interface Target {
  readonly collector: RowCollector;
  readonly notes: Notes;
  readonly pace: Pace;
  readonly label: string;
  readonly texts: TextColumns;
}

function* latin1Of(file: ForeignFile): Iterable<string> {
  for (const chunk of chunksOf(file)) yield chunk.toString("latin1");
}

async function readRows(
  file: ForeignFile,
  layout: TableLayout,
  { collector, notes, pace, label, texts }: Target,
): Promise<Map<string, SeriesGroup>> {
  const stations = new Map<string, SeriesGroup>();
  const moved = new Set<string>();
  const counts = { short: 0, untimed: 0, filled: 0, ambiguous: 0 };
  const width = layout.head.names.length;
  const { noValue, notation } = layout;
  const { hasDecimalComma, ambiguous } = notation;
  const noNumber = noValue === null ? Number.NaN : numberOf(noValue, hasDecimalComma);
  const isChosenNone = (field: string): boolean => field === noValue || numberOf(field, hasDecimalComma) === noNumber;
  let lines = 0;
  let hasHead = false;
  const bytes = new TextBytes();
  for await (const encoded of createInterface({ input: Readable.from(latin1Of(file)), crlfDelay: Infinity })) {
    const line = bytes.decode(encoded);
    if (++lines % BATCH === 0) await collector.afterBatch(pace);
    if (line.trim() === "" || isComment(line)) continue;
    const fields = withoutEmptyEnd(fieldsOf(line, layout.head.delimiter), width);
    const timeMs = fields.length === width ? layout.time(fields) : Number.NaN;
    if (Number.isNaN(timeMs)) {
      // The first line without a time is the header.
      if (hasHead) counts[fields.length === width ? "untimed" : "short"]++;
      hasHead = true;
      continue;
    }
    hasHead = true;
    const values = layout.numbers.map(({ at }, n) => {
      const field = fields[at] ?? "";
      if (isChosenNone(field)) return Number.NaN;
      if (isFillValue(field)) counts.filled++;
      else if (ambiguous?.test(field)) counts.ambiguous++;
      else if (!isNoValue(field)) {
        const value = numberOf(field, hasDecimalComma);
        texts.count(n, !Number.isNaN(value));
        return value;
      }
      return Number.NaN;
    });
    const key = layout.station < 0 ? "" : (fields[layout.station] ?? "");
    if (!collector.add(key, timeMs, values)) continue;
    const station = stations.get(key);
    if (!station) stations.set(key, stationOf(key, label, fields, layout));
    else if (isElsewhere(station.position, placeOf(fields, layout))) moved.add(station.label);
  }
  if (collector.isEmpty) throw new FormatFailure("unreadable", NO_ROWS);
  notes.count("Lines with another number of fields than the first one are left out", counts.short);
  notes.count("Lines without a time that can be read are left out", counts.untimed);
  texts.addNotes(notes);
  notes.count("Fields such as -999.9 mean that there is no value", counts.filled);
  notes.count(
    `Numbers such as ${hasDecimalComma ? "2.370 beside decimal commas" : "2,370 beside decimal points"} are shown as missing, because they may be thousands`,
    counts.ambiguous,
  );
  for (const remark of bytes.remarks()) notes.add(remark);
  if (moved.size > 0) notes.add(movedSentence(moved));
  notes.count("Lines of further series, of which there are too many, are left out", collector.skippedRows);
  return stations;
}

function placeOf(fields: readonly string[], layout: TableLayout): PlaceFields {
  const at = (index: number): number =>
    index < 0 ? Number.NaN : numberOf(fields[index] ?? "", layout.notation.hasDecimalComma);
  return {
    latitudeDeg: at(layout.latitude),
    longitudeDeg: at(layout.longitude),
    height: at(layout.height),
    heightReference: fields[layout.texts.heightReference] ?? layout.head.names[layout.height] ?? "",
  };
}

function stationOf(key: string, label: string, fields: readonly string[], layout: TableLayout): SeriesGroup {
  return {
    label: fields[layout.texts.name] || key || label,
    stationId: layout.station < 0 ? null : key || label,
    satellite: null,
    position: positionOf(placeOf(fields, layout)),
  };
}

const WRITE_TIMES = "Write times as 2026-01-31T06:30:00Z";
const NO_NAMES =
  "This text has no line that names a column of time. Give it a first line such as “station,time,ztd_mm”, with times as 2026-01-31T06:30:00Z and units in the names.";

/** Says why no interpretation of a text is a table with times and values. */
function noTable(first: FirstLines): FormatFailure {
  const rows = first.lines.filter(hasFields);
  if (rows.length === 0 && !first.isWhole)
    return new FormatFailure("unreadable", "The first line of this text does not end within 4 MB: it is no table.");
  const [heading, data] = headingOf(first.lines, rows) ?? [null, []];
  if (heading === null) return new FormatFailure("foreign", NO_NAMES);
  const { names, delimiter } = heading;
  const [line] = data;
  if (line === undefined)
    return new FormatFailure("unreadable", `This table has a heading and no rows. It names ${listed(names)}.`);
  const fields = data.map((row) => withoutEmptyEnd(fieldsOf(row, delimiter), names.length));
  const width = fields[0]?.length ?? 0;
  if (width !== names.length)
    return new FormatFailure(
      "unreadable",
      `The heading of this table names ${names.length} columns, and its first row has ${width} fields. Give both the same number.`,
    );
  if (timeColumns({ names, rows: fields }))
    return new FormatFailure(
      "unreadable",
      `This table has no column of values beside its time. It names ${listed(names)}.`,
    );
  const at = unreadableTime({ names, rows: fields });
  return new FormatFailure(
    "unreadable",
    `The times of this table cannot be read, such as ${quoted(fields[0]?.[at] ?? "")} in the column ${quoted(names[at] ?? "")}. ${WRITE_TIMES}.`,
  );
}

interface Heading {
  readonly names: readonly string[];
  readonly delimiter: (typeof DELIMITERS)[number];
}

/** Returns the line that names a column of time, with the most columns, and the rows that follow it; null without one. */
function headingOf(lines: readonly string[], rows: readonly string[]): [Heading, readonly string[]] | null {
  const remark = headComment(lines);
  const candidates = [
    ...(rows[0] === undefined ? [] : [{ text: rows[0], data: rows.slice(1) }]),
    ...(remark === null ? [] : [{ text: remark, data: rows }]),
  ];
  const found = candidates.flatMap(({ text, data }) =>
    DELIMITERS.flatMap((delimiter): [Heading, readonly string[]][] => {
      const names = withoutEmptyEnd(fieldsOf(text, delimiter), 0);
      // Prose is no heading: a row with numbers follows a heading that is separated by blanks.
      const isProse = delimiter === "blanks" && data[0] !== undefined && !fieldsOf(data[0], delimiter).some(isNumeric);
      const isHeading = names.length > 1 && !isProse && names.some((name) => isTimeName(name));
      return isHeading ? [[{ names, delimiter }, data]] : [];
    }),
  );
  return found.toSorted(([a], [b]) => b.names.length - a.names.length)[0] ?? null;
}
