import { type ChosenColumn, TIME_ROLES } from "#shared/file/columns.ts";
import { unitNamed } from "#shared/file/units.ts";
import { isScalar, shortName } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { asRole, type Question } from "../meaning/columns.ts";
import { stationNamed } from "../meaning/stations.ts";
import { listed, quotedName } from "../notes.ts";
import { likeTimes } from "../time/columns.ts";
import { firstTimes, hasClock } from "../time/namedColumns.ts";
import type { TimeReader } from "../time/ofDay.ts";
import type { TableHead } from "./heads.ts";
import { isNumeric } from "./notation.ts";
import { factsOf, isNoQuantity, type Role, timesByRole } from "./roles.ts";

/** What the columns are taken as, and what of it the user chose. */
export interface Choice {
  readonly roles: readonly Role[];
  /** Reads times in the scale of the table. */
  readonly time: TimeReader;
  readonly chosen: { readonly requested: ReadonlyMap<number, Role>; readonly noValue: string | null } | null;
}

export function headQuestions(head: TableHead, choice: Choice): Question[] {
  const { roles, time, chosen } = choice;
  const isFree = roles[0]?.role === "none" || roles[0]?.role === "number";
  const isTimeChosen = [...(chosen?.requested.values() ?? [])].some(({ role }) => TIME_ROLES.has(role));
  const asked = [
    ...(isTimeChosen ? [] : clockQuestion(head, roles, (at) => chosen?.requested.has(at) ?? false)),
    ...fallQuestion(head, roles, time),
    ...blockQuestion(head, roles),
    ...codeQuestion(head),
    ...scaledQuestion(head, roles),
    ...numberedQuestion(head, roles),
    ...(isFree ? rowQuestion(head, time) : []),
  ];
  const isChosen = (name: ChosenColumn["column"]): boolean =>
    chosen?.requested.has(head.names.indexOf(String(name))) ?? false;
  return asked.filter(({ choices }) => !choices.some(({ column }) => isChosen(column)));
}

function clockQuestion(head: TableHead, roles: readonly Role[], isChosen: (at: number) => boolean): Question[] {
  const used = timesByRole(roles);
  const times = firstTimes(head, used);
  if (times.length === 0 || times.some((ms) => ms % DAY_MS > 0)) return [];
  const clocks = [...head.names.keys()].filter((at) => {
    const isFree = ![...used.values()].includes(at) && !isChosen(at);
    return isFree && hasClock(head, at) && head.rows.some((row) => /[1-9]/.test(row[at] ?? ""));
  });
  const [at = -1] = clocks;
  if (at < 0) return [];
  const names = listed(clocks.map((each) => head.names[each] ?? ""));
  const sentence = `The dates of this table have no time of day, which ${names} may tell, such as ${quotedName(head.rows[0]?.[at] ?? "")}.`;
  const choices = (["clock", "none"] as const).map((role) => asRole(head.names[at] ?? "", role));
  return [{ sentence, choices }];
}

/**
 * Asks whether times of day are right that go on below noon or midnight under one date: they may belong to a clock of 12 hours, or to
 * the next day.
 */
function fallQuestion(head: TableHead, roles: readonly Role[], time: TimeReader): Question[] {
  const used = timesByRole(roles);
  const role = (["clock", "hour"] as const).find((each) => used.has(each));
  const at = used.get(role ?? "clock") ?? -1;
  if (role === undefined) return [];
  const times = head.rows.map(time);
  const fallen = times.findIndex((ms, i) => {
    const [first = Number.NaN, before = Number.NaN, last = Number.NaN] = times.slice(Math.max(0, i - 3), i);
    const isRegular = last > before && last - before === before - first;
    // Rows of another station begin again at the time of the first one.
    const isFallen = ms < last && !times.slice(0, i).includes(ms);
    return isRegular && isFallen && [DAY_MS / 2, DAY_MS].includes(2 * last - before - ms);
  });
  if (fallen < 0) return [];
  const column = head.names[at] ?? "";
  const [from, to] = [fallen - 1, fallen].map((i) => quotedName(head.rows[i]?.[at] ?? ""));
  const sentence = `The times of day in ${quotedName(column)} go on from ${from} to ${to} under one date: they may be of a clock of 12 hours, or of the next day. Write the date and the time of 24 hours in each row, unless they are right.`;
  return [{ sentence, choices: [{ column, role, unit: null }] }];
}

