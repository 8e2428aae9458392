import { type ChosenColumn, DAY_ROLES } from "#shared/file/columns.ts";
import type { Question } from "../meaning/columns.ts";
import { quotedName } from "../notes.ts";
import { isByGpsWeek } from "../time/columns.ts";
import { countIn } from "../time/cf.ts";
import { hasClock, TIME_WORD } from "../time/namedColumns.ts";
import { isMomentName, isOffsetName, isSummerTimeName, isTimeName, isZoneName, timeName } from "../time/names.ts";
import { isDescription } from "../time/units.ts";
import { DATE_ORDERS, withYearBefore } from "../time/moment.ts";
import {
  GPS,
  HAS_OFFSET,
  isZone,
  type NamedScale,
  offsetIn,
  scaleInHeading,
  scaleNamed,
  scaleQuestion,
  scalesOfStart,
  splitZone,
  UTC,
} from "../time/scale.ts";
import { distinctScales, scaleInComment, scaleStated } from "../time/stated.ts";
import type { TimeScale } from "../time/zones.ts";
import { UNREAD } from "../text.ts";
import type { TableHead } from "./heads.ts";
import { type Role, timesByRole } from "./roles.ts";

/** Dst is an index of geomagnetic storms, too. */
const IS_FLAG = /^(|[01]|true|false|t|f|yes|no|y|n|ja|nein)$/i;

function isTimeLike(name: string): boolean {
  return isTimeName(name) || isZoneName(name) || TIME_WORD.test(timeName(name));
}

interface FoundScale {
  /** Converts the time of a row, in milliseconds; NaN if its zone cannot be read. */
  toUtc(ms: number, fields: readonly string[]): number;
  readonly words: string;
  /** What states it; empty if nothing does. */
  readonly evidence: string;
}

