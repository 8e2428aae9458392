import { unitNamed } from "#shared/file/units.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";
import { STATISTICS, variableOf } from "../meaning/quantities.ts";

/** Most words of the name of a quantity, or of a unit. */
const MAX_WORDS = 6;
/** What is between a quantity and its unit: `PWV is given in cm`, `pwv_unit: cm`, `ztd [cm]`, `pwv=cm`. */
const BETWEEN = /^[\s_)]*(units?\b)?\s*((is|are|was|were|has|the|given|stated|unit|values?|in)\b\s*)*[:=([]?\s*/i;
const OF_ANOTHER = new RegExp(String.raw`\b(${STATISTICS})\W+(of|in)?\W*(the\W+)?$`, "i");

interface Mention {
  readonly variable: ScalarVariable;
  readonly start: number;
  readonly end: number;
}

/** The unit that sentences in comments state for a variable: `PWV in cm, ZTD in m`; null without one. */
export function unitInComments(comments: readonly string[], variable: ScalarVariable): string | null {
  for (const text of comments) {
    const mentions = mentionsIn(text);
    for (const [i, { variable: named, start, end }] of mentions.entries()) {
      if (named !== variable || OF_ANOTHER.test(text.slice(0, start))) continue;
      const rest = text.slice(end, mentions[i + 1]?.start);
      const between = BETWEEN.exec(rest)?.[0] ?? "";
      const unit = /\bin\b|[:=([]/i.test(between) ? unitAtStart(rest.slice(between.length)) : null;
      if (unit !== null) return unit;
    }
  }
  return null;
}

/** The names of variables in a sentence, the longest first. */
function mentionsIn(text: string): Mention[] {
  const words = [...text.matchAll(/[a-z\d]+/gi)].map(({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
  }));
  const mentions: Mention[] = [];
  for (let at = 0; at < words.length; at++) {
    const { start } = words[at]!;
    const found = words.slice(at, at + MAX_WORDS).flatMap(({ end }, i) => {
      const name = text.slice(start, end);
      const isName = !/[^\w\s-]/.test(name);
      const variable = isName ? variableOf({ name, longName: null, standardName: null, unit: null }) : null;
      return variable === null ? [] : [{ variable, start, end, more: i }];
    });
    const longest = found.at(-1);
    if (!longest) continue;
    mentions.push(longest);
    at += longest.more;
  }
  return mentions;
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
