import { unitNamed } from "#shared/file/units.ts";
import { type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { STATISTICS, variableOf } from "../meaning/quantities.ts";

/** A quantity and its unit in a part of a sentence: `PWV is given in cm`, `pwv_unit: cm`, `ztd [cm]`, `pwv=cm`. */
const STATED =
  /^(?<name>.+?)[\s_)]*(?:(?<![a-z])units?)?\s*(?:(?:(?:is|are|was|were|has|the|given|stated|units?|values?|in)\s+)*\bin\s+|(?:(?:is|are|unit|values?)\s+)*[:=([]\s*(?:in\s+)?)(?<unit>[^:=,;()]+?)[\])}.\s]*$/i;
const PARTS = /[,;]|\.\s|\band\b/;

/** What the only uncertainty of a table is called. */
const UNCERTAINTY = /^(σ|sigmas?|std|stdev|stddev|standard_deviations?|uncertaint(y|ies)|(formal_)?errors?)$/;

const OF_ANOTHER = new RegExp(String.raw`\b(${STATISTICS})\b`, "i");

/** The unit that sentences in comments state for a column: `PWV in cm, ZTD in m, temp in K`; null without one. */
export function unitInComments(
  comments: readonly string[],
  own: string,
  variable: ScalarVariable | null,
): string | null {
  const isOwn = (name: string): boolean => {
    const plain = plainWords(name);
    const isSame = plain === plainWords(own) && (plain.length > 2 || plain === "σ");
    const isUncertainty = variable !== null && variableInfo(variable).uncertaintyOf !== undefined;
    const isNamed =
      variable !== null && variableOf({ name, longName: null, standardName: null, unit: null }) === variable;
    return isSame || isNamed || (isUncertainty && UNCERTAINTY.test(plain));
  };
  for (const part of comments.flatMap((text) => text.split(PARTS))) {
    const { name = "", unit = "" } = STATED.exec(part.trim().replace(/^\W*units?\s*:\s*/i, ""))?.groups ?? {};
    // Words before a name may be of another quantity, or none: `values of PWV`.
    const words = name.split(/\s+/);
    const isOf = isOwn(name) || (!OF_ANOTHER.test(name) && words.some((_, at) => isOwn(words.slice(at).join(" "))));
    const found = words.length > 0 && isOf ? unit.trim() : "";
    if (unitNamed(found)) return found;
  }
  return null;
}

function plainWords(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_");
}
