import type { ChosenColumn, ChosenColumns, ColumnRole, TextTable } from "#shared/file/columns.ts";
import { isScalar, variableInfo, VARIABLES } from "#shared/service/variables.ts";
import { FormatFailure } from "../../error.ts";
import { SECOND_MS } from "#shared/time/utc.ts";
import { INTERVAL_COLUMN, STATION_FIELDS } from "../../stationFields.ts";
import type { ColumnFacts, Question } from "../meaning/columns.ts";
import { isNoValueWord } from "../meaning/noValue.ts";
import { heightColumns, siteRolesByName, stationTexts, type StationTexts } from "../meaning/stations.ts";
import { unitNamed, unitInName } from "#shared/file/units.ts";
import { variableOfColumn } from "../meaning/columns.ts";
import { listed, quoted } from "../notes.ts";
import { isNumeric, type Notation, notationOf, type TableHead } from "./lines.ts";
import {
  endColumn,
  isTimeName,
  isTimeText,
  missingTimeOfDay,
  type TimeColumns,
  timeColumns,
  unusedColumns,
} from "./timeColumns.ts";
import { tableScale } from "./timeScale.ts";
import { DATE_ORDERS, momentIn, TIME_ROLES, type TimeReader, timeReader } from "./times.ts";

/** Interpretation of the columns of a table. */
export interface TableLayout {
  readonly head: TableHead;
  readonly notation: Notation;
  /** Reads the time of a row, in UTC. */
  readonly time: TimeReader;
  /** The end of a note on the time scale. */
  readonly timeWords: string;
  /** Indices of the columns that tell the series of a row: station, then what tells its rows apart. */
  readonly keys: readonly number[];
  /** Column indices; -1 if absent. */
  readonly station: number;
  readonly satellite: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Above one surface or several. */
  readonly heights: readonly number[];
  readonly texts: StationTexts;
  readonly numbers: readonly NumberColumn[];
  /** Columns without a meaning, which may tell rows of one time apart. */
  readonly others: readonly number[];
  /** Sentences about what was assumed. */
  readonly remarks: readonly string[];
  readonly questions: readonly Question[];
  readonly roles: TextTable["roles"];
  readonly noValue: string | null;
  /** Whether this program wrote the table, so that its names are definitions. */
  readonly isOurs: boolean;
}

interface NumberColumn extends ColumnFacts {
  readonly at: number;
  /** Reads a number that is no field; absent: the field is the number. */
  readonly read?: (fields: readonly string[]) => number;
}

type Role = TextTable["roles"][number];

const SITE_ROLES = new Set<ColumnRole>(["station", "latitude", "longitude", "height"]);
const SATELLITE_LISTS = /^(prn|el_deg|az_deg|cn0_dbhz)$/;
/** Long names for single satellites. */
const ONE_SATELLITE: Partial<Record<string, string>> = {
  el: "Elevation of the satellite",
  az: "Azimuth of the satellite",
};

/** Determines the layout by column names; null if no line names a time column with a valid time in one of the first rows. */
export function namedLayout(heads: readonly TableHead[]): TableLayout | null {
  for (const head of heads) {
    const times = head.header === null ? null : timeColumns(head);
    const time = times && timeReader(times.columns, head);
    if (!time) continue;
    const places = new Map([...placesOf(head, times.columns.values()), ...times.columns]);
    const roles = rolesOf(head, places);
    const layout = layoutOf(head, { roles, time, chosen: null });
    if (hasValues(layout))
      return { ...layout, remarks: [...byContent(head, times), ...unusedRemarks(head, unused(layout, times.unused))] };
  }
  return null;
}

/** The unused columns of times, without the end of intervals. */
function unused({ numbers }: TableLayout, columns: readonly number[]): number[] {
  return columns.filter((column) => !numbers.some(({ at, read }) => read !== undefined && at === column));
}

function hasValues({ numbers }: TableLayout): boolean {
  return numbers.some(({ read }) => read === undefined);
}

/** Remarks on times that are known by their fields alone. */
function byContent({ names, rows }: TableHead, { columns }: TimeColumns): string[] {
  const [role, at = -1] = [...columns].find(([each]) => DATE_ORDERS.some((order) => order === each)) ?? [];
  if (role === undefined) return [];
  const name = quoted(names[at] ?? "");
  const isNamed = [...columns.values()].some((index) => isTimeName(names[index] ?? ""));
  const remarks = isNamed ? [] : [`${name} is the time, because no other column has dates.`];
  if (role === "time") return remarks;
  const other = role === "dayFirst" ? "monthFirst" : "dayFirst";
  const proof = rows.map((row) => row[at] ?? "").find((field) => Number.isNaN(momentIn(other, field))) ?? "";
  const first = role === "dayFirst" ? "day" : "month";
  return [...remarks, `Dates in ${name} start with the ${first}, as ${quoted(proof)} shows.`];
}

