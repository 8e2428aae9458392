// What a JSON body with status 200 says beside its data: the specification shows no such words, but services have them.

const TROUBLE = /^(?:errors?|exceptions?|faults?|failures?|problems?)$/i;
const REMARK = /^(?:messages?|details?|reason|notes?|info|title|description|warnings?)$/i;
const SUCCESS = /^(?:success|ok)$/i;
const STATUS = /^(?:status|state|result)$/i;
const CODE = /^(?:(?:http_?)?(?:status_?)?code|error_?code)$/i;
const UNFINISHED =
  /^(?:is_?|has_?|was_?)?(?:partial|truncated|incomplete|aborted|timed_?out|limited|capped|more(?:_?data|_?rows)?)$/i;
const FINISHED = /^(?:is_?)?complete$/i;
/** Where the rest is to be had: the specification knows no pages of rows. */
const NEXT = /^(?:@odata\.)?(?:next(?:_?(?:page|cursor|token|link|url|offset))*|cursor|continuation(?:_?token)?)$/i;
const COUNT = /^(?:count|total(?:_(?:count|items|rows|results))?|row_count|num_rows)$/i;
/** Where services put such words, too. */
const INNER = /^_?(?:meta(?:data)?|status|result|pagination|paging|links?|shards|response)$/i;

const WORDS = [TROUBLE, REMARK, SUCCESS, STATUS, CODE, UNFINISHED, FINISHED, NEXT, COUNT, INNER];

/** Words for "no error": they say nothing. */
const NO_TROUBLE = /^\s*(?:none|null|nil|false|0|ok|okay|success|no errors?|-)?\s*\.?\s*$/i;
const BAD_STATUS = /err|fail|time.?out|unavail|partial|incomplete|abort|exceed/i;
const GOOD_REMARK = /^\s*(?:ok|okay|success(?:ful(?:ly)?)?|done)\b/i;
const NO_DATA =
  /\b(?:no|without|zero|0)\s+(?:\w+\s+){0,2}?(?:data|observations?|measurements?|rows?|records?|results?|values?|epochs?)\b|\b(?:data|observations?|measurements?|rows?|records?|results?)\s+(?:(?:is|are|was|were)\s+)?(?:not\s+(?:found|available)|empty)\b|\bnothing\s+(?:was\s+)?found\b|\bempty\s+(?:result|set|response)\b/i;

/** Whether a sentence says that the service has nothing for what was asked. */
export function saysNoData(sentence: string): boolean {
  return NO_DATA.test(sentence) && !/\b(?:error|fail|unavailable|time.?out)/i.test(sentence);
}

/** Whether the value of a field of the body is worth keeping for `readWords`. */
export function isWord(key: string): boolean {
  return WORDS.some((words) => words.test(key));
}

export interface Words {
  /** An error that the body tells of, as a sentence; null where it tells of none. */
  readonly trouble: string | null;
  /** Anything else that it says in words, where that is more than "ok" or "no data". */
  readonly remark: string | null;
  /** It says that there is more than it holds. */
  readonly isUnfinished: boolean;
  /** The largest number of rows that it claims to have, also where it is written as text; null where it claims none. */
  readonly count: number | null;
}

/** What the fields of a body say beside the data, and the fields of what stands in one of them as its description. */
export function readWords(fields: Iterable<readonly [key: string, value: unknown]>, depth = 0): Words {
  let trouble: string | null = null;
  let remark: string | null = null;
  let isUnfinished = false;
  let count: number | null = null;
  for (const [key, value] of fields) {
    if (TROUBLE.test(key)) trouble ??= sentenceIn(value);
    else if (SUCCESS.test(key) && value === false) trouble ??= `${key}: false`;
    else if (STATUS.test(key) && isBadStatus(value)) trouble ??= `${key}: ${String(value)}`;
    else if (CODE.test(key) && isBadCode(value)) trouble ??= `${key}: ${String(value)}`;
    else if (UNFINISHED.test(key)) isUnfinished ||= value === true;
    else if (NEXT.test(key) && !isObject(value)) isUnfinished ||= Boolean(value);
    else if ((INNER.test(key) || NEXT.test(key)) && isObject(value) && depth < 3) {
      const inner = readWords(Object.entries(value), depth + 1);
      // Descriptions have titles and notes of their own.
      trouble ??= inner.trouble;
      isUnfinished ||= inner.isUnfinished || hasMorePages(value) || (NEXT.test(key) && Object.keys(value).length > 0);
      count = larger(count, inner.count);
    } else if (FINISHED.test(key)) isUnfinished ||= value === false;
    else if (COUNT.test(key)) count = larger(count, wholeNumber(value));
    else if (REMARK.test(key)) {
      const sentence = sentenceIn(value);
      if (sentence !== null && !GOOD_REMARK.test(sentence) && !saysNoData(sentence)) remark ??= sentence;
    }
  }
  return { trouble, remark, isUnfinished, count };
}

/** What a value of any shape says; null where it says nothing. */
function sentenceIn(value: unknown, depth = 0): string | null {
  if (typeof value === "string") return NO_TROUBLE.test(value) ? null : value;
  if (typeof value === "number" || typeof value === "boolean") return value ? String(value) : null;
  if (typeof value !== "object" || value === null) return null;
  if (depth > 4) return "…";
  const entries = Object.entries(value);
  const spoken = entries.filter(([key]) => Array.isArray(value) || REMARK.test(key) || TROUBLE.test(key));
  for (const [, inner] of [...spoken, ...entries]) {
    const sentence = sentenceIn(inner, depth + 1);
    if (sentence !== null) return sentence;
  }
  return null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function larger(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}

function hasMorePages({ page, total_pages: pages }: Readonly<Record<string, unknown>>): boolean {
  return typeof page === "number" && typeof pages === "number" && page >= 1 && pages > page;
}

/** A number of HTTP, as number or text; other codes mean what nobody knows. */
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
