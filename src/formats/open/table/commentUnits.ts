import { unitNamed } from "#shared/file/units.ts";
import { type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { STATISTICS, variableOf } from "../meaning/quantities.ts";

/** Most words of the name of a quantity, or of a unit. */
const MAX_WORDS = 6;
/** What is between a quantity and its unit: `PWV is given in cm`, `pwv_unit: cm`, `ztd [cm]`, `pwv=cm`. */
const BETWEEN = /^[\s_)]*(units?\b)?\s*((is|are|was|were|has|the|given|stated|unit|values?|in)\b\s*)*[:=([]?\s*/i;
const OF_ANOTHER = new RegExp(String.raw`\b(${STATISTICS})\W+(of|in)?\W*(the\W+)?$`, "i");

/** What the only uncertainty of a table is called. */
const UNCERTAINTY = /^(σ|sigmas?|std|stdev|stddev|standard_deviations?|uncertaint(y|ies)|(formal_)?errors?)$/;

interface Mention {
  readonly isOwn: boolean;
  readonly start: number;
  readonly end: number;
}

/** A column of which sentences may state the unit. */
interface Named {
  readonly name: string;
  readonly variable: ScalarVariable | null;
}

/** The unit that sentences in comments state for a column: `PWV in cm, ZTD in m, temp in K`; null without one. */
export function unitInComments(comments: readonly string[], column: Named): string | null {
  for (const text of comments) {
    const mentions = mentionsIn(text, column);
    for (const [i, { isOwn, start, end }] of mentions.entries()) {
      // Directly behind another quantity, a word is of that one: `PWV sigma`.
      const isBehind = mentions[i - 1] && /^[\s_-]*$/.test(text.slice(mentions[i - 1]?.end, start));
      if (!isOwn || isBehind || OF_ANOTHER.test(text.slice(0, start))) continue;
      const rest = text.slice(end, mentions[i + 1]?.start);
      const between = BETWEEN.exec(rest)?.[0] ?? "";
      const unit = /\bin\b|[:=([]/i.test(between) ? unitAtStart(rest.slice(between.length)) : null;
      if (unit !== null) return unit;
    }
  }
  return null;
}

/** The names of variables, and of a column, in a sentence, the longest first. */
function mentionsIn(text: string, { name: own, variable }: Named): Mention[] {
  const plain = plainWords(own);
  const isOfOwn = (name: string): boolean =>
    (name === plain && (plain.length > 2 || plain === "σ")) ||
    (variable !== null && variableInfo(variable).uncertaintyOf !== undefined && UNCERTAINTY.test(name));
  if (variable === null && !plainWords(text).includes(plain)) return [];
  const words = [...text.matchAll(/[\p{L}\d]+/gu)].map(({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
  }));
  const mentions: Mention[] = [];
  for (let at = 0; at < words.length; at++) {
    const { start } = words[at]!;
    const found = words.slice(at, at + MAX_WORDS).flatMap(({ end }, i) => {
      const name = text.slice(start, end);
      if (/[^\p{L}\w\s-]/u.test(name)) return [];
      const named = variableOf({ name, longName: null, standardName: null, unit: null });
      const isOwn = (named !== null && named === variable) || isOfOwn(plainWords(name));
      return named !== null || isOwn ? [{ isOwn, start, end, more: i }] : [];
    });
    const longest = found.at(-1);
    if (!longest) continue;
    mentions.push(longest);
    at += longest.more;
  }
  return mentions;
}

function plainWords(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_");
}

/** The longest unit at the start of a text. */
function unitAtStart(text: string): string | null {
  const words = text.split(/\s+/).slice(0, MAX_WORDS);
  const units = words.map((_, i) =>
    words
      .slice(0, words.length - i)
      .join(" ")
      .replace(/[\])},;.]+$/, ""),
  );
  return units.find((unit) => unitNamed(unit)) ?? null;
}
