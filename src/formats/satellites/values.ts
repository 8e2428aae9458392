/** Stands for a text that is neither a number nor one of the ways to say "no value". */
export const UNREADABLE = Symbol("unreadable");

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const ABSENT = /^(?:|-|nan|null|none|n\/a)$/i;

/** The number that a text holds, NaN where it says that there is none. */
export function parseValue(text: string): number | typeof UNREADABLE {
  const token = text.trim();
  if (DECIMAL.test(token)) {
    const value = Number(token);
    return Number.isFinite(value) ? value : UNREADABLE;
  }
  return ABSENT.test(token) ? Number.NaN : UNREADABLE;
}

/** The items between the commas. A comma at the end, where one item too many is there, is taken for a terminator. */
export function cutItems(text: string | null, expected: number | null = null): string[] {
  if (!text || text.trim() === "") return [];
  const items = text.split(",");
  const surplus = expected === null || items.length === expected + 1;
  if (surplus && items.length > 1 && items.at(-1)!.trim() === "") items.pop();
  return items;
}
