import type { ChosenColumns, ColumnRole, TextTable } from "#shared/file/columns.ts";
import { FormatFailure } from "../../error.ts";
import { listed, quoted } from "../notes.ts";
import { recognize, type Recognized } from "../quantity.ts";
import { isNoValue, numberOf, type TableHead } from "./lines.ts";
import { rolesByName, siteRolesByName } from "./names.ts";
import { TIME_ROLES, type TimeReader, timeReader } from "./times.ts";

/** What the lines of a table hold. */
export interface TableLayout {
  readonly head: TableHead;
  readonly hasDecimalComma: boolean;
  readonly time: TimeReader;
  /** Places of columns; -1 without one. */
  readonly station: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly height: number;
  readonly numbers: readonly (Recognized & { readonly at: number })[];
  /** Sentences about what was assumed. */
  readonly remarks: readonly string[];
  readonly roles: TextTable["roles"];
  readonly noValue: string | null;
}

type Role = TextTable["roles"][number];

const UNIT = /\s*[([]\s*([^)\]]*?)\s*[)\]]\s*$|_(mm|cm|m|hPa|hpa)$/;
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;
const DECIMAL_POINT = /^[+-]?\d*\.\d+$/;
const SITE_ROLES = new Set<ColumnRole>(["station", "latitude", "longitude", "height"]);
const OURS = new Set<ColumnRole>(["ztd", "ztd_sigma", "pwv"]);
/** Lengths of a zenith delay and of water at the Earth's surface, in metres: they tell metres from millimetres. */
const LEAST_M = { ztd: 0.5, ztd_sigma: 0, pwv: 0 } as const;
const MOST_M = { ztd: 5, ztd_sigma: 0.2, pwv: 0.15 } as const;

/** The layout of a table by the names of its columns; null if no line names a column of time that the first row has. */
export function namedLayout(heads: readonly TableHead[]): TableLayout | null {
  for (const head of heads) {
    const places = head.header === null ? null : rolesByName(head.names, head.rows[0] ?? []);
    const time = places && timeReader(places);
    if (!time) continue;
    const remarks: string[] = [];
    const roles = head.names.map((_, at): Role => {
      const role = [...places].find(([, place]) => place === at)?.[0];
      return role === undefined ? byName(head, at, remarks) : { role, unit: null };
    });
    const layout = layoutOf(head, roles, null);
    if (layout.numbers.length > 0) return { ...layout, time, remarks };
  }
  return null;
}

/**
 * The way to read a table that most columns of numbers speak for, and what its columns may hold.
 *
 * @returns null for a text without columns of numbers
 */
export function guessedTable(heads: readonly TableHead[]): { head: TableHead; roles: readonly Role[] } | null {
  let best: { head: TableHead; roles: readonly Role[] } | null = null;
  let most = 0;
  for (const head of heads) {
    if (head.rows.length < 2 || (head.header !== null && head.names.some((name) => isNumber(name)))) continue;
    const places = head.header === null ? new Map<ColumnRole, number>() : siteRolesByName(head.names);
    const roles = head.names.map((_, at): Role => {
      const role = [...places].find(([, place]) => place === at)?.[0];
      if (role !== undefined) return { role, unit: null };
      return hasNumbers(head, at) ? byName(head, at, []) : { role: "none", unit: null };
    });
    const numbers = head.names.filter((_, at) => hasNumbers(head, at)).length;
    if (numbers <= most) continue;
    most = numbers;
    best = { head, roles };
  }
  return best;
}

/** A file may have a sign of its own for no value: not every field need be a number. */
function hasNumbers({ rows }: TableHead, at: number): boolean {
  const fields = rows.map((row) => row[at] ?? "").filter((field) => !isNoValue(field));
  const numbers = fields.filter((field) => isNumber(field)).length;
  return numbers > 0 && 2 * numbers >= fields.length;
}

/** The way to read a table in which every chosen column is found, where its first rows do not tell one. */
export function headWith(heads: readonly TableHead[], { columns }: ChosenColumns): TableHead | null {
  return heads.find((head) => columns.every(({ column }) => placeIn(head, column) >= 0)) ?? null;
}