/** Asks about a second column of times between columns of values, which may belong to the columns after it. */
function blockQuestion(head: TableHead, roles: readonly Role[]): Question[] {
  const isValue = (at: number): boolean => roles[at]?.role === "number" || isScalar(roles[at]?.role ?? "none");
  const used = timesByRole(roles);
  const other = likeTimes(head, used).find(({ at, like, differs }) => {
    const values = [...head.names.keys()].filter((each) => each !== at && isValue(each));
    const isBetween = values.some((each) => each > like && each < at) && values.some((each) => each > at);
    const isNamed = (name: string | undefined): boolean =>
      values.some((each) => each < at && head.names[each] === name);
    const isTwice = values.some((each) => each > at && isNamed(head.names[each]));
    return isBetween && (isTwice || head.rows.some(differs));
  });
  if (!other) return [];
  const [column, first] = [other.at, other.like].map((at) => head.names[at] ?? "");
  const why = head.rows.some(other.differs)
    ? `tells other times than ${quotedName(first ?? "")}, which may be the times of the columns after it`
    : "stands before columns with the names of others, which may be of something else";
  const sentence = `${quotedName(column ?? "")} ${why}: save the columns of each as a table of its own, unless all of them are at the times of ${quotedName(first ?? "")}.`;
  return [{ sentence, choices: [asRole(column ?? "", "none")] }];
}

function codeQuestion({ names, stations }: TableHead): Question[] {
  const codes = stations.flatMap((each, at) => (each?.fitting ? [at] : []));
  const [at = -1] = codes;
  const { fitting } = stations[at] ?? {};
  if (!fitting) return [];
  const column = names[at] ?? "";
  const sentence = `${listed(codes.map((each) => names[each] ?? ""))} may be stations: the first values of these columns fit ${shortName(fitting.role)} in ${fitting.unit} alone.`;
  return [{ sentence, choices: [{ column, ...fitting }, asRole(column, "number")] }];
}

/** What a comment says of a factor in numbers: `multiplied by 10`, `scale_factor = 0.1`. */
const SCALED = /\b(multiplied|scaled|divided)\s+by\s+(10|0[.,]0*1)|\bscale_?factor\b/i;

/** Asks whether numbers are in their unit if a comment says that they are multiples of it, and no unit is such a part. */
function scaledQuestion(head: TableHead, roles: readonly Role[]): Question[] {
  const stated = head.comments.find((comment) => SCALED.test(comment));
  const at = roles.findIndex(({ role }) => isScalar(role));
  const column = head.names[at];
  const { role, unit } = roles[at] ?? {};
  if (stated === undefined || column === undefined || !role) return [];
  const units = factsOf(head, at).units ?? [];
  if (units.some((each) => unitNamed(each.unit)?.name.startsWith("0."))) return [];
  const sentence = `A comment says ${quotedName(stated)}, so that the numbers in ${quotedName(column)} may be multiples of its unit.`;
  return [{ sentence, choices: [...(unit ? [{ column, role, unit }] : []), asRole(column, "number")] }];
}

/** Asks for another table if columns are named by numbers in a row, as those of hours, days or months are. */
function numberedQuestion({ names }: TableHead, roles: readonly Role[]): Question[] {
  const numbered = names.filter((name, at) => roles[at]?.role === "number" && /^\d{1,2}$/.test(name));
  const isRow = numbered.every((name, i) => i === 0 || Number(name) === Number(numbered[i - 1]) + 1);
  if (!isRow || numbered.length < LEAST_NUMBERED) return [];
  const [first, last] = [numbered[0] ?? "", numbered.at(-1) ?? ""].map(quotedName);
  const sentence = `The columns ${first} to ${last} may be hours, days or months of the time of each row. Write one row for each of their values, with its time, unless each is a quantity.`;
  return [{ sentence, choices: [asRole(numbered[0] ?? "", "number")] }];
}

const LEAST_NUMBERED = 12;

/**
 * Asks what the rows belong to if the first column has another word in each, as statistics have (`describe` of pandas and Polars),
 * and several times are beside them: it has no name, or the times are in no order.
 */
function rowQuestion({ header, names, rows }: TableHead, time: TimeReader): Question[] {
  const column = names[0] ?? "";
  const fields = rows.map(([first = ""]) => first);
  const isWords = fields.every((field) => field !== "" && !isNumeric(field));
  const isOther = header !== null && stationNamed(column) === null;
  if (!isOther || !isWords || fields.length < 2 || new Set(fields).size < fields.length) return [];
  const times = rows.map(time).filter((ms) => !Number.isNaN(ms));
  const isOrdered = times.every((ms, i) => i === 0 || ms > (times[i - 1] ?? ms));
  const isNameless = column === "Column 1" || isNoQuantity(names, 0);
  if (new Set(times).size < 2 || (isOrdered && !isNameless)) return [];
  const sentence = `Each row has another word in ${quotedName(column)}: ${listed(fields)}. They may be stations, or statistics, whose times are not epochs.`;
  return [{ sentence, choices: [asRole(column, "station"), asRole(column, "none")] }];
}
