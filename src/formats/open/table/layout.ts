import type { ColumnRole } from "#shared/file/columns.ts";
import { isScalar, VARIABLES } from "#shared/service/variables.ts";

import { STATION_FIELDS } from "../../stationFields.ts";
import { variableOfColumn } from "../meaning/columns.ts";
import { heightColumns, stationTexts } from "../meaning/stations.ts";
import { quotedName } from "../notes.ts";
import { likeTimes, momentRemarks, timeColumns } from "../time/columns.ts";
import { timeReader } from "../time/reader.ts";
import type { TableHead } from "./heads.ts";
import { type Choice, headQuestions } from "./headQuestions.ts";
import { type NumberColumn, ofRows, unitColumns } from "./melted.ts";
import { isNumeric, notationOf } from "./notation.ts";
import {
  factsOf,
  indexByRole,
  isInMetres,
  isNoQuantity,
  placesOf,
  rolesOf,
  SATELLITE_LISTS,
  satelliteOf,
  timesByRole,
} from "./roles.ts";
import { hasOtherZone, scaleOf } from "./scale.ts";

type Fields = readonly string[];

/** What the columns of a table tell, and how. Indices of columns are -1 if absent. */
export type TableLayout = ReturnType<typeof layoutOf>;

/** Determines the layout by column names; null if no line names a time column with a valid time in one of the first rows. */
export function namedLayout(heads: readonly TableHead[]): TableLayout | null {
  for (const head of heads) {
    const times = head.header === null ? null : timeColumns(head);
    const time = times && timeReader(times, head);
    if (!time) continue;
    const places = new Map([...placesOf(head, times.values()), ...times]);
    const roles = rolesOf(head, places);
    const layout = layoutOf(head, { roles, time, chosen: null });
    if (layout.numbers.length > 0) return layout;
  }
  return null;
}

