import type { ChosenColumns, ColumnRole, TextTable } from "#shared/file/columns.ts";
import { isScalar } from "#shared/service/variables.ts";
import { FormatFailure } from "../../error.ts";
import { listed, quoted } from "../notes.ts";
import { namedQuantity, type RawQuantity, recognize, recognizeColumn, type Recognized } from "../columnName.ts";
import { isNoValue, isNumeric, type Notation, notationOf, numberOf, type TableHead } from "./lines.ts";
import { siteRolesByName, stationTexts, type StationTexts } from "./names.ts";
import { isTimeText, missingTimeOfDay, timeColumns, unusedColumns } from "./timeColumns.ts";
import { TIME_ROLES, type TimeReader, timeReader, timeScale } from "./times.ts";

/** Interpretation of the columns of a table. */
export interface TableLayout {
  readonly head: TableHead;
  readonly notation: Notation;
  /** Reads the time of a row, in UTC. */
  readonly time: TimeReader;
  /** The end of a note on the time scale. */
  readonly timeWords: string;
  /** Column indices; -1 if absent. */
  readonly station: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly height: number;
  readonly texts: StationTexts;
  readonly numbers: readonly (Recognized & { readonly at: number })[];
  /** Sentences about what was assumed. */
  readonly remarks: readonly string[];
  readonly roles: TextTable["roles"];
  readonly noValue: string | null;
}

type Role = TextTable["roles"][number];

const SITE_ROLES = new Set<ColumnRole>(["station", "latitude", "longitude", "height"]);

/** Determines the layout by column names; null if no line names a time column with a valid time in one of the first rows. */
export function namedLayout(heads: readonly TableHead[]): TableLayout | null {
  for (const head of heads) {
    const times = head.header === null ? null : timeColumns(head);
    const time = times && timeReader(times.columns, head);
    if (!time) continue;
    const places = new Map([...siteRolesByName(head.names, times.columns.values()), ...times.columns]);
    const remarks = unusedRemarks(head, times.unused);
    const roles = head.names.map((_, at): Role => {
      const role = [...places].find(([, place]) => place === at)?.[0];
      if (role !== undefined) return { role, unit: null };
      return isTimeText(head, at) ? { role: "none", unit: null } : byName(head, at, remarks);
    });
    const layout = layoutOf(head, roles, null);
    if (layout.numbers.length > 0) return { ...layout, ...inUtc(time, head, roles), remarks };
  }
  return null;
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
    const places = head.header === null ? new Map<ColumnRole, number>() : siteRolesByName(head.names);
    const roles = head.names.map((_, at): Role => {
      const role = [...places].find(([, place]) => place === at)?.[0];
      if (role !== undefined) return { role, unit: null };
      return hasNumbers(head, at) ? byName(head, at, []) : { role: "none", unit: null };
    });
    const numbers = head.names.filter((_, at) => hasNumbers(head, at)).length;
    if (numbers <= maxNumbers) continue;
    maxNumbers = numbers;
    best = { head, roles };
  }
  return best;
}

/** Whether at least half of a column's fields are numbers: the file may have its own notation for "no value". */
function hasNumbers({ rows }: TableHead, at: number): boolean {
  const fields = rows.map((row) => row[at] ?? "").filter((field) => !isNoValue(field));
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
  const hasTime = [...requested.values()].some(({ role }) => TIME_ROLES.has(role));
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
  const layout = layoutOf(head, roles, chosen.noValue);
  const time = timeReader(indexByRole(roles), head);
  if (!time) throw new FormatFailure("unreadable", "No column is chosen that tells the date. Choose one as time.");
  if (layout.numbers.length === 0)
    throw new FormatFailure("unreadable", "No column is chosen that has values. Choose one, for example as ztd.");
  const words = roles.flatMap(({ role, unit }, at) =>
    role === "none" || role === "number" ? [] : [`${head.names[at]} as ${role}${unit === null ? "" : ` in ${unit}`}`],
  );
  const used = new Map([...indexByRole(roles)].filter(([role]) => TIME_ROLES.has(role)));
  const unused = unusedColumns(head, used).filter((at) => !requested.has(at));
  return {
    ...layout,
    ...inUtc(time, head, roles),
    remarks: [`Columns are read as chosen: ${words.join(", ")}.`, ...unusedRemarks(head, unused)],
  };
}

/** Converts times to UTC from the scale or zone that the headings of their columns name. */
function inUtc(
  time: TimeReader,
  { names, rows }: TableHead,
  roles: readonly Role[],
): Pick<TableLayout, "time" | "timeWords"> {
  const columns = roles.flatMap(({ role }, at) => (TIME_ROLES.has(role) ? [at] : []));
  const pick = (row: readonly string[] = []): string[] => columns.map((at) => row[at] ?? "");
  const { toUtc, words } = timeScale(pick(names), pick(rows[0]));
  return { time: (fields) => toUtc(time(fields)), timeWords: words };
}

function layoutOf(
  head: TableHead,
  roles: readonly Role[],
  noValue: string | null,
): Omit<TableLayout, "time" | "timeWords"> {
  const indices = indexByRole(roles);
  const at = (role: ColumnRole): number => indices.get(role) ?? -1;
  const texts = stationTexts(head.names, at("station"));
  return {
    head,
    texts,
    notation: notationOf(head),
    station: at("station"),
    latitude: at("latitude"),
    longitude: at("longitude"),
    height: at("height"),
    numbers: roles.flatMap(({ role, unit }, index) => {
      const raw = namedQuantity(head.names[index] ?? "");
      if (role === "number" && Object.values(texts).includes(index)) return [];
      if (role === "number") return [{ ...unrecognized(raw), at: index }];
      if (!isScalar(role)) return [];
      const found = recognize({ ...raw, name: role, unit: unit ?? "mm" });
      return [{ ...found, quantity: { ...found.quantity, name: raw.name }, at: index }];
    }),
    remarks: [],
    roles,
    noValue,
  };
}

function byName(head: TableHead, at: number, remarks: string[]): Role {
  const raw = namedQuantity(head.names[at] ?? "");
  const { hasDecimalComma, ambiguous } = notationOf(head);
  const fields = head.rows.map((row) => row[at] ?? "").filter((field) => !ambiguous?.test(field));
  const values = fields.map((field) => numberOf(field, hasDecimalComma));
  const first = values.find((value) => !Number.isNaN(value)) ?? Number.NaN;
  const { quantity, factor } = recognizeColumn(raw, first, (sentence) => remarks.push(sentence));
  if (quantity.variable === null) return { role: "number", unit: null };
  const length = ({ 1: "mm", 10: "cm", 1_000: "m" } as const)[factor] ?? null;
  return { role: quantity.variable, unit: raw.unit?.startsWith("kg") ? "kg m-2" : length };
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

function unrecognized(raw: RawQuantity): Recognized {
  return { quantity: { ...raw, variable: null, conversion: null }, factor: 1 };
}
