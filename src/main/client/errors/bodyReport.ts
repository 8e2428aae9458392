import { parseUtc, type UtcMs } from "#shared/time/utc.ts";

// Reports of errors, remarks, counts and ranges beside the data of a JSON body with status 200: not in the specification, but services send them.

// Field names as `plainName` returns them: lower case, parts joined by underscores.

/** With the allowed prefixes and suffixes: a field such as `pwv_error` is a measurement. */
const TROUBLE =
  /^(?:(?:has|is|any|api|internal|server|service|store|query|data)_)*(?:err(?:or)?s?|exceptions?|faults?|failures?|failed|problems?)_?(?:(?:messages?|msg|texts?|desc(?:ription)?|details?|reason|string|code|type|name|info|title|list|count|number)_?)*$/;
const REMARK = /^(?:messages?|msg|details?|reason|notes?|notices?|info|title|description|warnings?)$/;
/** About the rows of this very response; notes and descriptions are mostly about all data. */
const WARNING = /^(?:warnings?|messages?|msg|reason|details?)$/;
const SUCCESS = /^(?:is_)?(?:success(?:ful)?|succeeded|ok|okay)$/;
const STATUS = /^(?:(?:http|response|query|data|api)_)?(?:status|state|result|outcome)$/;
const CODE = /^(?:http_?)?(?:status_?)?code$|^error_?code$/;
const UNFINISHED =
  /^(?:(?:is|has|was|results?|data|rows|response|query)_)*(?:partial|truncated|incomplete|aborted|timed_?out|limited|capped|clipped|degraded|overflow(?:ed)?|(?:limit_)?exceeded(?:_\w+)?|more)(?:_(?:results?|data|rows|available))*$|^has_next(?:_page)?$|^(?:\w+_)?limit_reached$|^(?:max|limit)_\w+_reached$/;
const FINISHED = /^(?:is_)?(?:completed?|finished|done|last(?:_page)?|eof)$/;
/** Where to request the rest: the specification has no pages of rows. */
const NEXT =
  /^(?:odata_)?(?:next(?:_?(?:page|cursor|token|link|url|href|offset))*|cursor|continuation(?:_?token)?|next_(?:start|from|time)(?:_time)?|(?:resume|page|scroll)_?(?:token|id))$/;
/** Counts of rows that exist but are not in the response. */
const OMITTED =
  /^(?:omitted|remaining)_(?:rows|items|records|results|data)$|^(?:rows|items|records|results)_(?:omitted|remaining)$/;
const COUNT =
  /^(?:odata_)?(?:count|total|(?:(?:total|num|number)_)?(?:count|items|rows?|results?|records|hits|found|observations|measurements)(?:_(?:count|total))?)$/;
const PAGE = /^(?:page|current_page)$/;
const PAGES = /^(?:(?:total_)?pages|page_count|last_page)$/;
/** Objects in which services nest such fields. */
const INNER = /^(?:meta(?:data)?|status|result|pagination|paging|links?|shards|response|summary|hits)$/;

/** Stations that were left out because of a problem; those without data are often listed as `missing`. */
const SKIPPED = /^(?:skipped|failed|unavailable|unreachable|errored)_(?:stations?|receivers?)(?:_ids?)?$/;
/** The time range that the response covers, or repeats from the request. */
const START = /^(?:(?:actual|covered|data|query|range)_)?(?:start|from|begin)(?:_?(?:time|date|timestamp))?$/;
const END = /^(?:(?:actual|covered|data|query|range)_)?(?:end|to|until)(?:_?(?:time|date|timestamp))?$/;
/** Objects that repeat the request. */
const ECHO = /^(?:query|request|parameters|params|(?:time_)?range|period)$/;

const WORDS = [
  TROUBLE,
  REMARK,
  SUCCESS,
  STATUS,
  CODE,
  UNFINISHED,
  FINISHED,
  NEXT,
  OMITTED,
  COUNT,
  PAGE,
  PAGES,
  INNER,
  SKIPPED,
  START,
  END,
  ECHO,
];

const MAX_NAME_CHARACTERS = 64;

/** `errorMessage`, `error-message` and `_error_message` are one name. */
export function plainName(key: string): string {
  if (key.length > MAX_NAME_CHARACTERS) return "";
  return key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
}

