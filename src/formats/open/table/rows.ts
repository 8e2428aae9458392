import { unreadable } from "../../error.ts";
import type { RowCollector, SeriesGroup } from "../collector/index.ts";
import { FEW, Order, StationSurvey } from "../meaning/stations.ts";
import { Stretches } from "../meaning/stretches.ts";
import { listed, type Notes, quotedName } from "../notes.ts";
import { DOMES } from "../sites.ts";
import { LinesBetween } from "./between.ts";
import type { TableLayout } from "./layout.ts";
import { isRemark } from "./lines.ts";
import { MAX_PARAMETERS } from "./melted.ts";
import { isNumeric } from "./notation.ts";
import { numberReader } from "./numbers.ts";
import { placeReader } from "./places.ts";
import { toWidth, withoutEmptyEnd } from "./records.ts";
import { SATELLITE_LISTS } from "./roles.ts";
import type { LabelledSource } from "./source.ts";

const NO_ROWS = "This table has column names but no row with a readable time.";

const NAMELESS =
  "Rows with an empty field in X repeat times, so that they are of several stations. Fill in the station of each row, and open the file again.";

/** Mean number of rows in a part: rows in random order change their direction at every second one. */
const LEAST_IN_PART = 3;
const MAX_PARTS = 1_000;
const MAX_TELLING = 5;

/** What the rows of a table say beyond its head. */
export type ReadRows = Awaited<ReturnType<typeof readRows>>;

export async function readRows(source: LabelledSource, layout: TableLayout, collector: RowCollector, notes: Notes) {
  const stations = new Map<string, SeriesGroup>();
  const { head, keys } = layout;
  const width = head.names.length;
  // After the columns, each row has its section, its place and its part: rows in the order of time.
  const survey = new StationSurvey([...layout.others, width, width + 1]);
  const stretches = new Stretches([...layout.others, width, width + 1], width);
  const places = placeReader(layout);
  const parts = new Order();
  const partNumbers = new Map<string, number>();
  /** The rows without the station that others have. */
  const nameless = new Order();
  const isNameless = (fields: readonly string[]): boolean =>
    layout.station >= 0 && layout.station < width && plainText(fields[layout.station] ?? "") === "";
  const keyOf = (fields: readonly string[]): string => keys.map((at) => plainText(fields[at] ?? "")).join("\n");
  const numbers = numberReader(layout, notes);
  const isText = head.delimiter !== null;
  /** What the numbers of rows are; too many are none. */
  const parameters = new Map(layout.melted?.parameters.map((each) => [each.text, each]));
  for (const remark of source.remarks ?? []) notes.add(remark);
  const between = new LinesBetween(layout, notes);
  /** Rows that say more of their times than the first ones. */
  const telling: string[][] = [];
  for await (const records of source.records(head)) {
    for (const record of records) {
      const isOther = isText ? isRemark(record) : record.length === 1;
      const fields = withoutEmptyEnd(record as string[], width);
      if (between.isAboveRows(fields, isOther)) continue;
      if (!isOther && (!isText || isCut(fields, layout))) toWidth(fields, width);
      const timeMs = fields.length === width ? layout.time(fields) : Number.NaN;
      if (Number.isNaN(timeMs)) {
        between.line(record, fields, isOther);
        continue;
      }
      between.row();
      if (telling.length < MAX_TELLING && layout.saysMore(fields)) telling.push([...fields]);
      const text = layout.melted ? (fields[layout.melted.at] ?? "") : "";
      if (layout.melted && !parameters.has(text) && parameters.size <= MAX_PARAMETERS)
        parameters.set(text, { text, unit: fields[layout.melted.unitAt] || null });
      if (isNameless(fields)) nameless.add("", timeMs);
      fields.push(between.section.text, places.textOf(fields));
      const whole = keyOf(fields);
      const part = String(parts.add(whole, timeMs));
      if (partNumbers.size < MAX_PARTS && !partNumbers.has(part)) partNumbers.set(part, 1 + partNumbers.size);
      fields.push(`part ${partNumbers.get(part)}`);
      const key = keys.includes(width + 2) ? keyOf(fields) : whole;
      if (!collector.add(key, timeMs, numbers.of(fields))) continue;
      survey.add(key, timeMs, fields);
      stretches.add(fields);
      const position = places.of(fields, stations.get(key));
      if (!stations.has(key)) stations.set(key, stationOf(source.label, fields, layout, position));
    }
    await collector.afterBatch();
  }
  for (const [key, group] of stations) if (places.moving.has(group)) stations.set(key, { ...group, position: null });
  tellApart(stations);
  const isNamed = stations.size > 1 || nameless.rows === 0;
  if (isNamed) notes.count("Rows with an empty field of the station are a series of their own", nameless.rows);
  for (const remark of source.assumed?.() ?? []) notes.add(remark);
  noteLists(layout, notes);
  if (collector.isEmpty) throw unreadable(NO_ROWS);
  if (isNamed && nameless.repeats + nameless.returns > 0)
    throw unreadable(NAMELESS.replace("X", quotedName(head.names[layout.station] ?? "")));
  between.mustBeFew();
  numbers.addNotes();
  places.addNotes(notes);
  // Rows that begin again at times of rows above them, with other values. Unordered rows do not form parts.
  const hasParts =
    parts.returns > 0 &&
    partNumbers.size < MAX_PARTS &&
    LEAST_IN_PART * (parts.returns + parts.last.size) <= parts.rows;
  const isAgain = hasParts && collector.contradictions() > FEW * parts.rows;
  const isTitleOrPlace = (at: number): boolean => (at === width ? between.areTitles : places.moving.size > 0);
  const told = stretches.columns().filter((at) => at < width || isTitleOrPlace(at));
  // What stays the same over stretches of rows may tell of which station these are.
  return { stations, survey, stretches: told, between, numbers, parameters, telling, isAgain };
}

