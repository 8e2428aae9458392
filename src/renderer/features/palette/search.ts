import { defined } from "#shared/defined.ts";
import { fold } from "#shared/station/search.ts";

/** Something that the palette finds, its texts prepared once: searching must keep up with typing. */
export interface Findable<Item> {
  readonly key: string;
  readonly item: Item;
  /** Folded: what it is called. */
  readonly name: string;
  /** Folded: where it is, what it belongs to. */
  readonly more: string;
}

export function findable<Item>(key: string, item: Item, name: string, more: readonly string[]): Findable<Item> {
  return { key, item, name: fold(name), more: fold(more.join("\n")) };
}

const GRADES = 6;
const NONE = GRADES;

/**
 * All that fit the query, the best first: names that begin with it, have a word that begins with it, or contain it; then
 * places and networks; then names that have its letters in this order. Within a grade recent ones lead, and else the
 * given order stays. An empty query gives everything, recent ones first.
 *
 * @param recent keys, the latest first
 */
export function find<Item>(
  all: readonly Findable<Item>[],
  query: string,
  recent: readonly string[],
): readonly Findable<Item>[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const grades: Findable<Item>[][] = Array.from({ length: GRADES }, () => []);
  for (const one of all) grades[words.length === 0 ? 0 : gradeOf(one, words)]?.push(one);
  const age = new Map(recent.map((key, i) => [key, i]));
  return grades.flatMap((grade) => recentFirst(grade, age));
}

/** The worst of its words: each has to be found. */
function gradeOf({ name, more }: Findable<unknown>, words: readonly string[]): number {
  let worst = 0;
  for (const word of words) worst = Math.max(worst, gradeOfWord(name, more, word));
  return worst;
}

function gradeOfWord(name: string, more: string, word: string): number {
  const at = name.indexOf(word);
  if (at === 0) return 0;
  if (at > 0) return isWordStart(name, at) || name.includes(` ${word}`) ? 1 : 2;
  const elsewhere = more.indexOf(word);
  if (elsewhere >= 0) return isWordStart(more, elsewhere) ? 3 : 4;
  return word.length > 1 && hasInOrder(name, word) ? 5 : NONE;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[\s\-_.,"(/]/.test(text.charAt(at - 1));
}

function hasInOrder(text: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

function recentFirst<Item>(found: readonly Findable<Item>[], age: ReadonlyMap<string, number>): Findable<Item>[] {
  const isRecent = (one: Findable<Item>): boolean => age.has(one.key);
  const recent = found.filter(isRecent);
  if (recent.length === 0) return [...found];
  recent.sort((a, b) => defined(age.get(a.key)) - defined(age.get(b.key)));
  return [...recent, ...found.filter((one) => !isRecent(one))];
}
