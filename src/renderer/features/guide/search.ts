import { fold } from "#shared/station/search.ts";
import type { PageId } from "./contents.ts";
import type { PageText, Section } from "./sections.ts";

export interface Found {
  readonly page: PageId;
  readonly pageTitle: string;
  readonly section: Section;
  /** Some words around the first hit. */
  readonly excerpt: string;
}

const MOST = 40;
const BEFORE = 40;
const EXCERPT = 150;

/**
 * The sections that have every word of the query, in any order, as a word or the beginning of one: those first whose
 * heading has them, then in the order of reading. Marks over letters and capitals make no difference.
 */
export function searchGuide(pages: ReadonlyMap<PageId, PageText>, query: string): readonly Found[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const inHeading: Found[] = [];
  const inText: Found[] = [];
  for (const [page, { title, sections }] of pages) {
    for (const section of sections) {
      const heading = fold(section.title);
      const all = `${heading}\n${fold(section.text)}`;
      if (!words.every((word) => placeOf(word, all, 0) >= 0)) continue;
      const found = { page, pageTitle: title, section, excerpt: excerptOf(section.text, words) };
      (words.every((word) => placeOf(word, heading, 0) >= 0) ? inHeading : inText).push(found);
    }
  }
  return [...inHeading, ...inText].slice(0, MOST);
}

/** The words of a query as they are compared. */
export function wordsOf(query: string): readonly string[] {
  return fold(query).split(/\s+/).filter(Boolean);
}

export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

/** Text in pieces, those apart that are words of the query. */
export function marked(text: string, words: readonly string[]): readonly Piece[] {
  const folded = fold(text);
  // Where folding changes the length, as "æ" does, places would be wrong.
  if (folded.length !== text.length || words.length === 0) return [{ text, isHit: false }];
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    const next = firstHit(folded, words, at);
    if (!next) break;
    if (next.start > at) pieces.push({ text: text.slice(at, next.start), isHit: false });
    pieces.push({ text: text.slice(next.start, next.end), isHit: true });
    at = next.end;
  }
  return at < text.length ? [...pieces, { text: text.slice(at), isHit: false }] : pieces;
}

function firstHit(folded: string, words: readonly string[], from: number) {
  let best: { readonly start: number; readonly end: number } | null = null;
  for (const word of words) {
    const start = placeOf(word, folded, from);
    if (start >= 0 && (best === null || start < best.start)) best = { start, end: start + word.length };
  }
  return best;
}

/** Where a word begins like this one; -1 where none does. */
function placeOf(word: string, text: string, from: number): number {
  let at = text.indexOf(word, from);
  while (at > 0 && /[\p{L}\p{N}]/u.test(text.charAt(at - 1))) at = text.indexOf(word, at + 1);
  return at;
}

function excerptOf(text: string, words: readonly string[]): string {
  const hit = firstHit(fold(text), words, 0);
  const wanted = Math.max(0, (hit?.start ?? 0) - BEFORE);
  const start = wanted === 0 ? 0 : text.indexOf(" ", wanted) + 1;
  const end = text.length <= start + EXCERPT ? text.length : text.lastIndexOf(" ", start + EXCERPT);
  return `${start > 0 ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
}
