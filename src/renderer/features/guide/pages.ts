import { allowedAddress } from "#shared/addresses.ts";

/** The pages of the guide in reading order; each is `docs/guide/<id>.md`. */
export const CONTENTS = [
  { title: "Begin", pages: ["first-minute", "connecting", "stations-and-time"] },
  { title: "Data", pages: ["fetching", "missing-data", "opening-files", "storage"] },
  { title: "Views", pages: ["series", "map", "satellites", "availability", "compare", "table"] },
  { title: "Share", pages: ["export", "saving-figures", "schedules", "python-and-r", "views-and-sessions"] },
  { title: "Elsewhere", pages: ["command-line", "servers"] },
  { title: "Look up", pages: ["keyboard", "words-and-units"] },
] as const;

export type PageId = (typeof CONTENTS)[number]["pages"][number];

/** All pages in reading order. */
export const PAGE_IDS: readonly PageId[] = CONTENTS.flatMap(({ pages }): readonly PageId[] => pages);

export function isPageId(id: string): id is PageId {
  return (PAGE_IDS as readonly string[]).includes(id);
}

/** The part of a page under one heading, as plain text. */
export interface Section {
  /** The anchor of the heading; null for the text between the title and the first heading. */
  readonly anchor: string | null;
  readonly title: string;
  readonly text: string;
}

export interface PageText {
  readonly title: string;
  readonly sections: readonly Section[];
}

const HEADING = /^(#{1,3}) (.+)$/;
const FENCE = /^\s*```/;
const TABLE_RULE = /^\s*\|?[\s:|-]+\|?\s*$/;

/** Splits a page of the guide into its title and the plain text under each heading. */
export function readPage(markdown: string): PageText {
  let title = "";
  const sections: { anchor: string | null; title: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (FENCE.test(line)) isCode = !isCode;
    const [heading, marks, text] = (isCode ? null : HEADING.exec(line)) ?? [];
    if (heading !== undefined) {
      const words = plainLine(text ?? "");
      const isTitle = marks === "#";
      if (isTitle) title = words;
      sections.push({ anchor: isTitle ? null : anchorOf(words), title: words, lines: [] });
    } else if (!FENCE.test(line) && !(TABLE_RULE.test(line) && line.includes("-")))
      sections.at(-1)?.lines.push(isCode ? line : plainLine(line));
  }
  return {
    title,
    sections: sections.map(({ anchor, title, lines }) => ({
      anchor,
      title,
      text: lines.join(" ").replaceAll(/\s+/g, " ").trim(),
    })),
  };
}

/** Returns the anchor of a heading, as GitHub generates it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Removes pictures from a line of Markdown, and the markup of links, emphasis, code, lists and tables. */
function plainLine(line: string): string {
  return line
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("**", "")
    .replaceAll("`", "")
    .replace(/^\s*(?:[-*>]|\d+\.)\s+/, "")
    .replaceAll(/\s*\|\s*/g, " · ")
    .replaceAll(/^ · | · $/g, "");
}

const files = import.meta.glob<string>("../../../../docs/guide/*.md", {
  eager: true,
  query: "?raw",
  import: "default",
});
const images = import.meta.glob<string>("../../../../docs/pictures/*-1024.png", {
  eager: true,
  query: "?url",
  import: "default",
});

/** The source text of every page. */
export const MARKDOWN: ReadonlyMap<PageId, string> = new Map(
  PAGE_IDS.map((id) => [id, files[`../../../../docs/guide/${id}.md`] ?? ""]),
);

/** Every page split into sections, for the table of contents and the search. */
export const PAGES: ReadonlyMap<PageId, PageText> = new Map([...MARKDOWN].map(([id, text]) => [id, readPage(text)]));

interface Picture {
  readonly light: string;
  readonly dark: string;
}

/**
 * Returns the addresses of a picture for both themes; the same address twice if only one exists, or null.
 *
 * @param source as written in a page: `../pictures/series-light-1024.png`
 */
export function pictureOf(source: string): Picture | null {
  const at = (theme: string): string | undefined =>
    images[`../../../../docs/pictures/${source.replace(/^.*\//, "").replace(/-(?:light|dark)-/, `-${theme}-`)}`];
  const [light, dark] = [at("light"), at("dark")];
  const one = light ?? dark;
  return one === undefined ? null : { light: light ?? one, dark: dark ?? one };
}

const NAMED = "Ctrl|Shift|Alt|Esc|Enter|Space|Tab|Home|End|Page Up|Page Down|Delete|F\\d{1,2}";
const KEYS = new RegExp(`^(?:(?:${NAMED}) )*(?:${NAMED}|[←→↑↓]|[A-Z0-9/?+,=\\[\\]-])$`);

/** Whether inline code of a page is a key or a key combination: `F`, `Ctrl K`, `Shift ↓`. */
export function isKeys(code: string): boolean {
  return KEYS.test(code);
}

/** The target of a link of a page. */
type Target =
  | { readonly kind: "page"; readonly page: PageId; readonly anchor: string | null }
  | { readonly kind: "outside"; readonly address: string }
  | { readonly kind: "nowhere" };

const TO_PAGE = /^(?:([a-z-]+)\.md)?(?:#(.+))?$/;

/** Resolves a link. @param href as written in the page: `fetching.md#cost`, `#cost`, `https://…` */
export function targetOf(href: string, from: PageId): Target {
  const inside = TO_PAGE.exec(href);
  const page = inside?.[1] ?? from;
  if (inside && href !== "" && isPageId(page))
    return { kind: "page", page, anchor: inside[2] === undefined ? null : decodeURIComponent(inside[2]) };
  const address = allowedAddress(href);
  return address === null ? { kind: "nowhere" } : { kind: "outside", address };
}
