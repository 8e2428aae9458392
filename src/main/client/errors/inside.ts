// What a JSON body with status 200 says beside its data: the specification shows no such words, but services have them.

const TROUBLE = /^(?:errors?|exceptions?|faults?|failures?|problems?)$/i;
const REMARK = /^(?:messages?|details?|reason|notes?|info|title|description|warnings?)$/i;
const SUCCESS = /^(?:success|ok)$/i;
const STATUS = /^(?:status|state|result)$/i;
const UNFINISHED = /^(?:is_?)?(?:partial|truncated|incomplete|aborted)$/i;
const FINISHED = /^(?:is_?)?complete$/i;
const COUNT = /^(?:count|total_count)$/;

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
  return [TROUBLE, REMARK, SUCCESS, STATUS, UNFINISHED, FINISHED, COUNT].some((words) => words.test(key));
}

export interface Words {
  /** An error that the body tells of, as a sentence; null where it tells of none. */
  readonly trouble: string | null;
  /** Anything else that it says in words, where that is more than "ok" or "no data". */
  readonly remark: string | null;
  /** It says that there is more than it holds. */
  readonly isUnfinished: boolean;
  /** The number of rows that it claims to have, also where it is written as text; null where it claims none. */
  readonly count: number | null;
}

/** What the fields of a body say beside the data. */
export function readWords(fields: Iterable<readonly [key: string, value: unknown]>): Words {
  let trouble: string | null = null;
  let remark: string | null = null;
  let isUnfinished = false;
  let count: number | null = null;
  for (const [key, value] of fields) {
    if (TROUBLE.test(key)) trouble ??= sentenceIn(value);
    else if (SUCCESS.test(key) && value === false) trouble ??= `${key}: false`;
    else if (STATUS.test(key) && isBadStatus(value)) trouble ??= `${key}: ${String(value)}`;
    else if (UNFINISHED.test(key)) isUnfinished ||= value === true;
    else if (FINISHED.test(key)) isUnfinished ||= value === false;
    else if (COUNT.test(key)) count ??= wholeNumber(value);
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

function isBadStatus(value: unknown): boolean {
  return typeof value === "number" ? value >= 400 : typeof value === "string" && BAD_STATUS.test(value);
}

function wholeNumber(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