/** Values that mean "no error". */
const NO_TROUBLE = /^\s*(?:none|null|nil|false|0|ok|okay|success|no errors?|-)?\s*\.?\s*$/i;
const BAD_STATUS =
  /err|fail|time.?out|unavail|partial|incomplete|truncat|abort|exceed|degrad|reject|cancel|overload|busy|pending|queued|running|progress/i;
/** Remarks beside rows that report that some are missing. */
const INCOMPLETE =
  /\b(?:incomplete|partial(?:ly)?|truncated|not (?:all|complete|whole)|only (?:half|part|some|the first)|cut (?:off|short)|(?:limit|timeout|deadline) (?:was )?(?:reached|exceeded|hit)|timed? ?out|aborted|could not be (?:read|reached|loaded|fetched|queried)|unavailable|unreachable|failed|degraded|(?:is|are|was|were) (?:down|missing))\b/i;
const GOOD_REMARK = /^\s*(?:ok|okay|success(?:ful(?:ly)?)?|done)\b/i;
const NO_DATA =
  /\b(?:no|without|zero|0)\s+(?:\w+\s+){0,2}?(?:data|observations?|measurements?|rows?|records?|results?|values?|epochs?)\b|\b(?:data|observations?|measurements?|rows?|records?|results?)\s+(?:(?:is|are|was|were)\s+)?(?:not\s+(?:found|available)|empty)\b|\bnothing\s+(?:was\s+)?found\b|\bempty\s+(?:result|set|response)\b/i;

/** Whether a sentence reports that rows are missing. */
export function saysIncomplete(sentence: string): boolean {
  return INCOMPLETE.test(sentence);
}

/** Whether a sentence reports that the service has no data for the request. */
export function saysNoData(sentence: string): boolean {
  return NO_DATA.test(sentence) && !/\b(?:error|fail|unavailable|time.?out)/i.test(sentence);
}

/** Whether `readBodyReport` reads a field of this name. */
export function isReportField(key: string): boolean {
  const name = plainName(key);
  return WORDS.some((words) => words.test(name));
}

/** Whether a field of this plain name has a code, as number or text. */
export function isCodeName(name: string): boolean {
  return CODE.test(name);
}

/** Whether a field of this plain name may contain nested report fields. */
export function isNestedReportField(name: string): boolean {
  return INNER.test(name);
}

/** Whether this field of a row reports an error of the row. */
export function isTroubleOfRow(key: string, value: unknown): boolean {
  return isTroubleName(key) && typeof value !== "number" && sentenceIn(value) !== null;
}

/** Whether a field of this name may report an error. */
export function isTroubleName(key: string): boolean {
  return TROUBLE.test(plainName(key));
}

export interface BodyReport {
  /** An error that the body reports, as a sentence; null if none. */
  readonly trouble: string | null;
  /** Any other text, if it is more than "ok" or "no data". */
  readonly remark: string | null;
  /** Whether it reports that there are more rows than it contains. */
  readonly isUnfinished: boolean;
  /** The largest number of rows that it claims to have, also as text; null if it claims none. */
  readonly count: number | null;
  /** The field `count` of the specification, which is about the rows of this body alone. */
  readonly statedRows: number | null;
  /** The narrowest time range that it names; null without a start or end. */
  readonly statedRange: StatedRange;
}

/** A time range in a body; it may describe the request, the response, or its first and last row. */
export interface StatedRange {
  readonly startMs: UtcMs | null;
  readonly endMs: UtcMs | null;
}

