import { defined } from "#shared/defined.ts";
import type { ChosenColumns } from "#shared/file/columns.ts";
import { RowCollector, type SeriesGroup } from "../collector/index.ts";
import { timelessName } from "../fileNames.ts";
import { answered, type Attempt } from "../meaning/answering.ts";
import { asking, unitOf } from "../meaning/ask.ts";
import type { ColumnMeaning, Question } from "../meaning/columns.ts";
import { stationNamed } from "../meaning/stations.ts";
import { createNotes, quotedName } from "../notes.ts";
import { FormatFailure } from "../../error.ts";
import type { Reading, SeriesFile } from "../types.ts";
import { chosenLayout } from "./chosen.ts";
import { namedLayout, type TableLayout } from "./layout.ts";
import { guessedTable } from "./roles.ts";
import type { TableHead } from "./heads.ts";
import { OWN_OFFSETS, TAKEN_AS_UTC } from "./scale.ts";
import { MAX_PARAMETERS } from "./melted.ts";
import { type Further, furtherOf, noTable, timeQuestion, twinQuestions } from "./questions.ts";
import { readRows } from "./rows.ts";
import type { LabelledSource } from "./source.ts";

const SHOWN_ROWS = 8;

const WORDS = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars", blanks: "blanks" } as const;

/**
 * Opens a table of any program and container with time, optional station and position, and numbers. What its columns
 * mean follows from all that the file says, or from the user's choice; what neither decides is asked.
 * @throws FormatFailure
 */
export async function describeTable(source: LabelledSource, reading: Reading): Promise<SeriesFile> {
  const guess = guessOf(source.heads);
  if (!guess) throw noTable(source);
  const { header, names } = guess.head;
  return answered(header ?? "", names, reading.choice, (chosen) => readAs(source, guess, chosen, reading));
}

async function readAs(source: LabelledSource, guess: Guess, chosen: ChosenColumns | null, reading: Reading) {
  const { head, roles } = guess;
  const { header, names, rows } = head;
  const layoutBy = (found: Guess): TableLayout | null => {
    if (chosen) return chosenLayout(found.head, found.roles, chosen);
    return "time" in found ? found : null;
  };
  const asked = (questions: readonly Question[], scale: string | null): Attempt<SeriesFile> => {
    const table = { header, names, rows: rows.slice(0, SHOWN_ROWS), roles, noValue: null };
    return { failure: asking(source.format, table, questions), said: { names, roles, questions, scale } };
  };
  try {
    let layout = layoutBy(guess);
    if (!layout) return asked([timeQuestion(source, head)], null);
    for (;;) {
      const { scale } = layout;
      const found: SeriesFile | Further = await describeRows(source, layout, reading);
      if ("rows" in found)
        return { file: found, said: { names, roles: found.table?.roles ?? roles, questions: [], scale } };
      if ("questions" in found) return asked(found.questions, scale);
      if ("key" in found) layout = withKey(layout, found.key, found.isStation);
      else layout = defined(layoutBy(defined(guessOf([{ ...layout.head, ...found.head }]))));
    }
  } catch (thrown) {
    if (!(thrown instanceof FormatFailure)) throw thrown;
    return { failure: thrown, said: { names, roles, questions: [], scale: null, refusal: thrown.error.message } };
  }
}

type Guess = TableLayout | Pick<TableLayout, "head" | "roles">;

function guessOf(heads: readonly TableHead[]): Guess | null {
  return namedLayout(heads) ?? guessedTable(heads);
}

/** @param at a column, or after them the section (see `readRows`), the place or the part of a row */
function withKey(layout: TableLayout, at: number, mayBeStation: boolean): TableLayout {
  const { names } = layout.head;
  // What several stations share does not tell them apart.
  const station = stationNamed(names[layout.station] ?? "") === "name" ? -1 : layout.station;
  const isStation = mayBeStation && station < 0 && !layout.head.stations.some((each) => each !== null);
  const by =
    at < names.length
      ? quotedName(names[at] ?? "")
      : ["what is above them", "their places", "where they begin again in time"][at - names.length];
  const words = `Rows are told apart by ${by}: ${isStation ? "it is the station" : "each of its values is a series"}.`;
  return {
    ...layout,
    station: isStation ? at : station,
    keys: [...layout.keys, at],
    others: layout.others.filter((other) => other !== at),
    numbers: layout.numbers.filter((number) => number.at !== at),
    remarks: [...layout.remarks, words],
    roles: layout.roles.map((role, i) => (i === at && isStation ? { role: "station", unit: null } : role)),
  };
}