/** Whether a line of a text ends before its last columns, which then are empty. Between blanks, any field may be missing. */
function isCut(fields: readonly string[], { head, numbers }: TableLayout): boolean {
  const isShort = fields.length > 1 && fields.length < head.names.length;
  return isShort && head.delimiter !== "blanks" && numbers.some(({ at }) => (fields[at] ?? "") !== "");
}

function noteLists({ head, satellite, roles }: TableLayout, notes: Notes): void {
  const lists = head.names.filter(
    (name, at) => satellite < 0 && roles[at]?.role === "none" && SATELLITE_LISTS.test(name),
  );
  if (lists.length > 0) notes.add(`Lists of satellites are not shown: ${listed(lists)}.`);
}

function stationOf(label: string, fields: readonly string[], layout: TableLayout, position: SeriesGroup["position"]) {
  const { station, satellite, texts, keys, melted } = layout;
  const text = (at: number): string => plainText(fields[at] ?? "");
  // pandas writes whole numbers as 2836.0 in a column in which one is missing.
  const id = station < 0 ? null : text(station).replace(/^(\d+)\.0$/, "$1");
  // A number alone would not say what it is.
  const further = keys.flatMap((at) => {
    const [own, name = ""] = [text(at), layout.head.names[at]];
    return at === station || at === melted?.at ? [] : isNumeric(own) && name !== "" ? `${name} ${own}` : own;
  });
  const isNamed = keys.some((at) => at <= layout.head.names.length && at !== melted?.at);
  return {
    label: [text(texts.name) || id || (isNamed ? "" : label), ...further].filter(Boolean).join(" ") || label,
    stationId: id || null,
    satellite: satellite < 0 ? null : text(satellite),
    position,
    ...(DOMES.test(text(texts.domes)) ? { domes: text(texts.domes) } : {}),
  };
}

/** Adds the identifier to the names that several stations have. */
function tellApart(stations: Map<string, SeriesGroup>): void {
  const named = Map.groupBy([...stations], ([, { label }]) => label);
  for (const [key, { label, stationId, ...about }] of stations) {
    const isShared = new Set(named.get(label)?.map(([, each]) => each.stationId)).size > 1;
    if (isShared && stationId !== null) stations.set(key, { ...about, stationId, label: `${label} (${stationId})` });
  }
}

/** Removes the apostrophe that `csvField` puts before texts that look like formulas. */
function plainText(field: string): string {
  const text = field.trim();
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
