import { unitInName } from "#shared/file/units.ts";
import { isNoValueWord } from "../meaning/noValue.ts";
import { STATISTICS } from "../meaning/quantities.ts";
import { stationNamed } from "../meaning/stations.ts";
import { momentOf } from "../time/moment.ts";
import { isTimeName } from "../time/names.ts";
import { isNumeric } from "./notation.ts";
import { type Delimiter, toWidth } from "./records.ts";
import { isUnit } from "./unitRows.ts";

// Names of columns in several records.

/**
 * Whether the record behind those of a heading has words below some names of the first one, and nothing below its first name:
 * words of no other row, above numbers.
 */
export function isContinued(records: readonly (readonly string[])[], count: number): boolean {
  const [names = [], below = []] = [records[0], records[count]];
  const rows = records.slice(count + 1);
  const words = below.flatMap((field, at) => (field.trim() === "" ? [] : [{ field, at }]));
  const isNamed = (at: number): boolean => records.slice(0, count + 1).some((level) => (level[at] ?? "").trim() !== "");
  const isWide = below.length === names.length && [...names.keys()].every(isNamed);
  const isHeading = words.some(({ at }) => rows.some((row) => isNumeric(row[at] ?? "")));
  return (
    isWide &&
    isHeading &&
    below[0] === "" &&
    words.some(({ field }) => !isUnit(field)) &&
    words.every(({ field, at }) => isWord(field) && !rows.some((row) => row[at] === field))
  );
}

function isWord(field: string): boolean {
  return /\p{L}/u.test(field) && !isNumeric(field) && !isNoValueWord(field) && Number.isNaN(momentOf(field));
}

/**
 * Joins the names in the records of a heading, as pandas writes those of several levels: a last one may name the columns of
 * the index alone, and merged cells a group of columns. Empty if the records are of other widths, or rows.
 *
 * @param titles number of records with a single cell above them
 */
export function stackedNames(
  { delimiter, records }: { readonly delimiter: Delimiter | null; readonly records: readonly string[][] },
  titles: number,
  count: number,
): string[] {
  const stored = records.slice(titles, count);
  const width = delimiter === null ? Math.max(...stored.map((level) => level.length)) : 0;
  const levels = stored.map((level) => toWidth([...level], width));
  const [first = [], last = []] = [levels[0], levels.at(-1)];
  const isHeading = levels.every((level) => level.length === first.length && !level.some(isNumeric));
  if (delimiter === "blanks" || levels.length < 2 || !isHeading) return [];
  const isOfIndex = last[0] !== "" && last.includes("");
  return first.map((_, at) => {
    // What is above the times of a table beside others is of all its columns.
    const isAside = levels.slice(0, -1).every((level) => !level[at] || (!level[at + 1] && !isTimeName(level[at])));
    if (isAside && isTimeName(last[at] ?? "")) return last[at] ?? "";
    if (isOfIndex && last[at] && last.indexOf(last[at]) === last.lastIndexOf(last[at])) return last[at];
    const parts = levels.map((level, depth) => {
      const below = levels[depth + 1];
      const group = level.findLastIndex((name, i) => i <= at && name !== "");
      const next = level.findIndex((name, i) => i > at && name !== "");
      // A word is also of the columns behind it that others would have the names of otherwise, and of those between them;
      // of all, if it makes them other quantities.
      const own = below?.slice(0, next < 0 ? below.length : next);
      const isTold = own?.some((_, i) => i >= at && isTwin(below ?? [], i)) || OF_STATISTIC.test(level[group] ?? "");
      const isGroup = isTold && below?.[at] && below[group] && !isUnit(below[group]);
      const name = level[at] || (isGroup ? level[group] : "");
      // Words below some columns of a name tell what is beside its quantity, such as its quality, and not in its unit.
      const isBeside = below?.[at] && level.some((each, i) => each === name && i > 0 && below[i] === "");
      return isBeside ? unitInName(name ?? "").name : name;
    });
    // A level may be called what it has: as a label, the station follows the quantity.
    const station = isOfIndex && at > 0 ? levels.findIndex(([name = ""]) => stationNamed(name) !== null) : -1;
    const label = parts[station] ? `{${levels[station]?.[0]}="${parts[station]}"}` : "";
    return [...new Set([...parts.filter((_, depth) => depth !== station), label])].filter(Boolean).join(" ");
  });
}

function isTwin(names: readonly string[], at: number): boolean {
  const name = names[at] ?? "";
  return name !== "" && names.indexOf(name) !== names.lastIndexOf(name);
}

export const OF_STATISTIC = new RegExp(String.raw`\b(${STATISTICS})\b`, "i");