function placesOf(head: TableHead, taken: Iterable<number>): Map<ColumnRole, number> {
  const { names, rows } = head;
  const times = [...taken];
  const distinct = (at: number): number => new Set(rows.map((row) => row[at])).size;
  const isRowNumber = (at: number): boolean =>
    rows.length > 2 &&
    rows.every((row) => /^\d+$/.test(row[at] ?? "")) &&
    distinct(at) === rows.length &&
    times.some((time) => distinct(time) > 1);
  return siteRolesByName(names, times, isRowNumber);
}

function rolesOf(head: TableHead, places: ReadonlyMap<ColumnRole, number>): Role[] {
  const satellite = satelliteOf(head.names);
  return head.names.map((name, at): Role => {
    const role = [...places].find(([, place]) => place === at)?.[0];
    if (role !== undefined) return { role, unit: null };
    const isOther = at === satellite || isList(name, satellite) || isTimeText(head, at) || isIndex(name);
    if (isOther || (Object.hasOwn(STATION_FIELDS, name.toLowerCase()) && name !== "height_reference"))
      return { role: "none", unit: null };
    return byName(head, at);
  });
}

/** The column of satellites of an export: identifiers before the elevations of one. */
function satelliteOf(names: readonly string[]): number {
  const plain = names.map((name) => name.toLowerCase());
  const at = plain.indexOf("prn");
  return at >= 0 && !plain.includes("cn0_dbhz") && at < plain.indexOf("el_deg") ? at : -1;
}

/** Whether a column of an export has lists with one value per satellite. */
function isList(name: string, satellite: number): boolean {
  return satellite < 0 && SATELLITE_LISTS.test(name.toLowerCase());
}

/** Row numbers that pandas writes. */
function isIndex(name: string): boolean {
  return /^(|index|unnamed: 0|__index_level_\d+__|level_\d+)$/i.test(name.trim());
}

function byName(head: TableHead, at: number): Role {
  const facts = factsOf(head, at);
  const role = variableOfColumn(facts);
  const unit = unitNamed(facts.raw.unit ?? head.units[at] ?? "")?.name ?? null;
  if (role === null) return { role: "number", unit: null };
  return { role, unit: unit !== null && ["mm", "cm", "m", "kg m-2"].includes(unit) ? unit : null };
}

function factsOf({ names, units, about }: TableHead, at: number): ColumnFacts {
  const heading = (names[at] ?? "").trim();
  const described = about?.[at];
  if (described) return { heading, raw: described, unitBy: "its units" };
  const { name, unit } = unitInName(heading);
  const raw = { name, unit, longName: longNameOf(name), standardName: null };
  const other = units[at] ?? null;
  return { heading, raw, unitBy: "its name", units: other === null ? [] : [{ unit: other, by: "the row of units" }] };
}

function longNameOf(name: string): string | null {
  const own = name.toLowerCase();
  const band = /^cn0_(.+)$/.exec(own)?.[1];
  const known = isScalar(own) ? variableInfo(own).label : ONE_SATELLITE[own];
  return known ?? (band === undefined ? null : `C/N0, band ${band}`);
}

function unusedRemarks({ names }: TableHead, unused: readonly number[]): string[] {
  if (unused.length === 0) return [];
  const columns = listed(unused.map((at) => names[at] ?? ""));
  return [`Columns that are named like a time are not used for it, because they tell another one or none: ${columns}.`];
}

/**
 * Chooses the interpretation with the most number columns, and guesses the roles of the columns.
 *
 * @returns null for a text without number columns
 */
export function guessedTable(heads: readonly TableHead[]): { head: TableHead; roles: readonly Role[] } | null {
  let best: { head: TableHead; roles: readonly Role[] } | null = null;
  let maxNumbers = 0;
  for (const head of heads) {
    if (head.rows.length < 2 || (head.header !== null && head.names.some((name) => isNumeric(name)))) continue;
    const places = head.header === null ? new Map<ColumnRole, number>() : placesOf(head, []);
    const roles = rolesOf(head, places).map((role, at): Role =>
      SITE_ROLES.has(role.role) || hasNumbers(head, at) ? role : { role: "none", unit: null },
    );
    const numbers = head.names.filter((_, at) => hasNumbers(head, at)).length;
    if (numbers <= maxNumbers) continue;
    maxNumbers = numbers;
    best = { head, roles };
  }
  return best;
}

