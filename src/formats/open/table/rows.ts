import { surfaceNamed } from "#shared/station/position.ts";
import { unreadable } from "../../error.ts";
import type { Pace } from "../../source.ts";
import type { RowCollector, SeriesGroup } from "../collector/index.ts";
import { isNoValueNumber, isNoValueWord } from "../meaning/noValue.ts";
import { Order, signOfDegrees, StationSurvey, surfaceOfName } from "../meaning/stations.ts";
import { listed, type Notes, quoted } from "../notes.ts";
import { isElsewhere, type PlaceFields, positionOf } from "../sites.ts";
import { isTimeName } from "../time/names.ts";
import { TextColumns } from "../textColumns.ts";
import type { TableLayout } from "./layout.ts";
import { toWidth, withoutEmptyEnd } from "./heads.ts";
import { isRemark } from "./lines.ts";
import { type Notation, numberIn } from "./notation.ts";
import { placeUnit, SATELLITE_LISTS } from "./roles.ts";
import { isLater, MAX_LATER, type Section, sectionOf } from "./sections.ts";
import type { TableSource } from "./source.ts";
import { withoutUnit } from "./valueUnits.ts";

const NO_ROWS = "This table has column names but no row with a readable time.";

const NAMELESS =
  "Rows with an empty field in X repeat times, so that they are of several stations. Fill in the station of each row, and open the file again.";
const AGAIN =
  "The heading of this table is repeated, and the rows below it begin again in time, so that they may be of another station. Save them as a file of their own, or add a column of the station.";
const OTHER_TABLE =
  "Another table with other columns begins within this file, below X. Save each table as a file of its own, and open those; delete the line if it is a message.";

interface Target {
  readonly collector: RowCollector;
  readonly notes: Notes;
  readonly pace: Pace;
  readonly label: string;
  readonly texts: TextColumns;
}

interface ReadRows {
  readonly stations: Map<string, SeriesGroup>;
  readonly survey: StationSurvey;
  /** Whether a line above the rows names their station, and no column does. */
  readonly isBelowStation: boolean;
  /** Comments among the rows, and below them, that state a scale of their times. */
  readonly later: readonly string[];
}

