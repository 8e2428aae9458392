import { recognize, type Recognized } from "../quantity.ts";
import { isTimeName, type TimeColumns, timeColumns } from "./times.ts";

/** How the fields of a line are separated. */
export type Delimiter = "," | ";" | "\t" | "blanks";

/** What the lines of a table hold. */
export interface TableLayout {
  readonly delimiter: Delimiter;
  readonly hasDecimalComma: boolean;
  readonly time: TimeColumns;
  /** Places of columns; -1 without one. */
  readonly station: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly height: number;
  readonly numbers: readonly (Recognized & { readonly at: number })[];
  /** Number of fields of a row. */
  readonly width: number;
  /** Sentences about what was assumed. */
  readonly remarks: readonly string[];
}

const COMMENT = /^\s*(#|%|!|\/\/|\*)/;
const STATION = /^(station(_?(id|name|code))?|site(_?(id|name|code))?|stat|stn|sta|id|code|marker(_name)?|name)$/;
const LATITUDE = /^(lat|latitude)(_deg)?$/;
const LONGITUDE = /^(lon|long|longitude)(_deg)?$/;
const HEIGHT = /^(height|hgt|h|alt|altitude|elev|elevation|ellipsoidal_height|h_ell)(_m)?$/;
const UNIT = /\s*[([]\s*([^)\]]*?)\s*[)\]]\s*$|_(mm|cm|m)$/;
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;

/** Lengths of a zenith delay and of water at the Earth's surface, in metres: they tell metres from millimetres. */
const LEAST_M = { ztd: 0.5, ztd_sigma: 0, pwv: 0 } as const;
const MOST_M = { ztd: 5, ztd_sigma: 0.2, pwv: 0.15 } as const;

/** Whether a line is a remark, or the header of the columns. */
export function isComment(line: string): boolean {
  return COMMENT.test(line);
}

/**
 * The layout of a text table with a line that names its columns: the first line, or the last comment before the rows.
 *
 * @param text the beginning of the file; its last line may be cut
 * @returns null if no line names a column of time that the first row has
 */
export function tableLayout(text: string): TableLayout | null {
  const lines = text.split(/\r?\n/).slice(0, -1);
  const rows = lines.flatMap((line, i) => (line.trim() === "" || isComment(line) ? [] : [{ line, i }]));
  for (const delimiter of [";", "\t", ",", "blanks"] as const) {
    const [first, second] = rows;
    const remark = lines.slice(0, first?.i ?? 0).findLast(isComment) ?? "";
    // The names stand in the first line that is no comment, or in the last comment above it.
    const candidates = [
      first && second ? { head: first.line, row: second.line } : null,
      first && remark !== "" ? { head: remark.replace(COMMENT, ""), row: first.line } : null,
    ];
    for (const candidate of candidates) {
      const found = candidate && layoutOf(fieldsOf(candidate.head, delimiter), fieldsOf(candidate.row, delimiter));
      if (found) return { ...found, delimiter };
    }
  }
  return null;
}

/** The fields of a line. Fields between quotes keep their separators. */
export function fieldsOf(line: string, delimiter: Delimiter): string[] {
  if (delimiter === "blanks") return line.trim().split(/\s+/);
  if (!line.includes('"')) return line.split(delimiter).map((field) => field.trim());
  const fields: string[] = [];
  const pattern = new RegExp(`\\s*(?:"((?:[^"]|"")*)"|([^${delimiter}]*?))\\s*(?:${delimiter}|$)`, "y");
  for (let at = 0; at <= line.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const [whole = "", quoted, plain = ""] = pattern.exec(line) ?? [];
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (!whole.endsWith(delimiter)) break;
  }
  return fields;
}

function layoutOf(heads: readonly string[], first: readonly string[]): Omit<TableLayout, "delimiter"> | null {
  const names = heads.map((head) => plainName(head));
  if (heads.length < 2 || heads.length !== first.length || !names.some(isTimeName)) return null;
  const time = timeColumns(names, first);
  if (!time) return null;
  const find = (name: RegExp): number => names.findIndex((own, i) => name.test(own) && !time.used.includes(i));
  const places = { station: find(STATION), latitude: find(LATITUDE), longitude: find(LONGITUDE), height: find(HEIGHT) };
  const taken = new Set([...time.used, ...Object.values(places)]);
  const hasDecimalComma = first.some((field) => DECIMAL_COMMA.test(field));
  const remarks: string[] = [];
  const numbers = heads.flatMap((head, at) => {
    if (taken.has(at)) return [];
    const told = toldQuantity(head);
    const value = numberOf(first[at] ?? "", hasDecimalComma);
    const guessed = told.unit === null ? guessedUnit(told.name, value) : null;
    if (guessed !== null) remarks.push(`${told.name} has no unit: its values are taken as ${guessed}.`);
    return [{ ...recognize({ ...told, unit: told.unit ?? guessed }), at }];
  });
  return numbers.length === 0 ? null : { hasDecimalComma, time, ...places, numbers, width: heads.length, remarks };
}

function plainName(head: string): string {
  return head
    .replace(/[([].*$/, "")
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
}

function toldQuantity(head: string) {
  const [ending = "", bracketed, suffix] = UNIT.exec(head) ?? [];
  const name = (ending === "" ? head : head.slice(0, -ending.length)).trim() || head;
  return { name, unit: bracketed ?? suffix ?? null, longName: null, standardName: null };
}

/** Metres or millimetres of a quantity of ours, by the size of its first value; null for others. */
function guessedUnit(name: string, value: number): "m" | "mm" | null {
  const { variable } = recognize({ name, unit: "mm", longName: null, standardName: null }).quantity;
  if (variable === null) return null;
  if (Number.isNaN(value)) return "mm";
  return value >= LEAST_M[variable] && value <= MOST_M[variable] ? "m" : "mm";
}

const NO_VALUE = /^(|nan|na|n\/a|null|none|-|-9{3,}(\.\d*)?|\*+)$/i;

/** NaN for a sign of no value; null-like words are those of usual programs. */
export function numberOf(field: string, hasDecimalComma: boolean): number {
  const text = field.trim();
  if (NO_VALUE.test(text)) return Number.NaN;
  return Number(hasDecimalComma ? text.replace(",", ".") : text);
}

export function isNoValue(field: string): boolean {
  return NO_VALUE.test(field.trim());
}
