import type { ChosenColumn, ChosenColumns, ColumnRole, ColumnUnit, TextTable } from "#shared/file/columns.ts";
import { surfaceNamed } from "#shared/station/position.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { FormatFailure } from "../../error.ts";
import type { Pace } from "../../source.ts";
import { collectRows, type RowCollector, type SeriesGroup } from "../collector/index.ts";
import type { ColumnCache } from "../columnCache.ts";
import { type Answers, asking } from "../meaning/ask.ts";
import type { ColumnMeaning, Question } from "../meaning/columns.ts";
import { LENGTHS } from "../meaning/survey.ts";
import { StationSurvey, surfaceOfName } from "../meaning/stations.ts";
import { listed, type Notes, quoted } from "../notes.ts";
import { isElsewhere, movedSentence, type PlaceFields, positionOf } from "../sites.ts";
import { TextColumns } from "../textColumns.ts";
import type { SeriesFile } from "../types.ts";
import { chosenLayout, guessedTable, headWith, namedLayout, type TableLayout } from "./layout.ts";
import { isComment, isNumeric, type Notation, numberIn, type TableHead, withoutEmptyEnd } from "./lines.ts";
import { noTable } from "./noTable.ts";
import type { TableSource } from "./source.ts";
import { timeReader } from "./times.ts";

const NO_ROWS = "This table names its columns, and has no rows with a time that can be read.";
/** Rows that the user sees when choosing columns. */
const SHOWN_ROWS = 8;
const NO_ROLE = { role: "none", unit: null } as const;
const WORDS = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars", blanks: "blanks" } as const;

export interface TableChoice extends Answers {
  /** Label of the series if no column names a station. */
  readonly label: string;
}

/**
 * Opens a table of any origin and container with time, optional station and position, and numbers. What its columns mean
 * follows from all that the file says, or from the user's choice; what neither decides is asked.
 *
 * @throws FormatFailure
 */
export async function describeTable(
  source: TableSource,
  choice: TableChoice,
  cache: ColumnCache,
  pace: Pace,
): Promise<SeriesFile> {
  const { heads } = source;
  const named = namedLayout(heads);
  const guess = named ? { head: named.head, roles: named.roles } : guessedTable(heads);
  const chosen = choice.chosen ?? (await rememberedChoice(guess ? [guess.head] : heads, choice));
  const fallback = chosen && headWith(heads, chosen);
  const { head, roles } = guess ?? (fallback ? { head: fallback, roles: fallback.names.map(() => NO_ROLE) } : {});
  if (!head || !roles) throw noTable(source);
  const asked = (questions: readonly Question[]): SeriesFile => {
    const { header, names, rows } = head;
    const table = { header, names, rows: rows.slice(0, SHOWN_ROWS), roles, noValue: null };
    return asking(source.format, table, questions, choice);
  };
  let layout = chosen ? chosenLayout(head, roles, chosen) : named;
  if (!layout) return asked([timeQuestion(source, head)]);
  for (;;) {
    const found: SeriesFile | Further = await describeRows(source, layout, { choice, cache, pace });
    if (!("further" in found)) return found;
    if (found.questions.length > 0) return asked(found.questions);
    layout = withKey(layout, found.further);
  }
}

async function rememberedChoice(heads: readonly TableHead[], choice: TableChoice): Promise<ChosenColumns | null> {
  for (const { header } of heads) {
    const found = header === null ? null : await choice.remembered?.(header);
    if (found) return found;
  }
  return null;
}

/** Earlier numbers are not seconds since 1970: GPS began in 1980. */
const FIRST_DATE_MS = Date.UTC(1980, 0, 1);

