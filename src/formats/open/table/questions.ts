import type { ChosenColumn, ColumnRole } from "#shared/file/columns.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { asRole, type ColumnMeaning, type Question } from "../meaning/columns.ts";
import { listed, quotedName } from "../notes.ts";
import { dateOrder, momentOf } from "../time/moment.ts";
import { namedColumns, UNIX_DIGITS } from "../time/namedColumns.ts";
import { isTimeName, MOMENT, timeName } from "../time/names.ts";
import { scaleInHeading, UTC } from "../time/scale.ts";
import { timeReader } from "../time/reader.ts";
import type { TableLayout } from "./layout.ts";
import { DELIMITERS, headComment, type TableHead } from "./heads.ts";
import { isNumeric } from "./notation.ts";
import type { ReadRows } from "./rows.ts";
import type { TableSource } from "./source.ts";
import { FormatFailure, unreadable } from "../../error.ts";
import { many } from "#shared/text.ts";
import { hasFields } from "./lines.ts";
import { fieldsOf, withoutEmptyEnd } from "./records.ts";
import { timeColumns } from "../time/columns.ts";

/** Numbers that may be times, in the order of their roles below. Other dates than these are not of GNSS, and were guessed. */
const [FIRST_DATE_MS, LAST_DATE_MS] = [Date.UTC(1980, 0, 1), Date.UTC(2050, 0, 1)];
const NUMBERS: Partial<Record<ColumnRole, string>> = {
  unixTime: "seconds since 1970, or parts of them",
  excelDay: "days since 1900, as Excel counts them",
  mjd: "modified Julian dates",
};

const ORDERS = ["time", "dayFirst", "monthFirst", "unixTime", "excelDay", "mjd"] as const;
/** Roles of columns beside each other that together tell a date. */
const DATES: readonly (readonly ColumnRole[])[] = [
  ...[...ORDERS, "decimalYear" as const].map((role) => [role]),
  ...([
    ["year", "month", "day"],
    ["year", "dayOfYear"],
    ["gpsWeek", "secondOfWeek"],
  ] as const),
];

function isDate(ms: number): boolean {
  return ms > FIRST_DATE_MS && ms < LAST_DATE_MS;
}

/** Whether roles of columns could tell the times of a table, which most rows have, in their order. */
function mayHaveTimes(head: TableHead): boolean {
  return head.names.some((_, at) =>
    DATES.some((roles) => {
      const read = timeReader(new Map(roles.map((role, i) => [role, at + i] as const)), head);
      const times = read === null ? [] : head.rows.map(read).filter(isDate);
      return 2 * times.length > head.rows.length && times.every((ms, i) => i === 0 || ms >= (times[i - 1] ?? ms));
    }),
  );
}

/** @throws FormatFailure if no answer could tell the times */
export function timeQuestion(source: TableSource, head: TableHead): Question {
  const choices = datesIn(head);
  const [first] = choices;
  const isUnnamed = head.header !== null && !head.names.some(isTimeName);
  const columns = [...new Set(choices.map(({ column }) => String(column)))];
  const field = head.rows[0]?.[head.names.indexOf(String(first?.column))] ?? "";
  const isSure = dateOrder([field]) === first?.role && choices.length === columns.length;
  // The dates can be read, and something else cannot, such as the times of day.
  if (!first || (isSure && columns.length === 1 && !isUnnamed)) {
    const refusal = noTable(source);
    if (!mayHaveTimes(head)) throw refusal;
    return { sentence: refusal.error.message, choices: [] };
  }
  if (isUnnamed && (isSure || columns.length > 1))
    return { sentence: `No column is named as the time of a row, which ${listed(columns)} may tell.`, choices };
  const example = `in ${quotedName(String(first.column))}, such as ${quotedName(field)},`;
  const number = NUMBERS[first.role];
  const sentence = number
    ? `The numbers ${example} may be ${number}.`
    : `The dates ${example} do not say which number is the day, the month or the year.`;
  return { sentence, choices };
}

function datesIn(head: TableHead): ChosenColumn[] {
  return head.names.flatMap((name, at) =>
    ORDERS.flatMap((role): ChosenColumn[] => {
      const read = timeReader(new Map([[role as ColumnRole, at]]), head);
      const rows = head.rows.filter((row) => row[at] !== "");
      const isOfDates = read !== null && rows.length > 0 && rows.every((row) => isDate(read(row)));
      // Days are numbers like those of quantities.
      const isNumber = role === "excelDay" || role === "mjd";
      const isOther =
        role === "unixTime" &&
        ((!isTimeName(name) && !rows.every((row) => UNIX_DIGITS.test(row[at] ?? ""))) ||
          new Set(rows.map((row) => row[at])).size < Math.min(2, rows.length) ||
          /19[0-68]\d|20\d\d/.test(name) ||
          scaleInHeading(name).some(({ scale }) => scale !== UTC));
      const isYearLast = role === "dayFirst" || role === "monthFirst";
      const mayBe = isNumber
        ? MOMENT.test(timeName(name))
        : !isOther && !(isYearLast && rows.every((row) => !Number.isNaN(momentOf(row[at] ?? ""))));
      return isOfDates && mayBe ? [{ column: name, role, unit: null }] : [];
    }),
  );
}

