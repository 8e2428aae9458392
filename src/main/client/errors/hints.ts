// Hints of an error in fields that the specification does not name (`readBodyReport` reads the fields it names). In a response
// without rows any such word counts, because an empty response proves that there are no data only if it reports nothing
// else. Beside rows, only an unmistakable word counts.

import { isCodeName, isNestedReportField, isTroubleName, isReportField, plainName, saysNoData } from "./bodyReport.ts";

/** Fields that describe the response or its licence. */
const DESCRIPTION =
  /^(?:licen[cs]e|attribution|terms|copyright|disclaimer|citation|docs?|documentation|help|about|href|url|uri|request|query|params|parameters|version)$/;
/** Words within a field name that always report an error. */
const GRAVE =
  /(?:^|_)(?:exceptions?|fail(?:ed|ures?|ing)?|timed?_?outs?|unavailable|unreachable|degraded|partial|incomplete|aborted|offline|overload(?:ed)?|stack(?:_?trace)?|trace_?back)(?:_|$)/;
const LIGHT = /(?:^|_)(?:errors?|faults?|missing|skipped|dropped|maintenance|down|busy|retry(?:_after)?)(?:_|$)/;
/** A number in such a field counts what failed. */
const COUNTED =
  /(?:^|_)(?:fail(?:ed|ures?)?|unavailable|unreachable|aborted|missing|skipped|dropped|retry_after)(?:_|$)/;
const TROUBLE =
  /\b(?:errors?|exceptions?|fail(?:ed|ures?|s)?|timed? ?outs?|unavailable|unreachable|(?:is|are|was|were) (?:down|missing)|down|offline|overload(?:ed)?|did not (?:answer|respond)|could not|cannot|can't|unable|aborted|refused|denied|degraded|incomplete|partial(?:ly)?|truncated|exceeded|try again|retry|maintenance|critical|fatal)\b/i;
const NO_TROUBLE = /^\s*(?:none|no(?: errors?)?|null|nil|false|0|ok|-)?\s*$/i;
const MAX_DEPTH = 4;

interface Place {
  /** The body has no rows. */
  readonly isEmpty: boolean;
  readonly depth: number;
  /** `readBodyReport` has read the words that it knows here. */
  readonly isRead: boolean;
}

type Fields = Iterable<readonly [key: string, value: unknown]>;

/**
 * @param isEmpty whether the body has no rows
 * @returns the first hint as `field: value`; null if the body has none
 */
export function findErrorHint(fields: Fields, isEmpty: boolean): string | null {
  return hintAmong(fields, { isEmpty, depth: 0, isRead: true });
}

function hintAmong(fields: Fields, place: Place): string | null {
  for (const [key, value] of fields) {
    const hint = hintIn(key, value, place);
    if (hint !== null) return hint;
  }
  return null;
}

function hintIn(key: string, value: unknown, { isEmpty, depth, isRead }: Place): string | null {
  const name = plainName(key);
  if (depth > MAX_DEPTH || DESCRIPTION.test(name)) return null;
  const isKnown = isRead && isReportField(key);
  const isNamed = GRAVE.test(name) || (isEmpty && (LIGHT.test(name) || isTroubleName(key)));
  const saysTrouble = !isKnown && isNamed;
  if (typeof value === "object" && value !== null) {
    if (isKnown && !isNestedReportField(name)) return null;
    const entries = Object.entries(value);
    if (saysTrouble && entries.length > 0) return `${key}: ${JSON.stringify(value)}`;
    // Items of a list speak for its name.
    const inside = Array.isArray(value) ? entries.map(([, item]) => ["", item] as const) : entries;
    return hintAmong(inside, { isEmpty, depth: depth + 1, isRead: isKnown });
  }
  if (typeof value === "string") {
    if (NO_TROUBLE.test(value) || saysNoData(value)) return null;
    const isSpoken = isCodeName(name) || (isEmpty && !isKnown);
    const isTrouble = isSpoken && TROUBLE.test(value.replaceAll(/[_-]+/g, " "));
    return saysTrouble || isTrouble ? `${key}: ${value}` : null;
  }
  const isCounted = typeof value === "number" && value > 0 && COUNTED.test(name);
  return saysTrouble && (value === true || isCounted) ? `${key}: ${String(value)}` : null;
}