function timeQuestion(source: TableSource, head: TableHead): Question {
  const choices = datesIn(head);
  const [first] = choices;
  const field = head.rows[0]?.[head.names.indexOf(String(first?.column))] ?? "";
  if (!first || first.role === "time") return { sentence: noTable(source).error.message, choices };
  const example = `in ${quoted(String(first.column))}, such as ${quoted(field)},`;
  const sentence =
    first.role === "unixTime"
      ? `The numbers ${example} may be seconds since 1970.`
      : `The dates ${example} do not say which number is the day, the month or the year.`;
  return { sentence, choices };
}

/** The columns that have dates in some order. */
function datesIn(head: TableHead): ChosenColumn[] {
  const orders = ["time", "dayFirst", "monthFirst", "unixTime"] as const;
  const found = head.names.flatMap((name, at) =>
    orders.flatMap((role): ChosenColumn[] => {
      const read = timeReader(new Map([[role as ColumnRole, at]]), head);
      const isDate = read !== null && head.rows.every((row) => read(row) > FIRST_DATE_MS);
      return isDate ? [{ column: name, role, unit: null }] : [];
    }),
  );
  return found.length > 0 ? found : [{ column: head.names[0] ?? "1", role: "time", unit: null }];
}

/** What has to be known before the rows of a table are series: a column that tells them apart, or an answer. */
interface Further {
  readonly further: number;
  readonly questions: readonly Question[];
}

function withKey(layout: TableLayout, at: number): TableLayout {
  const isStation = layout.station < 0;
  const name = quoted(layout.head.names[at] ?? "");
  const words = isStation
    ? `Rows of one time are told apart by ${name}: it is the station.`
    : `Rows of one time and station are told apart by ${name}: each of its values is a series.`;
  return {
    ...layout,
    station: isStation ? at : layout.station,
    keys: [...layout.keys, at],
    others: layout.others.filter((other) => other !== at),
    numbers: layout.numbers.filter((number) => number.at !== at),
    remarks: [...layout.remarks, words],
    roles: layout.roles.map((role, i) => (i === at && isStation ? { role: "station", unit: null } : role)),
  };
}

interface Reading {
  readonly choice: TableChoice;
  readonly cache: ColumnCache;
  readonly pace: Pace;
}

async function describeRows(
  source: TableSource,
  layout: TableLayout,
  { choice, cache, pace }: Reading,
): Promise<SeriesFile | Further> {
  const { header, names, rows, delimiter } = layout.head;
  let further: Further | null = null;
  const file = collectRows(async (collector, notes) => {
    const texts = new TextColumns(layout.numbers.map(({ at }) => names[at] ?? ""));
    const target = { collector, notes, pace, label: choice.label, texts };
    collector.begin(layout.numbers);
    const { stations, survey } = await readRows(source, layout, target);
    const kept = texts.without(layout.numbers);
    const { meanings, questions } = collector.meanings((n) => kept[n] !== null);
    further = furtherOf(layout, survey, questions);
    if (further) throw new FormatFailure("undecided", "");
    const own = createOwnNotes(layout, meanings, delimiter);
    const about = { format: source.format, title: source.title ?? null, source: source.origin ?? null };
    const none: SeriesGroup = { label: choice.label, stationId: null, satellite: null, position: null };
    const found = await collector.finish(about, meanings, (key) => stations.get(key) ?? none, { notes, cache, pace });
    const roles = withUnits(layout, meanings);
    const table = { header, names, rows: rows.slice(0, SHOWN_ROWS), roles, noValue: layout.noValue };
    return { ...found, notes: [...own, ...found.notes], ...(delimiter === null ? {} : { table }) };
  });
  try {
    return await file;
  } catch (thrown) {
    if (further) return further;
    throw thrown;
  }
}

/** The line on what was decided, and the remarks of the layout. Names of this program need none. */
function createOwnNotes(
  { isOurs, timeWords, remarks }: TableLayout,
  meanings: readonly (ColumnMeaning | null)[],
  delimiter: TableHead["delimiter"],
): string[] {
  if (isOurs) return [...remarks];
  const decided = meanings.flatMap((each) => each?.words ?? []);
  const table = delimiter === null ? "A table" : `A table separated by ${WORDS[delimiter]}`;
  return [`${[table, timeWords, ...decided].join("; ")}.`, ...remarks];
}

