/**
 * Finds the data-point limit in the message of a 413: the service states it only in prose. A number counts if the word
 * nearest before it (or directly after it) is about a limit and not about the request; numbers of bytes, seconds,
 * days or stations never count, nor does one that the request itself does not exceed.
 *
 * @param message the sentence, or a whole web page
 * @param requestPoints data points of the refused request; null if unknown
 * @returns data points; null if the message states no believable limit
 */
export function parseLimit(message: string, requestPoints: number | null): number | null {
  const text = message
    .slice(0, 65_536)
    .replace(/<[^>]{0,500}>/g, " ")
    .replace(/&nbsp;|&#160;|&#8239;|\p{Zs}/giu, " ");
  const found = numbersIn(text).filter((n) => isBelievable(n.value, requestPoints));
  const stated = found.filter((n) => n.says === "limit");
  const ofPoints = stated.filter((n) => n.inPoints);
  // If several are stated, the smallest is safe: the size of a refused request is always the larger number.
  const best = ofPoints.length > 0 ? ofPoints : stated;
  if (best.length > 0) return Math.min(...best.map((n) => n.value));
  const [unclear, ...others] = found.filter((n) => n.says === "nothing" && n.inPoints);
  return requestPoints !== null && unclear && others.length === 0 ? unclear.value : null;
}

const MAX_POINTS = 1e12;

function isBelievable(value: number, requestPoints: number | null): boolean {
  return (
    Number.isSafeInteger(value) &&
    value >= 1 &&
    value <= MAX_POINTS &&
    !(requestPoints !== null && value >= requestPoints)
  );
}

interface StatedNumber {
  readonly value: number;
  readonly says: "limit" | "request" | "nothing";
  readonly inPoints: boolean;
}

// Groups of three digits, separated by a comma, point, space, apostrophe or underscore; or plain digits, 1e4, 10k.
const NUMBER =
  /(?<![\w.,-])(\d{1,3}(?:([ ,.'’_])\d{3})(?:\2\d{3})*|\d+(?:\.\d+)?(?:e\+?\d+)?)(?: ?(k|thousand|m|million)\b)?(?![\w%]|[.,]\d)/gi;
const OTHER_UNIT =
  /^[ -]?(?:[kmgt]i?b\b|[kmgt]?bytes?\b|(?:kilo|mega|giga)bytes?\b|ms\b|s\b|sec|minutes?\b|min\b|hours?\b|h\b|days?\b|months?\b|years?\b|stations?\b|receivers?\b|requests?\b|variables?\b|entity\b)/i;
const POINTS_UNIT =
  /^[ -]?(?:data[ -]?)?(?:points?|rows?|epochs?|observations?|values?|samples?|records?|measurements?)\b/i;
const LIMIT_WORD =
  /\b(?:limit(?:ed)?|max(?:imum|imal)?|at most|up to|allow(?:s|ed|ance)?|permit(?:s|ted)?|no more than|not exceed|fewer than|less than|capped|cap|quota|threshold|ceiling|exceed(?:s|ed|ing)?(?! by)|larger than|greater than|more than|over|above)\b|>|≤|<=/gi;
const REQUEST_WORD =
  /\b(?:(?<!per[ -])request(?:s|ed)?|quer(?:y|ies)|would|asked|estimated?|contains?|size|total|got|received|returns?|exceed(?:s|ed|ing)? by)\b/gi;
const LIMIT_BEHIND =
  /^ *(?:data[ -]?)?(?:points?|rows?|epochs?)? *\(?(?:is |are )?(?:allowed|permitted|max(?:imum)?|limit|at most|per[ -]request)\b/i;

function numbersIn(text: string): StatedNumber[] {
  const found: StatedNumber[] = [];
  let clause = 0;
  let last = 0;
  for (const match of text.matchAll(NUMBER)) {
    const [whole, digits = "", separator, factor] = match;
    const end = match.index + whole.length;
    const behind = text.slice(end, end + 60);
    const value = valueOf(digits, separator, factor);
    const inPoints = POINTS_UNIT.test(behind);
    // The status itself, as in "413 Payload Too Large" or "Error 413:".
    if (OTHER_UNIT.test(behind) || (value === 413 && !inPoints)) continue;
    // In "limit exceeded (86400/10000)" both numbers have the same words before them.
    if (!/^[\s/|]*$/.test(text.slice(last, match.index))) clause = last;
    found.push({ value, inPoints, says: whatIsSaid(text.slice(clause, match.index).slice(-160), behind) });
    last = end;
  }
  return found;
}

function whatIsSaid(before: string, behind: string): StatedNumber["says"] {
  if (LIMIT_BEHIND.test(behind)) return "limit";
  if (/\bby *$/i.test(before)) return "request";
  const limit = lastIndex(before, LIMIT_WORD);
  const request = lastIndex(before, REQUEST_WORD);
  if (limit === request) return "nothing";
  return limit > request ? "limit" : "request";
}

function lastIndex(text: string, words: RegExp): number {
  let last = -1;
  for (const match of text.matchAll(words)) last = match.index;
  return last;
}

function valueOf(digits: string, separator: string | undefined, factor: string | undefined): number {
  const value = Number(separator === undefined ? digits : digits.replaceAll(separator, ""));
  if (factor === undefined) return value;
  return value * (/^(?:k|thousand)$/i.test(factor) ? 1_000 : 1_000_000);
}
