import { type ColumnRole, type TextTable, TIME_ROLES } from "#shared/file/columns.ts";
import { unitNamed, unitInName } from "#shared/file/units.ts";
import { isScalar, variableInfo } from "#shared/service/variables.ts";
import { STATION_FIELDS } from "../../stationFields.ts";
import { type ColumnFacts, variableOfColumn } from "../meaning/columns.ts";
import { isNoValueWord } from "../meaning/noValue.ts";
import { variableOf } from "../meaning/quantities.ts";
import { isVariable, withoutLevels } from "../meaning/stationHeadings.ts";
import { isVague, signOfDegrees, siteRolesByName } from "../meaning/stations.ts";
import { metresIn } from "../sites.ts";
import { isTimeText } from "../time/columns.ts";
import { isTimeName, isZoneName } from "../time/names.ts";
import { decimalOf } from "../time/ofDay.ts";
import { unitInComments } from "./unitRows.ts";
import type { TableHead } from "./heads.ts";
import { isNumeric } from "./notation.ts";

export type Role = TextTable["roles"][number];

export const SITE_ROLES = new Set<ColumnRole>(["station", "latitude", "longitude", "height"]);

export const SATELLITE_LISTS = /^(prn|el_deg|az_deg|cn0_dbhz)$/i;

/** “Estación” is a season, too. */
const SEASON =
  /^(djf|mam|jja|son|winter|spring|summer|autumn|fall|invierno|primavera|verano|otoño|inverno|ver[aã]o|outono|hivern|estiu|tardor)$/i;

export function hasQuantities({ rows }: TableHead, at: number): boolean {
  return rows.some((row) => isVariable(row[at] ?? ""));
}

export function placesOf(head: TableHead, taken: Iterable<number>): Map<ColumnRole, number> {
  const { names, rows } = head;
  const times = [...taken];
  const distinct = (at: number): number => new Set(rows.map((row) => row[at])).size;
  const isRowNumber = (at: number): boolean =>
    rows.length > 2 &&
    rows.every((row) => /^\d+$/.test(row[at] ?? "")) &&
    distinct(at) === rows.length &&
    times.some((time) => distinct(time) > 1);
  const isOther = (at: number): boolean =>
    isRowNumber(at) ||
    rows.every((row) => isVague(names[at] ?? "", row[at] ?? "")) ||
    rows.every((row) => SEASON.test(row[at] ?? "")) ||
    hasQuantities(head, at);
  const found = siteRolesByName(names, times, isOther);
  const isFitting = ([role, at]: readonly [ColumnRole, number]): boolean => {
    if (role === "station") return true;
    return role === "height" ? isInMetres(head, at) : signOfDegrees(placeUnit(head, at)) !== null;
  };
  const places = new Map([...found].filter(isFitting));
  if (mayBeRadians(head, places)) for (const role of ["latitude", "longitude"] as const) places.delete(role);
  // A height alone is a quantity, as in a sounding.
  if (!places.has("latitude") || !places.has("longitude")) places.delete("height");
  return places;
}

/** Whether positions name no unit, and none of the first ones is one in degrees alone. */
function mayBeRadians(head: TableHead, places: ReadonlyMap<ColumnRole, number>): boolean {
  const columns = [places.get("latitude") ?? -1, places.get("longitude") ?? -1];
  const isNamed = columns.some((at) => at < 0 || unitNamed(placeUnit(head, at))?.name === "degree");
  const isSmall = columns.every((at, i) =>
    head.rows.every((row) => Math.abs(decimalOf(row[at])) <= (i + 1) * (Math.PI / 2)),
  );
  return !isNamed && isSmall;
}

/** Whether no other unit of heights is stated: brackets may also name what a height is above. */
export function isInMetres(head: TableHead, at: number): boolean {
  return metresIn(placeUnit(head, at)) === 1;
}

/** The stated unit or direction of a column of a place; empty if none is stated. */
export function placeUnit({ names, units }: TableHead, at: number): string {
  const name = (names[at] ?? "").trim();
  return (unitInName(name).unit ?? /[([]([^)\]]*)[)\]]\s*$/.exec(name)?.[1] ?? units[at] ?? "").trim();
}

export function rolesOf(head: TableHead, places: ReadonlyMap<ColumnRole, number>): Role[] {
  const satellite = satelliteOf(head);
  return head.names.map((name, at): Role => {
    const role = [...places].find(([, place]) => place === at)?.[0];
    if (role !== undefined) return { role, unit: null };
    // A list of an export has a value for each satellite.
    const isList = satellite < 0 && SATELLITE_LISTS.test(name);
    const isOther = at === satellite || isList || isTimeText(head, at) || isNoQuantity(head.names, at);
    if (isOther || (Object.hasOwn(STATION_FIELDS, name.toLowerCase()) && name !== "height_reference"))
      return { role: "none", unit: null };
    return byName(head, at);
  });
}