export async function readRows(
  source: TableSource,
  layout: TableLayout,
  { collector, notes, pace, label, texts }: Target,
): Promise<ReadRows> {
  const stations = new Map<string, SeriesGroup>();
  const width = layout.head.names.length;
  // Behind the columns, each row has its section and its place.
  const survey = new StationSurvey([...layout.others, width, width + 1]);
  const moved = new Set<string>();
  /** The rows without the station that others have. */
  const nameless = new Order();
  let isBelowStation = false;
  const counts = { short: 0, untimed: 0, withoutUtc: 0, ambiguous: 0, chosen: 0 };
  const { notation, head, keys } = layout;
  const isChosenNone = noneLike(layout.noValue, notation);
  const isStatedNone = layout.numbers.map(({ at }) => noneLike(head.missing?.[at] ?? null, notation));
  const isText = head.delimiter !== null;
  const hasPlace = layout.latitude >= 0 && layout.longitude >= 0;
  const unreadPlaces: string[] = [];
  const unitOf = layout.numbers.map(({ at }) => head.unitsInFields[at] ?? null);
  const valueOf = (given: string, n: number): number => {
    const unit = unitOf[n] ?? null;
    const field = unit === null ? given : withoutUnit(given, unit);
    if (isChosenNone?.(field) || isStatedNone[n]?.(field)) return Number.NaN;
    const value = numberIn(field, notation);
    if (value === "ambiguous") counts.ambiguous++;
    else if (value !== "none") texts.count(n, !Number.isNaN(value), given);
    return typeof value === "number" ? value : Number.NaN;
  };
  let toSkip = head.skipped;
  /** The names, and the lines above the rows, which files have again below a station or where they were concatenated. */
  const above = new Set([lineOf(head.names)]);
  /** A line of words above the next row that may be the heading of another table; null without one. */
  let words: string | null = null;
  /** What is above these rows: the first line that names a station, otherwise the last comment, or the name of a sheet. */
  let section: Section = { text: "", isStation: false };
  let isBelowRow = false;
  /** The time of the first row below the last heading; and, below a repeated one, that of the rows above it. */
  let [startMs, againAfterMs, isFirst] = [Number.NaN, Number.NEGATIVE_INFINITY, true];
  /** A line of one field above the next one. */
  let title = "";
  /** Comments below rows that state a scale of their times. */
  const later: string[] = [];
  const take = (found: Section): void => {
    const isFurther = found.isStation ? !isBelowRow : isText;
    if (section.isStation && isFurther) return;
    section = found;
    isBelowRow = false;
  };
  for (const comment of head.comments) take(sectionOf([comment]));
  for await (const records of source.records(head)) {
    for (const record of records) {
      const isOther = isText ? isRemark(record) : record.length === 1;
      const fields = withoutEmptyEnd(record as string[], width);
      if (toSkip > 0) {
        // The first name may begin like a comment: "#".
        if (!isOther || lineOf(fields) === lineOf(head.names)) toSkip--;
        above.add(lineOf(fields));
        continue;
      }
      if (!isText && !isOther) toWidth(fields, width);
      const timeMs = fields.length === width ? layout.time(fields) : Number.NaN;
      const found = Number.isNaN(timeMs) ? sectionOf(record) : null;
      if (found && (isOther || found.isStation)) {
        if (later.length < MAX_LATER && isLater(found.text, head)) later.push(found.text);
        take(found);
        continue;
      }
      if (Number.isNaN(timeMs)) {
        // A repeated heading is of the rows below it, and a word above it tells what they are of.
        if (above.has(lineOf(fields))) {
          if (title !== "") take({ text: title, isStation: false });
          else if (layout.station < 0 && isBelowRow) againAfterMs = startMs;
          isFirst = true;
          continue;
        }
        title = isText && fields.length === 1 ? (fields[0] ?? "").trim() : "";
        if (isHeading(fields, layout)) words ??= fields.join(", ");
        const isZoned = fields.length === width && layout.isWithoutUtc(fields);
        counts[isZoned ? "withoutUtc" : fields.length === width ? "untimed" : "short"]++;
        continue;
      }
      if (words !== null) throw unreadable(OTHER_TABLE.replace("X", quoted(words)));
      if (timeMs <= againAfterMs) throw unreadable(AGAIN);
      againAfterMs = Number.NEGATIVE_INFINITY;
      if (isFirst) startMs = timeMs;
      isFirst = false;
      isBelowRow = true;
      isBelowStation ||= section.isStation && layout.station < 0;
      if (layout.station >= 0 && layout.station < width && plainText(fields[layout.station] ?? "") === "")
        nameless.add("", timeMs);
      fields.push(section.text, hasPlace ? placeText(fields, layout) : "");
      const key = keys.length === 0 ? "" : keys.map((at) => plainText(fields[at] ?? "")).join("\n");
      const values = layout.numbers.map(({ at, read }, n) => (read ? read(fields) : valueOf(fields[at] ?? "", n)));
      if (!collector.add(key, timeMs, values)) continue;
      survey.add(key, timeMs, fields);
      const station = stations.get(key);
      const place = placeOf(fields, layout);
      if (station) {
        if (isElsewhere(station.position, place)) moved.add(station.label);
        continue;
      }
      const position = positionOf(place);
      stations.set(key, stationOf(label, fields, layout, position));
      if (position === null && hasPlace) unreadPlaces.push(...unreadPlace(fields, layout));
    }
    await collector.afterBatch(pace);
  }
  const isNamed = stations.size > 1 || nameless.values === 0;
  if (isNamed) notes.count("Rows with an empty field of the station are a series of their own", nameless.rows);
  for (const remark of [...(source.remarks ?? []), ...(source.assumed?.() ?? [])]) notes.add(remark);
  noteLists(layout, notes);
  if (collector.isEmpty) throw unreadable(NO_ROWS);
  if (isNamed && nameless.repeats + nameless.returns > 0)
    throw unreadable(NAMELESS.replace("X", quoted(head.names[layout.station] ?? "")));
  notes.count("Lines with another number of fields than the first one are left out", counts.short);
  notes.count("Lines without a time that can be read are left out", counts.untimed);
  notes.count(
    "Lines with a time that the clocks of its zone show twice or never, or whose zone is unknown, are left out",
    counts.withoutUtc,
  );
  texts.addNotes(notes);
  const which = notation.hasDecimalComma ? "2.370 beside decimal commas" : "2,370 beside decimal points";
  notes.count(`Numbers such as ${which} are shown as missing, because they may be thousands`, counts.ambiguous);
  if (moved.size > 0)
    notes.add(
      `Rows with one station name at several positions form one series, at the position of the first row: ${listed([...moved])}.`,
    );
  notes.count(
    `Positions other than latitude and longitude in decimal degrees, such as ${quoted(unreadPlaces[0] ?? "")}, are left out`,
    unreadPlaces.length,
  );
  notes.count("Lines of further series, of which there are too many, are left out", collector.skippedRows);
  return { stations, survey, isBelowStation, later };
}