/** Asks which of several columns of one name is the quantity, if their values fit it in different units. */
export function twinQuestions({ numbers }: TableLayout, meanings: readonly (ColumnMeaning | null)[]) {
  // A stated unit needs no words.
  const decided = numbers.flatMap(({ at, heading }, n) => {
    const { words = null, factor } = meanings[n] ?? {};
    return words === null ? [] : [{ at, heading, factor }];
  });
  return [...Map.groupBy(decided, ({ heading }) => heading)].flatMap(([heading, twins]) => {
    if (new Set(twins.map(({ factor }) => factor)).size < 2) return [];
    const columns = twins.map(({ at }) => String(at + 1));
    const sentence = `Columns ${columns.join(" and ")} are called ${quotedName(heading)}, and their values fit it in different units: one may be something else.`;
    return [{ sentence, choices: columns.map((column) => asRole(column, "number")).toReversed() }];
  });
}

/** What has to be known before the rows of a table are series: a column that tells them apart, what else its head says, or answers. */
export type Further =
  | { readonly key: number; readonly isStation: boolean }
  | { readonly head: Partial<TableHead> }
  | { readonly questions: readonly Question[] };

export function furtherOf(
  layout: TableLayout,
  { survey, stretches }: Pick<ReadRows, "survey" | "stretches">,
  questions: readonly Question[],
): Further | null {
  const all = [...layout.questions, ...questions];
  const { names, rows } = layout.head;
  const told = survey.columns();
  const found = told.filter((at) => at < names.length);
  const texts = found.filter((at) => rows.some((row) => !isNumeric(row[at] ?? "")));
  const single = found.length === 1 ? found : texts;
  const only = single.length === 1 ? single[0] : undefined;
  // Numbers beside dates without a time of day may be hours.
  const isDaily = rows.every((row) => !(layout.time(row) % DAY_MS > 0));
  const telling = only !== undefined && (texts.includes(only) || !isDaily) ? only : undefined;
  // What is above rows, and their place, tell them apart where no column does.
  const [unnamed] = found.length === 0 ? told : [];
  // One station after another, whose times do not meet.
  const { head, keys, satellite, melted } = layout;
  const isTold =
    keys.some((at) => at !== satellite && at !== melted?.at) || head.stations.some((each) => each !== null);
  const [stretched] = told.length > 0 || isTold ? [] : stretches;
  const key = telling ?? unnamed ?? stretched;
  if (all.length === 0 && key !== undefined) return { key, isStation: survey.areStations(key) };
  const isUnclear = found.length > 0 || (told.length === 0 && survey.hasRepeats && layout.others.length > 0);
  if (isUnclear) {
    const candidates = found.length > 0 ? found : layout.others;
    const list = listed(candidates.map((at) => names[at] ?? ""));
    const choices = candidates.map((at): ChosenColumn => {
      const isHour = isDaily && rows.every((row) => /^([01]?\d|2[0-4])$/.test(row[at] ?? ""));
      return { column: names[at] ?? "", role: isHour ? "hour" : "station", unit: null };
    });
    all.push({ sentence: `Several rows have one time, and ${list} may tell their station or their time.`, choices });
  }
  return all.length === 0 ? null : { questions: all };
}

const WRITE_TIMES = "Write times as 2026-01-31T06:30:00Z";
const NO_NAMES =
  "This text has no line that names a column of time. Give it a first line such as “station,time,ztd_mm”, with times as 2026-01-31T06:30:00Z and units in the names.";
/** Says why no interpretation of a text is a table with times and values. */
export function noTable({ heads, first, remarks = [], assumed }: TableSource): FormatFailure {
  if (!first) {
    const names = heads[0] ? [`It names ${listed(heads[0].names)}.`] : [];
    const none = "This table has no rows with a time that can be read and a number.";
    return unreadable([none, ...names, ...remarks, ...(assumed?.() ?? [])].join(" "));
  }
  const rows = first.lines.filter(hasFields);
  if (rows.length === 0 && !first.isWhole)
    return unreadable("The first line of this text does not end within 4 MB: it is not a table.");
  const heading = headingOf(first.lines, rows);
  if (!heading) return new FormatFailure("foreign", NO_NAMES);
  const { names, data, delimiter } = heading;
  const [line] = data;
  if (line === undefined) return unreadable(`This table has a heading and no rows. It names ${listed(names)}.`);
  const fields = data.map((row) => withoutEmptyEnd(fieldsOf(row, delimiter), names.length));
  const width = fields[0]?.length ?? 0;
  if (width !== names.length)
    return unreadable(
      `The heading of this table names ${names.length} columns, and its first row has ${many(width, "field")}. Give both the same number.`,
    );
  if (timeColumns({ names, rows: fields }))
    return unreadable(`This table has no column of values beside its time. It names ${listed(names)}.`);
  const at = namedColumns({ names, rows: fields }).unread[0] ?? names.findIndex(isTimeName);
  return unreadable(
    `The times of this table cannot be read, such as ${quotedName(fields[0]?.[at] ?? "")} in the column ${quotedName(names[at] ?? "")}. ${WRITE_TIMES}.`,
  );
}

/** The line that names a column of time, with the most columns, and the rows that follow it; undefined without one. */
function headingOf(lines: readonly string[], rows: readonly string[]) {
  const remark = headComment(lines) ?? "";
  return [
    { text: rows[0] ?? "", data: rows.slice(1) },
    { text: remark, data: rows },
  ]
    .flatMap(({ text, data }) => DELIMITERS.map((delimiter) => ({ names: fieldsOf(text, delimiter), data, delimiter })))
    .filter(({ names, data: [first = "1"], delimiter }) => {
      // Prose is not a heading: a row with numbers follows a heading that is separated by blanks.
      const isProse = delimiter === "blanks" && !fieldsOf(first, delimiter).some(isNumeric);
      return withoutEmptyEnd(names, 0).length > 1 && !isProse && names.some(isTimeName);
    })
    .toSorted((a, b) => b.names.length - a.names.length)[0];
}