/** Determines the time scale of a table from all that it says; else returns a question. @param isChosen whether the user chose a column */
export function scaleOf(
  head: TableHead,
  roles: readonly Role[],
  isChosen: (at: number) => boolean,
): FoundScale | Question {
  const { names, rows, units, comments, withoutScale } = head;
  const times = timesByRole(roles);
  const columns = [...times.values()].toSorted((a, b) => a - b);
  const headings = columns.map((at) => names[at] ?? "");
  const dated = columns.find((at) => !DAY_ROLES.has(roles[at]?.role ?? "none")) ?? 0;
  const column = { column: names[dated] ?? "", role: roles[dated]?.role ?? "time" };
  const [chosen] = columns.flatMap((at) => scaleNamed(roles[at]?.unit ?? "") ?? []);
  if (chosen && chosen !== "other") return { toUtc: chosen.toUtc, words: scaleWords(chosen), evidence: "" };
  const ofDate = [
    ...scaleInHeading(column.column),
    ...scaleStated(units[dated] ?? "", "the row of units", true),
    ...comments.flatMap((text) => scaleInComment(text, "a comment")),
    // A title may be above the names, in the same cells.
    ...names.flatMap((text, at) =>
      columns.includes(at) || isTimeLike(text) ? [] : scaleStated(text, "the name of a column"),
    ),
  ];
  // A clock in another zone may be that of the dates.
  const clocks = names.flatMap((text, at) =>
    ofDate.length === 0 && times.has("clock") && !columns.includes(at) && hasClock(head, at)
      ? scaleInHeading(text).map((each) => ({ ...each, by: quotedName(text) }))
      : [],
  );
  const zoneNamed = names.findIndex((each) => isZoneName(each));
  const isFree = (at: number): boolean => roles[at]?.role === "none" || roles[at]?.role === "number";
  const zoneAt =
    zoneNamed < 0
      ? names.findIndex((_, at) => isFree(at) && 2 * rows.filter((row) => isZone(row[at] ?? "")).length > rows.length)
      : zoneNamed;
  const zones = zoneAt < 0 || times.has("unixTime") ? [] : distinctScales(rows.map((row) => zoneIn(row[zoneAt] ?? "")));
  const stated = distinctScales([
    ...headings.flatMap(scaleInHeading),
    ...columns.flatMap((at) => scalesOfStart(countIn(units[at] ?? "") ?? countIn(names[at] ?? "") ?? "")),
    ...columns.flatMap((at) => scaleStated(units[at] ?? "", "the row of units", true)),
    ...columns.flatMap((at) => rows.flatMap((row) => zoneBehind(row[at] ?? ""))),
    ...ofDate,
    ...clocks,
    ...(isByGpsWeek(head, times) ? [{ scale: GPS, text: "GPS", by: "its GPS weeks" }] : []),
  ]);
  const zoned = rows.map((row) => columns.some((at) => zoneOf(row[at]) !== null));
  if (zoned.includes(true) && zoned.includes(false)) stated.push({ scale: "other", text: "none", by: "other fields" });
  const summer = names.find((each, at) => isSummerTimeName(each) && rows.every((row) => IS_FLAG.test(row[at] ?? "")));
  if (stated.length === 0 && zones.length === 0 && summer !== undefined)
    stated.push({ scale: "other", text: "local time", by: quotedName(summer) });
  const withOffset = rows.filter((row) =>
    columns.some((at) => HAS_OFFSET.test(splitZone((row[at] ?? "").trim()).text)),
  );
  const hasOffsets = withOffset.length > 0;
  const name = quotedName(headings[0] ?? "");
  const ask = (why: string, units: readonly string[]): Question => ({
    sentence: `The times in ${name} ${why}.`,
    choices: units.map((unit) => ({ ...column, unit })),
  });
  const isLocal = stated.every(({ scale }) => scale === "other");
  const ofRows = zones.flatMap(({ scale }) => (scale === "other" ? [] : [scale]));
  const [zone] = ofRows;
  if (!hasOffsets && isLocal && zone && ofRows.length === zones.length) {
    // Numbers have no convention: POSIX counts from local time to UTC.
    const isSigned = rows.some((row) => /^\s*[-+\d]/.test(row[zoneAt] ?? ""));
    const sign = isSigned ? `, with + in ${quotedName(names[zoneAt] ?? "")} taken as ahead of UTC` : "";
    const words = `times are converted from the zones of their rows, such as ${zone.name}${sign}`;
    return { toUtc: rowZones(zoneAt), words, evidence: words };
  }
  const named = isLocal ? distinctScales([...stated, ...zones]) : stated;
  // Offsets in fields are part of the times; a heading may say in which zone they are shown.
  const decisive = hasOffsets ? named.filter(({ scale }) => scale !== "other" && !/^UTC|\//.test(scale.unit)) : named;
  const [first, second] = decisive;
  // Numbers since 1970 are in UTC, whatever zone texts are in.
  if (times.has("unixTime") && first && first.scale !== UTC)
    return scaleQuestion(name, column, [first, { scale: UTC, text: "UTC", by: "its start in 1970" }]);
  if (hasOffsets && first) return scaleQuestion(name, column, [first, { scale: UTC, text: "UTC", by: "its fields" }]);
  if (second || first?.scale === "other") return scaleQuestion(name, column, decisive);
  const offsetAt = hasOffsets || first ? -1 : names.findIndex(isOffsetName);
  const [offset = "", ...more] = new Set(rows.map((row) => row[offsetAt] ?? ""));
  const shift = zoneIn(offset).scale;
  if (more.length === 0 && shift !== "other" && /[1-9]/.test(offset))
    return ask(`may differ from UTC by what ${quotedName(names[offsetAt] ?? "")} is in all rows: ${offset}`, [
      shift.unit,
      "UTC",
    ]);
  const doubt = hasOffsets || first || isChosen(dated) ? null : doubtIn(head, column);
  if (doubt !== null) return ask(`may not be UTC: ${doubt} a place or zone`, ["UTC"]);
  if (!first && withoutScale !== undefined)
    return ask(`may be GPS time or UTC, which ${withoutScale} does not state: they differ by 18 s since 2017`, [
      "GPS",
      "UTC",
    ]);
  const scale = first?.scale ?? UTC;
  const isMixed = hasOffsets && rows.some((row) => /\d/.test(row[dated] ?? "") && !withOffset.includes(row));
  const others = isMixed ? ", also those without an offset beside others with one" : "";
  const evidence = [...named.map(({ text, by }) => `${text} by ${by}`), ...(hasOffsets ? ["its fields"] : [])].join();
  const words = hasOffsets && !first ? OWN_OFFSETS : scaleWords(scale);
  return { toUtc: scale.toUtc, words: `${words}${others}`, evidence };
}

/** The zone after a clock time. */
function zoneBehind(field: string): NamedScale[] {
  const { zone, text } = splitZone(withYearBefore(field.trim()));
  const scale = zone === null || HAS_OFFSET.test(text) ? null : scaleNamed(zone);
  return scale === null || zone === null ? [] : [{ scale, text: zone, by: "its fields" }];
}

function zoneOf(field = ""): string | null {
  return /[a-z]{2}/i.test(field) ? splitZone(withYearBefore(field.trim())).zone : null;
}

/** Whether a row has a zone after its time that no first row has. @param columns of its time */
export function hasOtherZone({ rows }: TableHead, columns: readonly number[]): (fields: readonly string[]) => boolean {
  const known = new Set(columns.flatMap((at) => rows.map((row) => zoneOf(row[at]))));
  return (fields) => columns.some((at) => zoneOf(fields[at]) !== null && !known.has(zoneOf(fields[at])));
}

/** The zone of a row: its name, or its difference from UTC. */
function zoneIn(field: string): NamedScale {
  const text = field.trim();
  return { scale: offsetIn(text) ?? scaleNamed(text) ?? "other", text, by: "its zone" };
}

function rowZones(at: number): FoundScale["toUtc"] {
  const known = new Map<string, TimeScale | "other">();
  return (ms, fields) => {
    const field = fields[at] ?? "";
    const scale = known.get(field) ?? zoneIn(field).scale;
    if (known.size < MAX_ZONES) known.set(field, scale);
    return scale === "other" ? Number.NaN : scale.toUtc(ms);
  };
}

const MAX_ZONES = 1_000;

/** Why times may not be UTC: their name is none of times, or comments cannot be read; null otherwise. */
function doubtIn({ header, comments }: TableHead, { column, role }: Pick<ChosenColumn, "column" | "role">) {
  const name = String(column).replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ");
  const isNamed = isTimeName(name) || isMomentName(timeName(name)) || isDescription(name) || name.startsWith("Column ");
  const isPlain = isNamed && !/\p{L} ?[-+−]\d{1,2}(?!\d)/u.test(name);
  if (DATE_ORDERS.some((order) => order === role) && header !== null && !isPlain) return "their name may tell";
  return comments.some((text) => UNREAD.test(text)) ? "a comment that cannot be read may tell" : null;
}

export const TAKEN_AS_UTC = "times are taken as UTC";
export const OWN_OFFSETS = "times state their differences from UTC";

function scaleWords(scale: TimeScale): string {
  return scale === UTC ? TAKEN_AS_UTC : `times are converted from ${scale.name}`;
}