async function describeRows(
  source: LabelledSource,
  layout: TableLayout,
  reading: Reading,
): Promise<SeriesFile | Further> {
  const { header, names, rows } = layout.head;
  const [collector, notes] = [new RowCollector(layout.numbers, reading), createNotes()];
  let isFinished = false;
  try {
    const read = await readRows(source, layout, collector, notes);
    const { stations, between, parameters, telling } = read;
    if (between.isBelowStation) return { key: names.length, isStation: true };
    if (between.later.length > 0) return { head: { comments: [...layout.head.comments, ...between.later] } };
    if (telling.length > 0) return { head: { rows: [...rows, ...telling] } };
    if (layout.melted && parameters.size > layout.melted.parameters.length)
      return { head: { parameters: parameters.size > MAX_PARAMETERS ? [] : [...parameters.values()] } };
    const areNumbers = read.numbers.areNumbers();
    const { meanings, questions } = collector.meanings((n) => areNumbers[n] === true);
    const wrong = layout.numbers.flatMap(({ at, series }, n) => (series && !meanings[n]?.series ? [at] : []));
    if (wrong.length > 0 && layout.questions.length + questions.length === 0)
      return { head: { stations: layout.head.stations.map((each, at) => (wrong.includes(at) ? null : each)) } };
    const all = [...questions, ...twinQuestions(layout, meanings)];
    const further = furtherOf(layout, read, all);
    if (further) return further;
    const sheets = new Set(source.sheets?.().map((name) => timelessName(name)));
    if (sheets.size > 1 && layout.station < 0 && !layout.keys.includes(names.length))
      return { key: names.length, isStation: false };
    if (read.isAgain && !layout.keys.includes(names.length + 2)) return { key: names.length + 2, isStation: false };
    const own = createOwnNotes(layout, meanings, source.cellOf !== undefined);
    const about = { format: source.format, title: source.title ?? null, source: source.source ?? null };
    const none: SeriesGroup = { label: source.label, stationId: null, satellite: null, position: null };
    const groupOf = (key: string, timesMs: Float64Array): SeriesGroup => {
      const group = stations.get(key) ?? none;
      return { ...group, cell: source.cellOf?.(timesMs, group.stationId) ?? null };
    };
    const found = await collector.finish(about, meanings, groupOf, notes);
    isFinished = true;
    // The user may change the units that were decided.
    const units = new Map(layout.numbers.map(({ at }, n) => [at, unitOf(meanings[n])]));
    const roles = layout.roles.map(({ role, unit }, at) => ({ role, unit: unit ?? units.get(at) ?? null }));
    const table = { header, names, rows: rows.slice(0, SHOWN_ROWS), roles, noValue: layout.noValue };
    const isDecided = (source.format === "sinex" || source.format === "cost") && !layout.isChosen;
    return { ...found, notes: [...own, ...found.notes], ...(isDecided ? {} : { table }) };
  } finally {
    if (!isFinished) collector.close();
  }
}

/** The line on what was decided, and the remarks of the layout. Names of this program need none. */
function createOwnNotes(
  { isOurs, timeWords, remarks, head: { delimiter } }: TableLayout,
  meanings: readonly (ColumnMeaning | null)[],
  isOfFormat: boolean,
): string[] {
  if (isOurs) return [...remarks];
  const decided = new Set(meanings.flatMap((each) => each?.words ?? []));
  // The format was recognized, not decided, and so was its UTC.
  const table = delimiter === null ? "a table" : `a table separated by ${WORDS[delimiter]}`;
  const stated = isOfFormat
    ? [timeWords].filter((words) => words !== TAKEN_AS_UTC && words !== OWN_OFFSETS)
    : [table, timeWords];
  const words = [...stated, ...decided].join("; ");
  return [...(words === "" ? [] : [`${words[0]?.toUpperCase()}${words.slice(1)}.`]), ...remarks];
}