function furtherOf(layout: TableLayout, survey: StationSurvey, questions: readonly Question[]): Further | null {
  const all = [...layout.questions, ...questions];
  const { names, rows } = layout.head;
  const found = survey.columns();
  const texts = found.filter((at) => rows.some((row) => !isNumeric(row[at] ?? "")));
  const single = found.length === 1 ? found : texts;
  const only = single.length === 1 ? single[0] : undefined;
  // Numbers beside dates without a time of day may be hours.
  const isDaily = rows.every((row) => !(layout.time(row) % DAY_MS > 0));
  if (all.length === 0 && only !== undefined && (texts.includes(only) || !isDaily))
    return { further: only, questions: [] };
  const isUnclear = found.length > 0 || (found.length === 0 && survey.hasRepeats && layout.others.length > 0);
  if (isUnclear) {
    const candidates = found.length > 0 ? found : layout.others;
    const list = listed(candidates.map((at) => names[at] ?? ""));
    const choices = candidates.map((at): ChosenColumn => ({ column: names[at] ?? "", role: "station", unit: null }));
    all.push({ sentence: `Several rows have one time, and ${list} may tell their station or their time.`, choices });
  }
  return all.length === 0 ? null : { further: -1, questions: all };
}

/** The roles of the columns with the units that were decided, for the user to change them. */
function withUnits({ roles, numbers }: TableLayout, meanings: readonly (ColumnMeaning | null)[]): TextTable["roles"] {
  const units = new Map(
    numbers.map(({ at }, n): [number, ColumnUnit | undefined] => {
      const factor = meanings[n]?.quantity.variable ? meanings[n]?.factor : undefined;
      return [at, LENGTHS.find((length) => length.factor === factor)?.unit];
    }),
  );
  return roles.map(({ role, unit }, at) => ({ role, unit: unit ?? units.get(at) ?? null }));
}

interface Target {
  readonly collector: RowCollector;
  readonly notes: Notes;
  readonly pace: Pace;
  readonly label: string;
  readonly texts: TextColumns;
}

async function readRows(
  source: TableSource,
  layout: TableLayout,
  { collector, notes, pace, label, texts }: Target,
): Promise<{ readonly stations: Map<string, SeriesGroup>; readonly survey: StationSurvey }> {
  const stations = new Map<string, SeriesGroup>();
  const survey = new StationSurvey(layout.others);
  const moved = new Set<string>();
  const counts = { short: 0, untimed: 0, ambiguous: 0, chosen: 0 };
  const { notation, head, keys } = layout;
  const width = head.names.length;
  const isChosenNone = noneLike(layout.noValue, notation);
  const isStatedNone = layout.numbers.map(({ at }) => noneLike(head.missing?.[at] ?? null, notation));
  const isText = head.delimiter !== null;
  const valueOf = (field: string, n: number): number => {
    if (isChosenNone?.(field) || isStatedNone[n]?.(field)) return Number.NaN;
    const value = numberIn(field, notation);
    if (value === "ambiguous") counts.ambiguous++;
    else if (value !== "none") texts.count(n, !Number.isNaN(value));
    return typeof value === "number" ? value : Number.NaN;
  };
  let toSkip = head.skipped;
  for await (const records of source.records(head)) {
    for (const record of records) {
      const isRemark = isText && isComment(record[0] ?? "");
      if (toSkip > 0) {
        if (!isRemark) toSkip--;
        continue;
      }
      const fields = withoutEmptyEnd(record as string[], width);
      const timeMs = fields.length === width ? layout.time(fields) : Number.NaN;
      if (Number.isNaN(timeMs)) {
        if (!isRemark) counts[fields.length === width ? "untimed" : "short"]++;
        continue;
      }
      const values = layout.numbers.map(({ at, read }, n) => (read ? read(fields) : valueOf(fields[at] ?? "", n)));
      const key = keys.length === 0 ? "" : keys.map((at) => plainText(fields[at] ?? "")).join("\n");
      if (!collector.add(key, timeMs, values)) continue;
      survey.add(key, timeMs, fields);
      const station = stations.get(key);
      if (!station) stations.set(key, stationOf(label, fields, layout));
      else if (station.position && isElsewhere(station.position, placeOf(fields, layout))) moved.add(station.label);
    }
    await collector.afterBatch(pace);
  }
  for (const remark of [...(source.remarks ?? []), ...(source.assumed?.() ?? [])]) notes.add(remark);
  noteLists(layout, notes);
  if (collector.isEmpty) throw new FormatFailure("unreadable", NO_ROWS);
  notes.count("Lines with another number of fields than the first one are left out", counts.short);
  notes.count("Lines without a time that can be read are left out", counts.untimed);
  texts.addNotes(notes);
  noteAmbiguous(notation, counts.ambiguous, notes);
  if (moved.size > 0) notes.add(movedSentence(moved));
  notes.count("Lines of further series, of which there are too many, are left out", collector.skippedRows);
  return { stations, survey };
}