/** Whether at least half of a column's fields are numbers: the file may have its own notation for "no value". */
function hasNumbers({ rows }: TableHead, at: number): boolean {
  const fields = rows.map((row) => row[at] ?? "").filter((field) => !isNoValueWord(field));
  const numbers = fields.filter((field) => isNumeric(field)).length;
  return numbers > 0 && 2 * numbers >= fields.length;
}

/** Returns the first interpretation that has all chosen columns, or null. */
export function headWith(heads: readonly TableHead[], { columns }: ChosenColumns): TableHead | null {
  return heads.find((head) => columns.every(({ column }) => findColumn(head, column) >= 0)) ?? null;
}

/** Returns the layout chosen by the user. @throws FormatFailure if it lacks a column, a time or a value */
export function chosenLayout(head: TableHead, guessed: readonly Role[], chosen: ChosenColumns): TableLayout {
  const requested = new Map<number, Role>(
    chosen.columns.map(({ column, ...role }) => [columnIndex(head, column), role] as const),
  );
  const ofDay = missingTimeOfDay(head, new Map([...requested].map(([at, { role }]) => [role, at] as const)));
  if (![...ofDay.values()].some((at) => requested.has(at)))
    for (const [role, at] of ofDay) requested.set(at, { role, unit: null });
  // A choice of the time scale alone keeps the other columns of the time.
  const hasTime = [...requested].some(([at, { role }]) => TIME_ROLES.has(role) && guessed[at]?.role !== role);
  const own = new Set([...requested.values()].map(({ role }) => role));
  const roles = guessed.map((role, at): Role => {
    const found = requested.get(at);
    if (found) return found;
    const isReplaced = TIME_ROLES.has(role.role) ? hasTime : SITE_ROLES.has(role.role) && own.has(role.role);
    return isReplaced ? { role: "none", unit: null } : role;
  });
  const duplicate = roles.find(({ role }, i) => isSingle(role) && roles.findIndex((other) => other.role === role) < i);
  if (duplicate)
    throw new FormatFailure("unreadable", `Two columns are chosen as ${duplicate.role}. Choose one of them.`);
  const time = timeReader(indexByRole(roles), head);
  if (!time) throw new FormatFailure("unreadable", "No column is chosen that tells the date. Choose one as time.");
  const layout = layoutOf(head, { roles, time, chosen: { requested, noValue: chosen.noValue } });
  if (!hasValues(layout))
    throw new FormatFailure("unreadable", "No column is chosen that has values. Choose one, for example as ztd.");
  const words = roles.flatMap(({ role, unit }, at) =>
    role === "none" || role === "number" ? [] : [`${head.names[at]} as ${role}${unit === null ? "" : ` in ${unit}`}`],
  );
  const used = new Map([...indexByRole(roles)].filter(([role]) => TIME_ROLES.has(role)));
  const unused = unusedColumns(head, used).filter((at) => !requested.has(at));
  return { ...layout, remarks: [`Columns are read as chosen: ${words.join(", ")}.`, ...unusedRemarks(head, unused)] };
}

interface Choice {
  readonly roles: readonly Role[];
  /** Reads times in the scale of the table. */
  readonly time: TimeReader;
  readonly chosen: { readonly requested: ReadonlyMap<number, Role>; readonly noValue: string | null } | null;
}

function layoutOf(head: TableHead, { roles, time, chosen }: Choice): TableLayout {
  const indices = indexByRole(roles);
  const at = (role: ColumnRole): number => indices.get(role) ?? -1;
  const station = at("station");
  const texts = stationTexts(head.names, station);
  const satellite = satelliteOf(head.names);
  const isOurs = isExported(head.names);
  const found = scaleOf(head, roles);
  const isQuestion = "sentence" in found;
  const heights = [at("height"), ...heightColumns(head.names)].filter(
    (index) => index >= 0 && !(chosen?.requested.has(index) && roles[index]?.role !== "height"),
  );
  const numbers = roles.flatMap(({ role, unit }, index): NumberColumn[] => {
    if ([...heights, ...Object.values(texts)].includes(index) || !(role === "number" || isScalar(role))) return [];
    const facts = factsOf(head, index);
    const isChosen = chosen?.requested.has(index) ?? false;
    const stated = isChosen ? { stated: { variable: isScalar(role) ? role : null, unit } } : {};
    return [{ ...facts, ...stated, at: index }];
  });
  const end = endColumn(head, time);
  if (end && !chosen?.requested.has(end.at)) numbers.push(lengthColumn(end, time));
  const described = new Set([satellite, ...Object.values(texts), ...numbers.filter(isVariable).map((each) => each.at)]);
  const others = roles.flatMap(({ role }, index) => {
    const isFree = (role === "none" || role === "number") && !described.has(index) && !chosen?.requested.has(index);
    return isFree && isKey(head, index) ? [index] : [];
  });
  return {
    head,
    texts,
    notation: notationOf(head),
    time: isQuestion ? time : (fields) => found.scale.toUtc(time(fields)),
    timeWords: isQuestion ? "" : found.words,
    keys: [station, satellite].filter((index) => index >= 0),
    station,
    satellite,
    latitude: at("latitude"),
    longitude: at("longitude"),
    heights,
    numbers,
    others,
    remarks: [],
    questions: isQuestion ? [found] : [],
    roles,
    noValue: chosen?.noValue ?? null,
    isOurs,
  };
}