/** Reads the report fields of a body, including those nested in descriptions such as `meta`. */
export function readBodyReport(fields: Iterable<readonly [key: string, value: unknown]>, depth = 0): BodyReport {
  let trouble: string | null = null;
  let remark: string | null = null;
  let isUnfinished = false;
  let count: number | null = null;
  let statedRows: number | null = null;
  let page: number | null = null;
  let pages: number | null = null;
  let statedRange: StatedRange = { startMs: null, endMs: null };
  for (const [field, value] of fields) {
    const key = plainName(field);
    if (depth === 0 && field === "count") statedRows = wholeNumber(value);
    if (CODE.test(key) && wholeNumber(value) !== null) {
      if (isBadCode(value)) trouble ??= `${field}: ${String(value)}`;
    } else if (TROUBLE.test(key)) trouble ??= sentenceIn(value);
    else if (SUCCESS.test(key) && isNo(value)) trouble ??= `${field}: ${String(value)}`;
    else if (STATUS.test(key) && isBadStatus(value)) trouble ??= `${field}: ${String(value)}`;
    else if (UNFINISHED.test(key)) isUnfinished ||= isYes(value);
    else if (NEXT.test(key) && !isObject(value)) isUnfinished ||= Boolean(value);
    else if (INNER.test(key) && Array.isArray(value)) isUnfinished ||= value.some(isNextLink);
    else if ((INNER.test(key) || NEXT.test(key)) && isObject(value) && depth < 3) {
      const inner = readBodyReport(Object.entries(value), depth + 1);
      // The titles and notes of nested descriptions are not about the response.
      trouble ??= inner.trouble;
      isUnfinished ||= inner.isUnfinished || (NEXT.test(key) && Object.keys(value).length > 0);
      count = larger(count, inner.count);
      statedRange = narrower(statedRange, inner.statedRange);
    } else if (ECHO.test(key) && isObject(value)) statedRange = narrower(statedRange, rangeIn(value));
    else if (START.test(key) || END.test(key)) statedRange = narrower(statedRange, rangeIn({ [field]: value }));
    else if (SKIPPED.test(key)) isUnfinished ||= Array.isArray(value) && value.length > 0;
    else if (FINISHED.test(key)) isUnfinished ||= isNo(value);
    else if (OMITTED.test(key)) isUnfinished ||= (wholeNumber(value) ?? 0) > 0;
    else if (PAGE.test(key)) page = wholeNumber(value);
    else if (PAGES.test(key)) pages = wholeNumber(value);
    else if (COUNT.test(key)) count = larger(count, wholeNumber(value));
    else if (REMARK.test(key)) {
      const sentence = sentenceIn(value);
      isUnfinished ||= sentence !== null && WARNING.test(key) && INCOMPLETE.test(sentence);
      if (sentence !== null && !GOOD_REMARK.test(sentence) && !saysNoData(sentence)) remark ??= sentence;
    }
  }
  isUnfinished ||= page !== null && pages !== null && page >= 1 && pages > page;
  return { trouble, remark, isUnfinished, count, statedRows, statedRange };
}

/** Reads the start and end among these fields. */
function rangeIn(fields: Readonly<Record<string, unknown>>): StatedRange {
  let range: StatedRange = { startMs: null, endMs: null };
  for (const [field, value] of Object.entries(fields)) {
    const ms = typeof value === "string" ? parseUtc(value) : null;
    const key = plainName(field);
    if (START.test(key)) range = narrower(range, { startMs: ms, endMs: null });
    else if (END.test(key)) range = narrower(range, { startMs: null, endMs: ms });
  }
  return range;
}

function narrower(a: StatedRange, b: StatedRange): StatedRange {
  return {
    startMs: larger(a.startMs, b.startMs),
    endMs: a.endMs === null ? b.endMs : b.endMs === null ? a.endMs : Math.min(a.endMs, b.endMs),
  };
}

/** Finds the sentence in a value of any shape, or null. */
function sentenceIn(value: unknown, depth = 0): string | null {
  if (typeof value === "string") return NO_TROUBLE.test(value) ? null : value;
  if (typeof value === "number" || typeof value === "boolean") return value ? String(value) : null;
  if (typeof value !== "object" || value === null) return null;
  if (depth > 4) return "…";
  const entries = Object.entries(value);
  const spoken = entries.filter(([key]) => Array.isArray(value) || REMARK.test(plainName(key)) || isTroubleName(key));
  for (const [, inner] of [...spoken, ...entries]) {
    const sentence = sentenceIn(inner, depth + 1);
    if (sentence !== null) return sentence;
  }
  return null;
}

function isYes(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === "string" && /^\s*(?:true|yes|y|1)\s*$/i.test(value));
}

function isNo(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === "string" && /^\s*(?:false|no|n|0)\s*$/i.test(value));
}

function isNextLink(value: unknown): boolean {
  return isObject(value) && /^next$/i.test(String(value["rel"])) && Boolean(value["href"] ?? value["url"]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function larger(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}

/** Whether it is an HTTP error status, as number or text; the meaning of other codes is unknown. */
function isBadCode(value: unknown): boolean {
  const code = wholeNumber(value);
  return code !== null && code >= 400 && code < 600;
}

function isBadStatus(value: unknown): boolean {
  return typeof value === "number" ? value >= 400 : typeof value === "string" && BAD_STATUS.test(value);
}

function wholeNumber(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