/** Recognizes a text for no value, in any notation of a number; null without one. */
function noneLike(noValue: string | null, notation: Notation): ((field: string) => boolean) | null {
  if (noValue === null) return null;
  const noNumber = numberIn(noValue, notation);
  return (field) =>
    field.trim() === noValue || (typeof noNumber === "number" && numberIn(field, notation) === noNumber);
}

function noteAmbiguous({ hasDecimalComma }: Notation, times: number, notes: Notes): void {
  const which = hasDecimalComma ? "2.370 beside decimal commas" : "2,370 beside decimal points";
  notes.count(`Numbers such as ${which} are shown as missing, because they may be thousands`, times);
}

function noteLists({ head, satellite, roles }: TableLayout, notes: Notes): void {
  const lists = head.names.filter(
    (name, at) => satellite < 0 && roles[at]?.role === "none" && /^(prn|el_deg|az_deg|cn0_dbhz)$/i.test(name),
  );
  if (lists.length > 0) notes.add(`Lists of satellites are not shown: ${listed(lists)}.`);
}

function placeOf(fields: readonly string[], layout: TableLayout): PlaceFields {
  const at = (index: number): number => {
    const value = index < 0 ? "none" : numberIn(fields[index] ?? "", layout.notation);
    return typeof value === "number" ? value : Number.NaN;
  };
  return {
    latitudeDeg: at(layout.latitude),
    longitudeDeg: at(layout.longitude),
    heights: Object.fromEntries(
      layout.heights.flatMap((index) => {
        const [metres, name = ""] = [at(index), layout.head.names[index]];
        const own = surfaceOfName(name);
        const above = own === "unknown" ? surfaceNamed(fields[layout.texts.heightReference] ?? "") : own;
        return Number.isNaN(metres) ? [] : [[above, metres]];
      }),
    ),
  };
}

function stationOf(label: string, fields: readonly string[], layout: TableLayout): SeriesGroup {
  const { station, satellite, texts, keys } = layout;
  const text = (at: number): string => plainText(fields[at] ?? "");
  const id = station < 0 ? null : text(station);
  const further = keys.flatMap((at) => (at === station ? [] : text(at)));
  return {
    label: [text(texts.name) || id || label, ...further].join(" "),
    stationId: id === null ? null : id || label,
    satellite: satellite < 0 ? null : text(satellite),
    position: positionOf(placeOf(fields, layout)),
  };
}

/** Removes the apostrophe that `csvField` puts before texts that look like formulas. */
function plainText(field: string): string {
  const text = field.trim();
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