/** The layout that a user chose. @throws FormatFailure if it lacks a column, a time or a value */
export function chosenLayout(head: TableHead, told: readonly Role[], chosen: ChosenColumns): TableLayout {
  const wanted = new Map(chosen.columns.map(({ column, ...role }) => [placeOf(head, column), role] as const));
  const hasTime = [...wanted.values()].some(({ role }) => TIME_ROLES.has(role));
  const own = new Set([...wanted.values()].map(({ role }) => role));
  const roles = told.map((role, at): Role => {
    const found = wanted.get(at);
    if (found) return found;
    const isReplaced = TIME_ROLES.has(role.role) ? hasTime : SITE_ROLES.has(role.role) && own.has(role.role);
    return isReplaced ? { role: "none", unit: null } : role;
  });
  const twice = roles.find(({ role }, i) => isSingle(role) && roles.findIndex((other) => other.role === role) < i);
  if (twice) throw new FormatFailure("unreadable", `Two columns are chosen as ${twice.role}. Choose one of them.`);
  const layout = layoutOf(head, roles, chosen.noValue);
  const time = timeReader(placesOf(roles));
  if (!time) throw new FormatFailure("unreadable", "No column is chosen that tells the date. Choose one as time.");
  if (layout.numbers.length === 0)
    throw new FormatFailure("unreadable", "No column is chosen that has values. Choose one, for example as ztd.");
  const words = roles.flatMap(({ role, unit }, at) =>
    role === "none" || role === "number" ? [] : [`${head.names[at]} as ${role}${unit === null ? "" : ` in ${unit}`}`],
  );
  return { ...layout, time, remarks: [`Columns are read as chosen: ${words.join(", ")}.`] };
}

function layoutOf(head: TableHead, roles: readonly Role[], noValue: string | null): Omit<TableLayout, "time"> {
  const places = placesOf(roles);
  const at = (role: ColumnRole): number => places.get(role) ?? -1;
  return {
    head,
    hasDecimalComma: hasDecimalComma(head),
    station: at("station"),
    latitude: at("latitude"),
    longitude: at("longitude"),
    height: at("height"),
    numbers: roles.flatMap(({ role, unit }, place) => {
      const told = toldQuantity(head.names[place] ?? "");
      if (role === "number") return [{ ...unrecognized(told), at: place }];
      if (!OURS.has(role)) return [];
      const found = recognize({ ...told, name: role, unit: unit ?? "mm" });
      return [{ ...found, quantity: { ...found.quantity, name: told.name }, at: place }];
    }),
    remarks: [],
    roles,
    noValue,
  };
}

/** The first rows may have no value: a comma is expected then wherever it separates no fields. */
function hasDecimalComma({ delimiter, rows }: TableHead): boolean {
  const has = (pattern: RegExp): boolean => rows.some((row) => row.some((field) => pattern.test(field)));
  return has(DECIMAL_COMMA) || (delimiter !== "," && !has(DECIMAL_POINT));
}

function byName(head: TableHead, at: number, remarks: string[]): Role {
  const told = toldQuantity(head.names[at] ?? "");
  const { variable } = recognize({ ...told, unit: "mm" }).quantity;
  if (variable === null) return { role: "number", unit: null };
  const values = head.rows.map((row) => numberOf(row[at] ?? "", hasDecimalComma(head)));
  const guessed = guessedUnit(variable, values.find((value) => !Number.isNaN(value)) ?? Number.NaN);
  if (told.unit === null) remarks.push(`${told.name} has no unit: its values are taken as ${guessed}.`);
  const { quantity, factor } = recognize({ ...told, unit: told.unit ?? guessed });
  if (quantity.variable === null) return { role: "number", unit: null };
  const length = ({ 1: "mm", 10: "cm", 1_000: "m" } as const)[factor] ?? null;
  return { role: variable, unit: told.unit?.startsWith("kg") ? "kg m-2" : length };
}

function placeOf(head: TableHead, column: number | string): number {
  const place = placeIn(head, column);
  if (place >= 0) return place;
  throw new FormatFailure(
    "unreadable",
    `There is no column ${quoted(String(column))}. There are ${listed(head.names)}.`,
  );
}

/** -1 if there is no such column. */
function placeIn({ names }: TableHead, column: number | string): number {
  if (typeof column === "number" && column < names.length) return column;
  const plain = String(column).toLowerCase();
  const named = names.findIndex((name) => name.toLowerCase() === plain);
  if (named >= 0) return named;
  const place = Number(column) - 1;
  return Number.isInteger(place) && place >= 0 && place < names.length ? place : -1;
}

function placesOf(roles: readonly Role[]): Map<ColumnRole, number> {
  return new Map(roles.map(({ role }, at) => [role, at]));
}

function isSingle(role: ColumnRole): boolean {
  return TIME_ROLES.has(role) || SITE_ROLES.has(role);
}

function isNumber(field: string): boolean {
  return !Number.isNaN(numberOf(field, DECIMAL_COMMA.test(field)));
}

function toldQuantity(head: string) {
  const [ending = "", bracketed, suffix] = UNIT.exec(head) ?? [];
  const name = (ending === "" ? head : head.slice(0, -ending.length)).trim() || head;
  return { name, unit: bracketed ?? suffix ?? null, longName: null, standardName: null };
}

function unrecognized(told: ReturnType<typeof toldQuantity>): Recognized {
  return { quantity: { ...told, variable: null, conversion: null }, factor: 1 };
}

/** Metres or millimetres of a quantity of ours, by the size of its first value. */
function guessedUnit(variable: keyof typeof LEAST_M, value: number): "m" | "mm" {
  return value >= LEAST_M[variable] && value <= MOST_M[variable] ? "m" : "mm";
}
