import { PAGE_IDS, type PageId } from "./contents.ts";
import { type PageText, readPage } from "./sections.ts";

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