/** The column with a satellite in each row. Beside lists of C/N0, it has lists of satellites, too. */
export function satelliteOf({ names, rows }: TableHead): number {
  if (names.some((name) => /^cn0_dbhz$/i.test(name))) return -1;
  return names.findIndex(
    (name, at) =>
      /^(prn|svn?|sat(ellite)?([_ ]?id)?)$/i.test(name) && rows.every((row) => /^[A-Z]\d{2,3}$/.test(row[at] ?? "")),
  );
}

/** Zones, parts of a date that is told otherwise, row numbers that pandas, R and data loggers (TOA5) write, and what InfluxDB calls and numbers its tables. */
export function isNoQuantity(names: readonly string[], at: number): boolean {
  const name = (names[at] ?? "").trim();
  return (
    isZoneName(name) ||
    /^(year|month|day|doy|hour|minute|second|index|unnamed: 0|__index_level_\d+__|level_\d+|record|)$/i.test(name) ||
    (names.includes("_time") && /^(result|table)$/.test(name))
  );
}

function byName(head: TableHead, at: number): Role {
  const { fitting } = head.stations[at] ?? {};
  if (fitting) return fitting;
  const facts = factsOf(head, at);
  const role = variableOfColumn(facts);
  const unit = unitNamed(facts.raw.unit ?? facts.units?.[0]?.unit ?? "")?.name ?? null;
  if (role === null) return { role: "number", unit: null };
  return { role, unit: unit !== null && ["mm", "cm", "m", "kg m-2"].includes(unit) ? unit : null };
}

export function factsOf(head: TableHead, at: number): ColumnFacts {
  const { names, units, endings, stations, facts, comments } = head;
  const heading = (names[at] ?? "").trim();
  const described = facts?.[at];
  if (described) return described;
  const { quantity = "", label, stationId } = stations[at] ?? {};
  const { name, unit } = unitInName((quantity || withoutLevels(heading)).trim());
  const raw = { name, unit, longName: head.own?.[at] ?? longNameOf(name), standardName: null };
  if (isOfMean(names, name)) return { heading, raw, unitBy: "its name", stated: { variable: null, unit } };
  const variable = variableOf(raw);
  const others = [
    { unit: units[at] ?? null, by: endings?.[at] ? "its fields" : "the row of units" },
    { unit: unitInComments(comments, name, variable), by: "a comment" },
  ].flatMap(({ unit: other, by }) => (other === null ? [] : [{ unit: other, by }]));
  return {
    heading,
    raw,
    unitBy: "its name",
    units: others,
    ...(label !== undefined && stationId !== undefined ? { series: { label, stationId } } : {}),
  };
}

/** Whether a deviation is beside the mean of the same values, so that it is not a formal uncertainty: `ztd_mean`, `ztd_std`. */
function isOfMean(names: readonly string[], name: string): boolean {
  const [quantity] = without(/[_. ](std|stdev|stddev|sd)$/, [name]);
  return quantity !== undefined && without(/[_. ](mean|avg)$/, names).includes(quantity);
}

/** The names with a word at their end, without it and their units. */
function without(word: RegExp, names: readonly string[]): string[] {
  const plain = names.map((each) => unitInName(each).name.toLowerCase());
  return plain.filter((each) => word.test(each)).map((each) => each.replace(word, ""));
}

function longNameOf(name: string): string | null {
  const own = name.toLowerCase();
  return isScalar(own) ? variableInfo(own).label : null;
}

/** Chooses the interpretation with the most columns of numbers, and guesses the roles of the columns; null without any. */
export function guessedTable(heads: readonly TableHead[]): { head: TableHead; roles: readonly Role[] } | null {
  const found = heads.flatMap((head) => {
    const { header, names, rows } = head;
    if (rows.length < 2 || (header !== null && names.some(isNumeric))) return [];
    const numbers = names.filter((_, at) => hasNumbers(head, at)).length;
    return [{ head, size: numbers + (header !== null && names.some(isTimeName) ? 0.5 : 0) }];
  });
  const { head = null, size = 0 } = found.toSorted((a, b) => b.size - a.size)[0] ?? {};
  if (head === null || size === 0) return null;
  const places = head.header === null ? new Map<ColumnRole, number>() : placesOf(head, []);
  const isShown = (role: ColumnRole, at: number): boolean => SITE_ROLES.has(role) || hasNumbers(head, at);
  return {
    head,
    roles: rolesOf(head, places).map((each, at) => (isShown(each.role, at) ? each : { role: "none", unit: null })),
  };
}

/** Whether at least half of a column's fields are numbers: the file may have its own notation for "no value". */
function hasNumbers({ rows }: TableHead, at: number): boolean {
  const fields = rows.map((row) => row[at] ?? "").filter((field) => !isNoValueWord(field));
  const numbers = fields.filter((field) => isNumeric(field)).length;
  return numbers > 0 && 2 * numbers >= fields.length;
}

export function timesByRole(roles: readonly Role[]): Map<ColumnRole, number> {
  return new Map([...indexByRole(roles)].filter(([role]) => TIME_ROLES.has(role)));
}

export function indexByRole(roles: readonly Role[]): Map<ColumnRole, number> {
  return new Map(roles.map(({ role }, at) => [role, at]));
}
