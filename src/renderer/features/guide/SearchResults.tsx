import { type RefObject, useImperativeHandle, useMemo, useRef } from "react";
import { ListBox, ListBoxItem } from "react-aria-components";
import { fold } from "#shared/station/search.ts";
import { many } from "../../ui/text.ts";
import { openGuide } from "./open.ts";
import { type PageId, PAGES, type PageText, type Section } from "./pages.ts";
import classes from "./guide.module.css";

interface SearchResult {
  readonly page: PageId;
  readonly pageTitle: string;
  readonly section: Section;
  /** Text around the first match. */
  readonly excerpt: string;
}

const MAX_RESULTS = 40;
/** Characters of an excerpt: before the first match, and in total. */
const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 150;

/**
 * Finds the sections that contain every word of the query, in any order, at the start of a word. Sections with a matching
 * heading come first, then the others, both in reading order. Case and diacritics are ignored.
 */
export function searchGuide(pages: ReadonlyMap<PageId, PageText>, query: string): readonly SearchResult[] {
  const words = queryWords(query);
  if (words.length === 0) return [];
  const inHeading: SearchResult[] = [];
  const inText: SearchResult[] = [];
  for (const [page, { title, sections }] of pages) {
    for (const section of sections) {
      const heading = fold(section.title);
      const all = `${heading}\n${fold(section.text)}`;
      if (!words.every((word) => indexOfWord(word, all, 0) >= 0)) continue;
      const result = { page, pageTitle: title, section, excerpt: excerptOf(section.text, words) };
      (words.every((word) => indexOfWord(word, heading, 0) >= 0) ? inHeading : inText).push(result);
    }
  }
  return [...inHeading, ...inText].slice(0, MAX_RESULTS);
}

/** Splits a query into words without case and diacritics. */
function queryWords(query: string): readonly string[] {
  return fold(query).split(/\s+/).filter(Boolean);
}

interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Splits text into parts that match words of the query and parts that do not. */
export function highlighted(text: string, words: readonly string[]): readonly TextPart[] {
  const folded = fold(text);
  // If folding changes the length, as for "æ", positions would be wrong.
  if (folded.length !== text.length || words.length === 0) return [{ text, isMatch: false }];
  const parts: TextPart[] = [];
  let at = 0;
  while (at < text.length) {
    const next = firstMatch(folded, words, at);
    if (!next) break;
    if (next.start > at) parts.push({ text: text.slice(at, next.start), isMatch: false });
    parts.push({ text: text.slice(next.start, next.end), isMatch: true });
    at = next.end;
  }
  return at < text.length ? [...parts, { text: text.slice(at), isMatch: false }] : parts;
}

function firstMatch(folded: string, words: readonly string[], from: number) {
  let best: { readonly start: number; readonly end: number } | null = null;
  for (const word of words) {
    const start = indexOfWord(word, folded, from);
    if (start >= 0 && (best === null || start < best.start)) best = { start, end: start + word.length };
  }
  return best;
}

/** Returns the index of the first word that starts with `word`, or -1. */
function indexOfWord(word: string, text: string, from: number): number {
  let at = text.indexOf(word, from);
  while (at > 0 && /[\p{L}\p{N}]/u.test(text.charAt(at - 1))) at = text.indexOf(word, at + 1);
  return at;
}

function excerptOf(text: string, words: readonly string[]): string {
  const match = firstMatch(fold(text), words, 0);
  const wanted = Math.max(0, (match?.start ?? 0) - EXCERPT_BEFORE);
  const start = wanted === 0 ? 0 : text.indexOf(" ", wanted) + 1;
  const end = text.length <= start + EXCERPT_LENGTH ? text.length : text.lastIndexOf(" ", start + EXCERPT_LENGTH);
  return `${start > 0 ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
}

/** The sections of all pages that match a query. */
export function SearchResults(props: {
  readonly query: string;
  /** Set to a function that moves the focus from the search field into the list. */
  readonly focusFirst: RefObject<(() => void) | null>;
}) {
  const { query, focusFirst } = props;
  const found = useMemo(() => searchGuide(PAGES, query), [query]);
  const words = queryWords(query);
  const list = useRef<HTMLDivElement>(null);
  useImperativeHandle(focusFirst, () => () => list.current?.querySelector<HTMLElement>("[role=option]")?.focus());
  return (
    <>
      <p role="status" className="caption px-5 pb-2">
        {found.length === 0 ? "No page contains all of these words." : many(found.length, "result")}
      </p>
      <ListBox
        ref={list}
        aria-label="Found in the guide"
        className="scroll flex-1 min-h-0 px-3 pb-6 outline-none"
        items={found.map((one) => ({ ...one, id: `${one.page}#${one.section.anchor ?? ""}` }))}
        dependencies={[query]}
        onAction={(key) => {
          const [page, anchor] = String(key).split("#");
          openGuide(page as PageId, anchor || null);
        }}
      >
        {({ id, pageTitle, section, excerpt }) => (
          <ListBoxItem
            id={id}
            textValue={section.title}
            className={`${classes["foundItem"]} stack px-2 py-1 rounded-box cursor-default -outline-offset-2`}
          >
            <span className="font-medium">
              <Highlighted text={section.title} words={words} />
            </span>
            {section.anchor === null ? null : <span className={classes["foundPage"]}>{pageTitle}</span>}
            <span className={classes["foundText"]}>
              <Highlighted text={excerpt} words={words} />
            </span>
          </ListBoxItem>
        )}
      </ListBox>
    </>
  );
}

function Highlighted({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  let at = 0;
  return highlighted(text, words).map((part) => {
    const key = at;
    at += part.text.length;
    return part.isMatch ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>;
  });
}