/** The length of the interval that begins at the time of a row, as a column of an export has it. */
function lengthColumn({ at, read: end }: { at: number; read: TimeReader }, time: TimeReader): NumberColumn {
  const raw = { name: INTERVAL_COLUMN, unit: null, longName: null, standardName: null };
  const read: TimeReader = (fields) => (end(fields) - time(fields)) / SECOND_MS;
  return { heading: INTERVAL_COLUMN, raw, unitBy: "its name", at, read };
}

function isVariable(facts: ColumnFacts): boolean {
  return variableOfColumn(facts) !== null;
}

/** Whether a column may name stations: it has texts or whole numbers, and is not a field of a station. */
function isKey({ names, rows }: TableHead, at: number): boolean {
  const name = (names[at] ?? "").toLowerCase();
  if (Object.hasOwn(STATION_FIELDS, name) || isIndex(name) || SATELLITE_LISTS.test(name)) return false;
  return rows.every((row) => {
    const field = (row[at] ?? "").trim();
    return !isNumeric(field) || /^-?\d+$/.test(field);
  });
}

/** Whether all names are those of an export of this program. */
function isExported(names: readonly string[]): boolean {
  return names.includes("station_id") && names.includes("time") && names.every(isOwnName);
}

function isOwnName(name: string): boolean {
  return name === "time" || Object.hasOwn(STATION_FIELDS, name) || OWN_COLUMNS.has(name) || /^cn0_\w+_dbhz$/.test(name);
}

const OWN_COLUMNS: ReadonlySet<string> = new Set(VARIABLES.map(({ column }) => column));

function scaleOf({ names, rows, units, comments, withoutScale }: TableHead, roles: readonly Role[]) {
  const columns = roles.flatMap(({ role }, at) => (TIME_ROLES.has(role) ? [at] : []));
  const pick = (row: readonly string[] = []): string[] => columns.map((at) => row[at] ?? "");
  const dated = columns.find((at) => !["clock", "halfDay", "hour", "minute", "second"].includes(roles[at]?.role ?? ""));
  const column: Pick<ChosenColumn, "column" | "role"> = {
    column: names[dated ?? 0] ?? "",
    role: roles[dated ?? 0]?.role ?? "time",
  };
  return tableScale({
    column,
    headings: pick(names),
    units: columns.map((at) => units[at] ?? null),
    comments,
    withoutScale: withoutScale ?? null,
    fields: pick(rows[0]),
    isGpsWeek: roles.some(({ role }) => role === "gpsWeek"),
    chosen: columns.map((at) => roles[at]?.unit ?? null).find((unit) => unit !== null) ?? null,
  });
}

function columnIndex(head: TableHead, column: number | string): number {
  const index = findColumn(head, column);
  if (index >= 0) return index;
  throw new FormatFailure(
    "unreadable",
    `There is no column ${quoted(String(column))}. There are ${listed(head.names)}.`,
  );
}

/** Returns -1 if there is no such column. */
function findColumn({ names }: TableHead, column: number | string): number {
  if (typeof column === "number" && column < names.length) return column;
  const plain = String(column).toLowerCase();
  const named = names.findIndex((name) => name.toLowerCase() === plain);
  if (named >= 0) return named;
  const index = Number(column) - 1;
  return Number.isInteger(index) && index >= 0 && index < names.length ? index : -1;
}

function indexByRole(roles: readonly Role[]): Map<ColumnRole, number> {
  return new Map(roles.map(({ role }, at) => [role, at]));
}

function isSingle(role: ColumnRole): boolean {
  return TIME_ROLES.has(role) || SITE_ROLES.has(role);
}
