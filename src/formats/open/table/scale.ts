import type { ChosenColumn } from "#shared/file/columns.ts";
import type { Question } from "../meaning/columns.ts";
import { plainName } from "../meaning/stations.ts";
import { quoted } from "../notes.ts";
import { isByGpsWeek } from "../time/columns.ts";
import { TIME_ROLES } from "../time/reader.ts";
import {
  distinctScales,
  type NamedScale,
  scaleInHeading,
  scaleNamed,
  scaleStated,
  type TimeScale,
  UTC,
} from "../time/scale.ts";
import type { TableHead } from "./lines.ts";
import { indexByRole, type Role } from "./roles.ts";

interface FoundScale {
  readonly scale: TimeScale;
  readonly words: string;
}

/** Fields with an offset of their own. */
const HAS_OFFSET = /\d(Z|\s?UTC|\s?GMT|[+-]\d\d:?\d\d)$/i;

const ZONE_COLUMN = /^(tz|time_?zone|(utc|gmt|tz|zone)_?(offset|diff\w*))(_?(h|hours?|s|seconds?))?$/;

/** Parts of a time of day. */
const OF_DAY = new Set(["clock", "halfDay", "hour", "minute", "second"]);

/** Determines the time scale of a table from all that it says; else returns a question. */
export function scaleOf(head: TableHead, roles: readonly Role[]): FoundScale | Question {
  const { names, rows, units, comments, withoutScale } = head;
  const times = [...indexByRole(roles)].filter(([role]) => TIME_ROLES.has(role));
  const columns = roles.flatMap(({ role }, at) => (TIME_ROLES.has(role) ? [at] : []));
  const headings = columns.map((at) => names[at] ?? "");
  const dated = columns.find((at) => !OF_DAY.has(roles[at]?.role ?? "")) ?? 0;
  const column = { column: names[dated] ?? "", role: roles[dated]?.role ?? "time" };
  const own = scaleNamed(columns.map((at) => roles[at]?.unit ?? "").find((unit) => unit !== "") ?? "");
  if (own && own !== "other") return found(own);
  const named = distinctScales([
    ...headings.flatMap(scaleInHeading),
    ...columns.flatMap((at) => {
      const text = units[at] ?? "";
      const scale = scaleNamed(text);
      return scale === null ? [] : [{ scale, text, by: "the row of units" }];
    }),
    ...comments.flatMap((text) => scaleStated(text, "a comment")),
    ...names.flatMap((name, at) => (ZONE_COLUMN.test(plainName(name)) ? zonesIn(rows, at) : [])),
    ...(isByGpsWeek(head, new Map(times))
      ? scaleInHeading("GPS").map((each) => ({ ...each, by: "its GPS weeks" }))
      : []),
  ]);
  const hasOffsets = columns.some((at) => HAS_OFFSET.test((rows[0]?.[at] ?? "").trim()));
  // Offsets in fields are part of the times; a heading may say in which zone they are shown.
  const others = hasOffsets
    ? named.filter(({ scale }) => scale !== "other" && !/^(UTC|GMT)?[-+−\d:]*$/.test(scale.name))
    : named;
  const [first, second] = others;
  const name = quoted(headings[0] ?? "");
  if (hasOffsets && first) return questionOf(name, column, [first, { scale: UTC, text: "UTC", by: "its fields" }]);
  if (second || first?.scale === "other") return questionOf(name, column, others);
  if (first || withoutScale === undefined) return found(first?.scale ?? UTC);
  const sentence = `The description of ${withoutScale} does not state whether times are GPS time or UTC, which differ by 18 s since 2017.`;
  return { sentence, choices: (["GPS", "UTC"] as const).map((unit) => ({ ...column, unit })) };
}

function zonesIn(rows: TableHead["rows"], at: number): NamedScale[] {
  return [...new Set(rows.map((row) => (row[at] ?? "").trim()))].map((text) => {
    const scale = scaleNamed(text) ?? (Number(text) === 0 ? UTC : "other");
    return { scale, text, by: "its zone" };
  });
}

function found(scale: TimeScale): FoundScale {
  return { scale, words: scale === UTC ? "times are taken as UTC" : `times are converted from ${scale.name}` };
}

function questionOf(
  name: string,
  column: Pick<ChosenColumn, "column" | "role">,
  named: readonly NamedScale[],
): Question {
  const [only] = named;
  const words = named.map(({ text, by }) => `${text} by ${by}`).join(" and ");
  const sentence =
    named.length === 1 && only
      ? `The times in ${name} are in the zone ${quoted(only.text)}, whose difference from UTC is not known.`
      : `The times in ${name} are in ${words}.`;
  const units = named.flatMap(({ scale }) => {
    const unit = scale === "other" ? undefined : scale.name.replace(/ time$/, "").replace(/^(Galileo|QZSS)$/, "GPS");
    return unit === undefined ? [] : [unit === "BeiDou" ? "BDT" : unit];
  });
  const choices = (units.length > 0 ? units : ["UTC", "UTC+1"]).map((unit) => ({ ...column, unit }));
  return { sentence, choices };
}