export function layoutOf(head: TableHead, { roles, time, chosen }: Choice) {
  const indices = indexByRole(roles);
  const at = (role: ColumnRole): number => indices.get(role) ?? -1;
  const station = at("station");
  const texts = stationTexts(head.names, station, (name) => !isNameOf(head.rows, station, name));
  const satellite = satelliteOf(head);
  const isOurs = ["station_id", "time"].every((name) => head.names.includes(name)) && head.names.every(isOwnName);
  const found = scaleOf(head, roles, (index) => chosen?.requested.has(index) ?? false);
  const isQuestion = "sentence" in found;
  // A place in the rows is not one of several stations in the headings.
  const pivoted = head.names.filter((_, index) => head.stations[index]).map(quotedName);
  const isOfSeveral = new Set(head.stations.flatMap((each) => each?.label ?? [])).size > 1;
  const [latitude, longitude] = isOfSeveral ? [-1, -1] : [at("latitude"), at("longitude")];
  const isPlace = latitude >= 0 && longitude >= 0;
  const named = isPlace ? heightColumns(head.names).filter((index) => isInMetres(head, index)) : [];
  const heights = [at("height"), ...named].filter(
    (index) => index >= 0 && !(chosen?.requested.has(index) && roles[index]?.role !== "height"),
  );
  const all = roles.flatMap(({ role, unit }, index): NumberColumn[] => {
    if ([...heights, ...Object.values(texts)].includes(index) || !(role === "number" || isScalar(role))) return [];
    const facts = factsOf(head, index);
    const isChosen = chosen?.requested.has(index) ?? false;
    const stated = isChosen ? { stated: { variable: isScalar(role) ? role : null, unit } } : {};
    return [{ ...facts, ...stated, at: index }];
  });
  const units = unitColumns(head, all);
  const { numbers, melted } = ofRows(head, all, units);
  const times = timesByRole(roles);
  const isOtherZone = hasOtherZone(head, [...times.values()]);
  const twins = likeTimes(head, times).filter(({ differs }) => !head.rows.some(differs));
  const variables = numbers.filter((facts) => variableOfColumn(facts) !== null);
  const described = new Set([
    satellite,
    melted?.at,
    ...units.keys(),
    ...Object.values(texts),
    ...heights,
    ...variables.map((each) => each.at),
  ]);
  const others = roles.flatMap(({ role }, index) => {
    const isFree = (role === "none" || role === "number") && !described.has(index) && !chosen?.requested.has(index);
    return isFree && isKey(head, index) ? [index] : [];
  });
  return {
    head,
    texts,
    notation: notationOf(head),
    /** Reads the time of a row, in UTC. */
    time: isQuestion ? time : (fields: Fields) => found.toUtc(time(fields), fields),
    /** Whether the time of a row can be read, and has no single UTC: the clocks of its zone show it twice or never. */
    isWithoutUtc: (fields: Fields) =>
      !isQuestion && !Number.isNaN(time(fields)) && Number.isNaN(found.toUtc(time(fields), fields)),
    /** Whether a row says of its time what the first rows do not: another zone, or another time in a column of the same name. */
    saysMore: (fields: Fields) =>
      isOtherZone(fields) ||
      twins.some(({ differs }) => differs(fields)) ||
      (melted === null && [...units.keys()].some((at) => isOtherUnit(head, at, fields[at] ?? ""))),
    /** The end of a note on the time scale. */
    timeWords: isQuestion ? "" : found.words,
    /** The time scale and where it is from, to be compared with those of other files. */
    scale: isQuestion ? found.sentence : found.evidence,
    /** The columns that tell the series of a row: station, then what tells its rows apart. */
    keys: [station, satellite, melted?.at ?? -1].filter((index) => index >= 0),
    station,
    satellite,
    latitude,
    longitude,
    heights,
    numbers,
    melted,
    /** Columns without a meaning, which may tell rows of one time apart. */
    others,
    remarks: [
      ...(head.remark === undefined ? [] : [head.remark]),
      ...(isOurs ? [] : momentRemarks(head, times, time)),
      ...pivoted.slice(0, 1).map((name) => `The names of columns, such as ${name}, tell what their series are of.`),
      ...[...units.keys()].map((at) => `The units of numbers are in ${quotedName(head.names[at] ?? "")}.`),
      ...(melted ? [`What the number of a row is, is in ${quotedName(head.names[melted.at] ?? "")}.`] : []),
    ],
    questions: [
      ...(isQuestion ? [{ ...found, isOfScale: true }] : []),
      ...headQuestions(head, { roles, time, chosen }),
    ],
    roles,
    noValue: chosen?.noValue ?? null,
    isChosen: chosen !== null,
    /** Whether this program wrote the table, so that its names are definitions. */
    isOurs,
  };
}

/** Whether a unit is another one than that of all first rows, which then are read once more. */
function isOtherUnit({ rows }: TableHead, at: number, unit: string): boolean {
  const [only = unit, ...others] = new Set(rows.map((row) => row[at]));
  return unit !== "" && unit !== only && others.length === 0;
}

function isNameOf(rows: TableHead["rows"], station: number, name: number): boolean {
  const names = Map.groupBy(rows, (row) => row[station]);
  return [...names.values()].every((own) => new Set(own.map((row) => row[name])).size === 1);
}

/** Whether a column may name stations: it has texts or whole numbers, and is not a field of a station. */
function isKey({ names, rows, facts }: TableHead, at: number): boolean {
  const name = (names[at] ?? "").toLowerCase();
  if (facts?.[at]?.isOfFormat) return false;
  if (Object.hasOwn(STATION_FIELDS, name) || isNoQuantity(names, at) || SATELLITE_LISTS.test(name)) return false;
  return rows.every((row) => {
    const field = (row[at] ?? "").trim();
    return !isNumeric(field) || /^-?\d+$/.test(field);
  });
}

function isOwnName(name: string): boolean {
  return name === "time" || Object.hasOwn(STATION_FIELDS, name) || OWN_COLUMNS.has(name) || /^cn0_\w+_dbhz$/.test(name);
}

const OWN_COLUMNS: ReadonlySet<string> = new Set(VARIABLES.map(({ column }) => column));
