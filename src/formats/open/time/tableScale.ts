import type { ChosenColumn } from "#shared/file/columns.ts";
import type { Question } from "../meaning/columns.ts";
import { quoted } from "../notes.ts";
import {
  distinctScales,
  type NamedScale,
  scaleInHeading,
  scaleNamed,
  scaleStated,
  type TimeScale,
  UTC,
} from "./scale.ts";

interface TimeFacts {
  /** The first column of the date, and its role. */
  readonly column: Pick<ChosenColumn, "column" | "role">;
  readonly headings: readonly string[];
  /** What a row or a comment of units says about these columns. */
  readonly units: readonly (string | null)[];
  readonly comments: readonly string[];
  /** The fields of the first rows in these columns. */
  readonly fields: readonly string[];
  /** The fields of columns that tell the zone of each row. */
  readonly zones: readonly string[];
  readonly isGpsWeek: boolean;
  /** The name of a known format that does not state its scale; null for other tables. */
  readonly withoutScale: string | null;
  readonly chosen: string | null;
}

interface FoundScale {
  readonly scale: TimeScale;
  readonly words: string;
}

/** Fields with an offset of their own. */
const HAS_OFFSET = /\d(Z|\s?UTC|\s?GMT|[+-]\d\d:?\d\d)$/i;

/** Determines the time scale of a table from all that it says; else returns a question. */
export function tableScale(facts: TimeFacts): FoundScale | Question {
  const { column, headings, units, comments, fields, zones, isGpsWeek, withoutScale, chosen } = facts;
  const own = chosen === null ? null : scaleNamed(chosen);
  if (own && own !== "other") return { scale: own, words: wordsOf(own) };
  const named = distinctScales([
    ...headings.flatMap(scaleInHeading),
    ...units.flatMap((text) => {
      const scale = text === null ? null : scaleNamed(text);
      return scale === null || text === null ? [] : [{ scale, text, by: "the row of units" }];
    }),
    ...comments.flatMap((text) => scaleStated(text, "a comment")),
    ...zones.map((text) => ({
      scale: scaleNamed(text) ?? (Number(text) === 0 ? UTC : ("other" as const)),
      text,
      by: "its zone",
    })),
    ...(isGpsWeek ? [{ scale: scaleNamed("GPS") ?? UTC, text: "GPS", by: "its GPS weeks" }] : []),
  ]);
  const hasOffsets = fields.some((field) => HAS_OFFSET.test(field.trim()));
  // Offsets in fields are part of the times; a heading may say in which zone they are shown.
  const others = hasOffsets
    ? named.filter(({ scale }) => scale !== "other" && !/^(UTC|GMT)?[-+−\d:]*$/.test(scale.name))
    : named;
  const [first, second] = others;
  if (hasOffsets && first) return questionOf(facts, [first, { scale: UTC, text: "UTC", by: "its fields" }]);
  if (first && second) return questionOf(facts, others);
  if (first?.scale === "other") return questionOf(facts, others);
  if (first?.scale) return { scale: first.scale, words: wordsOf(first.scale) };
  if (withoutScale === null) return { scale: UTC, words: "times are taken as UTC" };
  const sentence = `The description of ${withoutScale} does not state whether times are GPS time or UTC, which differ by 18 s since 2017.`;
  return { sentence, choices: (["GPS", "UTC"] as const).map((unit) => ({ ...column, unit })) };
}

function wordsOf(scale: TimeScale): string {
  return scale === UTC ? "times are taken as UTC" : `times are converted from ${scale.name}`;
}

function questionOf({ column, headings }: TimeFacts, named: readonly NamedScale[]): Question {
  const name = quoted(headings[0] ?? "");
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