function lineOf(fields: readonly string[]): string {
  return fields.map((field) => field.trim()).join("\n");
}

/**
 * Whether a line may be the heading of another table, as where files were concatenated: words alone, none of which is in its
 * column of the first rows, and which name a time, or are as many as the columns.
 */
function isHeading(fields: readonly string[], { head, time }: TableLayout): boolean {
  const texts = fields.map((field) => field.trim());
  if (texts.length < 2 || texts.some((text) => /^[-+.,]?\d/.test(text))) return false;
  const rows = head.rows.filter((row) => !Number.isNaN(time(row)));
  if (texts.some((text, at) => text !== "" && (isNoValueWord(text) || rows.some((row) => row[at] === text))))
    return false;
  const isWide = texts.length === head.names.length;
  if (texts.some(isTimeName) && (isWide || texts.some((text) => head.names.includes(text)))) return true;
  // Words between blanks may be a sentence.
  return isWide && head.delimiter !== "blanks" && !texts.slice(1).includes("");
}

/** Recognizes a text for no value, in any notation of a number; null without one. */
function noneLike(noValue: string | null, notation: Notation): ((field: string) => boolean) | null {
  if (noValue === null) return null;
  const noNumber = numberIn(noValue, notation);
  return (field) =>
    field.trim() === noValue || (typeof noNumber === "number" && numberIn(field, notation) === noNumber);
}

function noteLists({ head, satellite, roles }: TableLayout, notes: Notes): void {
  const lists = head.names.filter(
    (name, at) => satellite < 0 && roles[at]?.role === "none" && SATELLITE_LISTS.test(name),
  );
  if (lists.length > 0) notes.add(`Lists of satellites are not shown: ${listed(lists)}.`);
}

/** The place of a row, as it names a point of a grid. */
function placeText(fields: readonly string[], { head: { names }, latitude, longitude }: TableLayout): string {
  return [latitude, longitude].map((at) => `${names[at]} ${fields[at]}`).join(", ");
}

function placeOf(fields: readonly string[], layout: TableLayout): PlaceFields {
  const at = (index: number): number => {
    const value = index < 0 ? "none" : numberIn(fields[index] ?? "", layout.notation);
    return typeof value === "number" ? value : Number.NaN;
  };
  // Of columns that the user chose, no direction may be known.
  const degrees = (index: number): number => at(index) * (signOfDegrees(placeUnit(layout.head, index)) ?? 1);
  return {
    latitudeDeg: degrees(layout.latitude),
    longitudeDeg: degrees(layout.longitude),
    heights: Object.fromEntries(
      layout.heights.flatMap((index) => {
        const [metres, name = ""] = [at(index), layout.head.names[index]];
        const own = surfaceOfName(name);
        const stated =
          fields[layout.texts.heightReference] ?? layout.head.comments.find((text) => /height/i.test(text));
        const above = own === "unknown" ? surfaceNamed(stated ?? "") : own;
        return Number.isNaN(metres) ? [] : [[above, metres]];
      }),
    ),
  };
}

/** The texts of a place that is no position, unless they mean no value. */
function unreadPlace(fields: readonly string[], { latitude, longitude, notation }: TableLayout): string[] {
  const texts = [latitude, longitude].map((at) => fields[at] ?? "");
  const isNothing = texts.some((text) => {
    const value = numberIn(text, notation);
    return value === "none" || (typeof value === "number" && isNoValueNumber(value, (angle) => Math.abs(angle) <= 360));
  });
  return isNothing ? [] : [texts.join(", ")];
}

function stationOf(
  label: string,
  fields: readonly string[],
  layout: TableLayout,
  position: SeriesGroup["position"],
): SeriesGroup {
  const { station, satellite, texts, keys } = layout;
  const text = (at: number): string => plainText(fields[at] ?? "");
  // pandas writes whole numbers as 2836.0 in a column in which one is missing.
  const id = station < 0 ? null : text(station).replace(/^(\d+)\.0$/, "$1");
  const further = keys.flatMap((at) => (at === station ? [] : text(at)));
  return {
    label: [text(texts.name) || id || label, ...further].join(" "),
    stationId: id || null,
    satellite: satellite < 0 ? null : text(satellite),
    position,
  };
}

/** Removes the apostrophe that `csvField` puts before texts that look like formulas. */
function plainText(field: string): string {
  const text = field.trim();
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
